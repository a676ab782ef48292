// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What the ear makes of each scale factor band of a window, apart from the signal: its place, its reach, its quiet.
struct HearingTables {
    /// The tables for the bands of a long window, and of a short one.
    let long: Bands
    let short: Bands

    /// One table for each band of a window.
    struct Bands {
        /// The middle of the band on the Bark scale.
        fileprivate(set) var bark = [52 of Float](repeating: 0)

        /// What of the band below, and of the band above, is masked here: the spread of excitation to a neighbour.
        fileprivate(set) var spreadFromBelow = [52 of Float](repeating: 0)
        fileprivate(set) var spreadFromAbove = [52 of Float](repeating: 0)

        /// How much more noise the band may have than the law gives it, in octaves of energy.
        fileprivate(set) var noiseOffset = [52 of Float](repeating: 0)

        /// The energy of a band that is just heard in quiet, at the scale of the coefficients of one window.
        fileprivate(set) var quietEnergy = [52 of Float](repeating: 0)
    }

    /// Calculates the tables of a sample rate in hertz.
    init(sampleRate: Int, bands: borrowing ScaleFactorBands) {
        var offsets = [53 of Int](repeating: 0)
        for band in 0..<bands.longCount { offsets[band + 1] = Int(bands.longOffsets[band + 1]) }
        long = Bands(
            offsets: offsets.span, count: bands.longCount, hertzPerLine: Double(sampleRate) / 2048, fullScaleEnergy: Self.fullScaleEnergy)
        for band in 0..<bands.shortCount { offsets[band + 1] = Int(bands.shortOffsets[band + 1]) }
        short = Bands(
            offsets: offsets.span, count: bands.shortCount, hertzPerLine: Double(sampleRate) / 256,
            fullScaleEnergy: Self.fullScaleEnergy / 64)
    }

    /// The energy of a full-scale sine in the coefficients of a long window; a short one has an eighth of the samples and of the gain.
    private static let fullScaleEnergy = 32768.0 * 32768 / 2 * 1024 * 2048

    /// The sound pressure level that a full-scale sine is taken to have, in decibels.
    fileprivate static let fullScaleLevel = 92.0

    /// Excitation falls by so much a Bark towards higher and lower frequencies, in decibels.
    fileprivate static let slopeUpward = 15.0
    fileprivate static let slopeDownward = 27.0
}

extension HearingTables.Bands {
    fileprivate init(offsets: Span<Int>, count: Int, hertzPerLine: Double, fullScaleEnergy: Double) {
        for band in 0..<count {
            let low = Double(offsets[band]) * hertzPerLine
            let high = Double(offsets[band + 1]) * hertzPerLine
            bark[band] = Float(Self.bark(ofHertz: (low + high) / 2))
            noiseOffset[band] = Self.noiseOffset(atBark: bark[band])
            quietEnergy[band] = Float(
                fullScaleEnergy * PortableMath.power(10, (Self.quietLevel(low, high) - HearingTables.fullScaleLevel) / 10))
        }
        for band in 1..<max(count, 1) {
            let distance = Double(bark[band] - bark[band - 1])
            spreadFromBelow[band] = Float(PortableMath.power(10, -distance * HearingTables.slopeUpward / 10))
            spreadFromAbove[band - 1] = Float(PortableMath.power(10, -distance * HearingTables.slopeDownward / 10))
        }
    }

    /// Frequency as place on the basilar membrane (Zwicker and Terhardt, 1980).
    private static func bark(ofHertz hertz: Double) -> Double {
        let treble = hertz / 7500
        return 13 * PortableMath.arctangent(0.00076 * hertz) + 3.5 * PortableMath.arctangent(treble * treble)
    }

    /// The bass is listened to most closely: the offsets by which the law of noise is lowered there.
    private static func noiseOffset(atBark bark: Float) -> Float {
        PortableMath.interpolate(bark, at: [0, 2, 4, 6, 9, 12], values: [-3, -2.5, -0.9, -0.3, -0.5, 0])
    }

    /// The lowest threshold in quiet between two frequencies, in decibels of sound pressure (Terhardt, 1979).
    private static func quietLevel(_ low: Double, _ high: Double) -> Double {
        var lowest = Double.greatestFiniteMagnitude
        for step in 0...8 {
            let kilohertz = max(0.02, (low + (high - low) * Double(step) / 8) / 1000)
            let ear = (kilohertz - 3.3) * (kilohertz - 3.3)
            let level =
                3.64 * PortableMath.power(kilohertz, -0.8) - 6.5 * PortableMath.exp(-0.6 * ear)
                + 0.001 * kilohertz * kilohertz * kilohertz * kilohertz
            lowest = min(lowest, level)
        }
        return min(lowest, 80)
    }
}
