// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What the elements of a stream share, and never change while it runs.
struct EncoderTables: ~Copyable {
    let bands: ScaleFactorBands
    let hearing: HearingTables
    let law: NoiseAllocation
    let effort: SearchEffort
    let noiseShaping: TNSFilterDesign

    /// The first long bands that may be noise, or copies of the left channel; beyond all bands where the rate is too high for them.
    let firstNoiseBand: Int
    let firstIntensityBand: Int

    /// Bands below the bandwidth, of a long window and a short one.
    let longBandCount: Int
    let shortBandCount: Int

    /// Gathers the tables; `bandwidth` in hertz is rounded up to the end of a band.
    init(configuration: AACEncoderConfiguration, bands: ScaleFactorBands, bandwidth: Float) {
        let tuning = configuration.tuning
        let sampleRate = configuration.sampleRate
        hearing = HearingTables(sampleRate: sampleRate, bands: bands)
        law = tuning.law
        effort = SearchEffort(configuration.effort)
        self.bands = bands
        var long = 1
        while long < bands.longCount && Float(bands.longOffsets.span[long]) * Float(sampleRate) / 2048 < bandwidth { long += 1 }
        var short = 1
        while short < bands.shortCount && Float(bands.shortOffsets.span[short]) * Float(sampleRate) / 256 < bandwidth { short += 1 }
        let allowsNoise = tuning.bitRatePerChannel < NoiseSubstitution.highestBitRate
        firstNoiseBand = allowsNoise ? bands.firstLongBand(from: NoiseSubstitution.lowestFrequency, sampleRate: sampleRate) : .max
        let allowsIntensity = tuning.bitRatePerChannel < IntensityStereo.highestBitRate
        firstIntensityBand = allowsIntensity ? bands.firstLongBand(from: IntensityStereo.lowestFrequency, sampleRate: sampleRate) : .max
        noiseShaping = TNSFilterDesign(sampleRate: sampleRate, bands: bands)
        longBandCount = long
        shortBandCount = short
    }
}
