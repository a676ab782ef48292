// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The constant data that all elements of a stream share.
struct EncoderTables: ~Copyable {
    /// The scale factor bands of the core's sample rate.
    let bands: ScaleFactorBands

    /// The properties of hearing in each band.
    let psychoacoustics: PsychoacousticTables

    /// The exponents of the noise allocation rule.
    let noiseAllocation: NoiseAllocation

    /// The extent of the search in the quantisation stage.
    let effort: SearchEffort

    /// The design of TNS filters.
    let noiseShaping: TNSFilterDesign

    /// The first long band that may be noise; beyond all bands where the bit rate is too high.
    let firstNoiseBand: Int

    /// The first long band that may be intensity stereo; beyond all bands where the bit rate is too high.
    let firstIntensityBand: Int

    /// The number of bands of a long window below the bandwidth.
    let longBandCount: Int

    /// The number of bands of a short window below the bandwidth.
    let shortBandCount: Int

    /// Computes the tables of an encoder; its bandwidth is rounded up to the end of a band.
    init(_ setup: EncoderSetup) {
        let sampleRate = setup.coreSampleRate
        let bands = ScaleFactorBands(samplingFrequencyIndex: setup.samplingFrequencyIndex, frameLength: AACEncoder.frameLength)
        psychoacoustics = PsychoacousticTables(sampleRate: sampleRate, bands: bands)
        noiseAllocation = setup.tuning.noiseAllocation
        effort = setup.searchEffort
        let bandwidth = setup.coreBandwidth
        var long = 1
        while long < bands.longCount && Float(bands.longOffsets[long]) * Float(sampleRate) / 2048 < bandwidth { long += 1 }
        var short = 1
        while short < bands.shortCount && Float(bands.shortOffsets[short]) * Float(sampleRate) / 256 < bandwidth { short += 1 }
        longBandCount = long
        shortBandCount = short
        let bitRate = setup.tuning.bitRatePerChannel
        firstNoiseBand =
            bitRate < NoiseSubstitution.highestBitRate
            ? bands.firstLongBand(from: NoiseSubstitution.lowestFrequency, sampleRate: sampleRate) : .max
        firstIntensityBand =
            bitRate < IntensityStereo.highestBitRate
            ? bands.firstLongBand(from: IntensityStereo.lowestFrequency, sampleRate: sampleRate) : .max
        noiseShaping = TNSFilterDesign(sampleRate: sampleRate, bands: bands)
        self.bands = bands
    }
}
