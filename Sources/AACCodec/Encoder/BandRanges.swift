// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

/// The ranges of scale factor bands that follow from the bit rate of an encoder: the frequencies of ``RateTuning`` as bands.
struct BandRanges {
    /// The number of bands of a long window below the bandwidth.
    let longBandCount: Int

    /// The number of bands of a short window below the bandwidth.
    let shortBandCount: Int

    /// The first long band that may be noise; beyond all bands where none may.
    let firstNoiseBand: Int

    /// Whether bands that the channels of a pair have in common are not sent as noise.
    let keepsCommonLines: Bool

    /// The bands whose energy is restored.
    let restoration: EnergyRestoration

    /// The first long band that may be intensity stereo without being panned by amplitude; beyond all bands where none may.
    let firstIntensityBand: Int

    /// Computes the ranges of an encoder at the parameters of a bit rate; its bandwidth is rounded up to the end of a band.
    init(_ setup: EncoderSetup, tuning: RateTuning, bands: borrowing ScaleFactorBands) {
        let sampleRate = setup.coreSampleRate
        let usesNoise = setup.configuration.settings.usesNoiseSubstitution
        longBandCount = bands.firstLongBand(from: setup.coreBandwidth(tuning), sampleRate: sampleRate)
        shortBandCount = bands.firstShortBand(from: setup.shortCoreBandwidth(tuning), sampleRate: sampleRate)
        firstNoiseBand = Self.firstLongBand(from: usesNoise ? tuning.lowestNoiseFrequency : nil, sampleRate: sampleRate, bands: bands)
        keepsCommonLines = tuning.keepsCommonLines
        restoration = EnergyRestoration(
            noise: .init(from: usesNoise ? tuning.lowestFilledFrequency : nil, sampleRate: sampleRate, bands: bands),
            raised: .init(from: tuning.lowestRestoredFrequency(setup.searchEffort), sampleRate: sampleRate, bands: bands))
        firstIntensityBand = Self.firstLongBand(from: tuning.lowestIntensityFrequency, sampleRate: sampleRate, bands: bands)
    }

    /// Returns the first long band that begins at or above a frequency in hertz; beyond all bands if it is `nil`.
    private static func firstLongBand(from frequency: Int?, sampleRate: Int, bands: borrowing ScaleFactorBands) -> Int {
        guard let frequency else { return .max }
        return bands.firstLongBand(from: frequency, sampleRate: sampleRate)
    }
}

extension EnergyRestoration.FirstBands {
    /// Finds the first bands that begin at or above a frequency in hertz; none if it is `nil`.
    fileprivate init(from frequency: Int?, sampleRate: Int, bands: borrowing ScaleFactorBands) {
        guard let frequency else {
            self = .none
            return
        }
        self.init(
            long: bands.firstLongBand(from: frequency, sampleRate: sampleRate),
            short: bands.firstShortBand(from: frequency, sampleRate: sampleRate))
    }
}
