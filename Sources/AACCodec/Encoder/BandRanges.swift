// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The ranges of scale factor bands that follow from the bit rate of an encoder.
struct BandRanges {
    /// The number of bands of a long window below the bandwidth.
    let longBandCount: Int

    /// The number of bands of a short window below the bandwidth.
    let shortBandCount: Int

    /// The first long band that may be noise; beyond all bands where the bit rate is too high.
    let firstNoiseBand: Int

    /// The bands whose energy is restored.
    let restoration: EnergyRestoration

    /// The first long band that may be intensity stereo; beyond all bands where the bit rate is too high.
    let firstIntensityBand: Int

    /// Whether bands whose channels have more than half of their power in common are not sent as noise; not in HE-AAC, where this was not
    /// measured.
    let keepsCommonLines: Bool

    /// The bit rate of a channel, scaled to 48 kHz, from which on bits suffice for such bands.
    private static let lowestCommonBitRate: Float = 32_000

    /// Computes the ranges of an encoder at the parameters of a bit rate; its bandwidth is rounded up to the end of a band.
    init(_ setup: EncoderSetup, tuning: RateTuning, bands: borrowing ScaleFactorBands) {
        let sampleRate = setup.coreSampleRate
        longBandCount = bands.firstLongBand(from: setup.coreBandwidth(tuning), sampleRate: sampleRate)
        shortBandCount = bands.firstShortBand(from: setup.shortCoreBandwidth(tuning), sampleRate: sampleRate)
        let bitRate = tuning.bitRatePerChannel
        firstNoiseBand =
            setup.configuration.usesNoiseSubstitution && bitRate < NoiseSubstitution.highestBitRate
            ? bands.firstLongBand(from: NoiseSubstitution.lowestFrequency, sampleRate: sampleRate) : .max
        restoration = EnergyRestoration(
            noise: .init(
                from: setup.configuration.usesNoiseSubstitution ? tuning.lowestFilledFrequency : nil, sampleRate: sampleRate, bands: bands),
            raised: .init(
                from: tuning.lowestRestoredFrequency(lowersValues: setup.searchEffort.lowersValues), sampleRate: sampleRate, bands: bands))
        firstIntensityBand =
            bitRate < IntensityStereo.highestBitRate
            ? bands.firstLongBand(from: IntensityStereo.lowestFrequency, sampleRate: sampleRate) : .max
        keepsCommonLines = setup.profile == .lowComplexity && setup.tuning.bitRatePerChannel >= Self.lowestCommonBitRate
    }
}

extension EnergyRestoration.FirstBands {
    /// Finds the first bands that begin at or above a frequency in hertz; none if it is `nil`.
    fileprivate init(from frequency: Int?, sampleRate: Int, bands: borrowing ScaleFactorBands) {
        guard let frequency else { return }
        long = bands.firstLongBand(from: frequency, sampleRate: sampleRate)
        short = bands.firstShortBand(from: frequency, sampleRate: sampleRate)
    }
}
