// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding
internal import TransformEncoding

#if !hasFeature(Embedded) || LINNET_USAC
internal import USACCodec
#endif

/// The scale factor band ranges for a bit rate: the frequencies of ``RateTuning`` as bands.
struct BandRanges {
    /// The number of coded bands of a long window.
    let longBandCount: Int

    /// The number of coded bands of a short window.
    let shortBandCount: Int

    /// The first long band that may use PNS; `Int.max` for none.
    let firstNoiseBand: Int

    /// The first long band whose zeros become noise in xHE-AAC; `Int.max` for none and with SBR.
    let firstFilledBand: Int

    /// Whether frames may omit noise filling.
    let choosesNoiseFilling: Bool

    /// Whether to exclude bands that the channels of a pair have in common from PNS.
    let keepsCommonLines: Bool

    let restoration: EnergyRestoration

    /// Whether pairs may use stereo prediction, which xHE-AAC has instead of intensity stereo.
    let permitsPrediction: Bool

    /// The first long band that may use intensity stereo without being amplitude-panned; `Int.max` for none.
    let firstIntensityBand: Int

    /// Computes the ranges for the tuning.
    ///
    /// The bandwidth is rounded up to the end of a band.
    init(_ setup: EncoderSetup, tuning: RateTuning, bands: borrowing ScaleFactorBands) {
        let sampleRate = setup.coreSampleRate
        let configuration = setup.configuration
        let usesNoise = configuration.settings.usesNoiseSubstitution && !configuration.adaptations.contains(.noNoiseSubstitution)
        longBandCount = bands.firstLongBand(from: setup.coreBandwidth(tuning), sampleRate: sampleRate)
        shortBandCount = bands.firstShortBand(from: setup.shortCoreBandwidth(tuning), sampleRate: sampleRate)
        firstNoiseBand = Self.firstLongBand(from: usesNoise ? tuning.lowestNoiseFrequency : nil, sampleRate: sampleRate, bands: bands)
        keepsCommonLines = tuning.keepsCommonLines
        restoration = EnergyRestoration(
            noise: .init(from: usesNoise ? tuning.lowestFilledFrequency : nil, sampleRate: sampleRate, bands: bands),
            raised: .init(from: tuning.lowestRestoredFrequency(setup.searchEffort), sampleRate: sampleRate, bands: bands))
        permitsPrediction = setup.profile == .extendedHighEfficiency
        firstFilledBand = Self.firstFilledBand(setup, bands: bands)
        choosesNoiseFilling = tuning.choosesNoiseFilling
        firstIntensityBand = Self.firstLongBand(
            from: permitsPrediction ? nil : tuning.lowestIntensityFrequency, sampleRate: sampleRate, bands: bands)
    }

    private static func firstFilledBand(_ setup: EncoderSetup, bands: borrowing ScaleFactorBands) -> Int {
        #if !hasFeature(Embedded) || LINNET_USAC
        // Not measured in cores with SBR.
        guard setup.profile == .extendedHighEfficiency, setup.sbr == nil, setup.configuration.settings.usesNoiseSubstitution else {
            return .max
        }
        return NoiseFillingPlanner.firstBand(bands)
        #else
        return .max
        #endif
    }

    /// Returns the first long band that starts at or above a frequency, in hertz; `Int.max` if it is `nil`.
    private static func firstLongBand(from frequency: Int?, sampleRate: Int, bands: borrowing ScaleFactorBands) -> Int {
        guard let frequency else { return .max }
        return bands.firstLongBand(from: frequency, sampleRate: sampleRate)
    }
}

extension EnergyRestoration.FirstBands {
    /// Finds the first bands that start at or above a frequency, in hertz; `.none` if it is `nil`.
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
