// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The auditory properties of each scale factor band: critical band rate, spreading, sensitivity and threshold in quiet.
package struct PsychoacousticTables: ~Copyable {
    package private(set) var long: Bands

    package let short: Bands

    /// The maximum band count of a window, 51, rounded up to a multiple of four.
    package static let bandCapacity = 52

    /// The tables for one window length, with one entry per band.
    package struct Bands: ~Copyable {
        /// The centre of each band, in Bark.
        package fileprivate(set) var bark = FixedArray<Float>(repeating: 0, count: bandCapacity)

        /// The factor from the excitation of the next lower band to the excitation that spreads from it.
        fileprivate(set) var spreadFromBelow = FixedArray<Float>(repeating: 0, count: bandCapacity)

        /// The factor from the excitation of the next higher band to the excitation that spreads from it.
        fileprivate(set) var spreadFromAbove = FixedArray<Float>(repeating: 0, count: bandCapacity)

        /// The octaves of energy added to each band's noise target.
        package fileprivate(set) var noiseOffset = FixedArray<Float>(repeating: 0, count: bandCapacity)

        /// The auditory filter bandwidth at the band centre relative to 2 kHz, in octaves (Glasberg and Moore, 1990).
        fileprivate(set) var filterWidth = FixedArray<Float>(repeating: 0, count: bandCapacity)

        /// The threshold in quiet of each band, as energy of the coefficients of one window.
        package fileprivate(set) var quietEnergy = FixedArray<Float>(repeating: 0, count: bandCapacity)
    }

    /// Computes the tables for a sample rate.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - formantReduction: Noise reduction of long windows at 10 Bark, in octaves. It falls to zero at 7 and 13 Bark (0.8 and 2 kHz).
    package init(sampleRate: Int, bands: borrowing ScaleFactorBands, formantReduction: Float = 0) {
        var offsets: [Int] = []
        for band in 0...bands.longCount { offsets.append(Int(bands.longOffsets[band])) }
        long = Bands(offsets, lineCount: bands.frameLength, sampleRate: sampleRate)
        for band in 0..<bands.longCount {
            long.noiseOffset[band] -= formantReduction * max(0, 1 - (long.bark[band] - 10).magnitude / 3)
        }
        offsets.removeAll()
        for band in 0...bands.shortCount { offsets.append(Int(bands.shortOffsets[band])) }
        short = Bands(offsets, lineCount: bands.shortLength, sampleRate: sampleRate)
    }

    /// Returns the energy of a full-scale sine in the coefficients of a window of `windowLength` samples.
    static func fullScaleEnergy(windowLength: Int) -> Double {
        32768.0 * 32768 / 4 * Double(windowLength) * Double(windowLength)
    }

    /// The assumed sound pressure level of a full-scale sine, in decibels.
    private static let fullScaleLevel = 92.0

    /// Returns the critical band rate of a frequency, in Bark (Zwicker and Terhardt, 1980).
    package static func bark(ofHertz hertz: Double) -> Double {
        let treble = hertz / 7500
        return 13 * PortableMath.arctangent(0.00076 * hertz) + 3.5 * PortableMath.arctangent(treble * treble)
    }

    /// Returns the threshold in quiet between two frequencies in hertz, as energy of the coefficients of a window.
    ///
    /// - Parameter fullScaleEnergy: The energy of a full-scale sine (``fullScaleEnergy(windowLength:)``).
    static func quietEnergy(_ low: Double, _ high: Double, fullScaleEnergy: Double) -> Double {
        fullScaleEnergy * PortableMath.power(10, (quietLevel(low, high) - fullScaleLevel) / 10)
    }

    /// Returns the minimum threshold in quiet between two frequencies in hertz, in decibels of sound pressure level (Terhardt, 1979).
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

    /// The decay of the excitation towards higher frequencies, in decibels per Bark.
    fileprivate static let slopeUpward = 15.0

    /// The decay of the excitation towards lower frequencies, in decibels per Bark.
    fileprivate static let slopeDownward = 27.0
}

extension PsychoacousticTables.Bands {
    /// Computes the tables for one window length.
    ///
    /// - Parameters:
    ///   - offsets: The first line of each band, and the end of the last band.
    ///   - lineCount: The line count of a window.
    fileprivate init(_ offsets: [Int], lineCount: Int, sampleRate: Int) {
        let hertzPerLine = Double(sampleRate) / Double(2 * lineCount)
        let fullScaleEnergy = PsychoacousticTables.fullScaleEnergy(windowLength: 2 * lineCount)
        let count = offsets.count - 1
        for band in 0..<count {
            let low = Double(offsets[band]) * hertzPerLine
            let high = Double(offsets[band + 1]) * hertzPerLine
            bark[band] = Float(PsychoacousticTables.bark(ofHertz: (low + high) / 2))
            noiseOffset[band] = Self.noiseOffset(atBark: bark[band])
            filterWidth[band] = PortableMath.log2(Float(Self.filterWidth(ofHertz: (low + high) / 2) / Self.filterWidth(ofHertz: 2000)))
            quietEnergy[band] = Float(PsychoacousticTables.quietEnergy(low, high, fullScaleEnergy: fullScaleEnergy))
        }
        for band in 1..<max(count, 1) {
            let distance = Double(bark[band] - bark[band - 1])
            spreadFromBelow[band] = Float(PortableMath.power(10, -distance * PsychoacousticTables.slopeUpward / 10))
            spreadFromAbove[band - 1] = Float(PortableMath.power(10, -distance * PsychoacousticTables.slopeDownward / 10))
        }
    }

    /// Returns the equivalent rectangular bandwidth of the auditory filter at a frequency, in hertz (Glasberg and Moore, 1990).
    private static func filterWidth(ofHertz hertz: Double) -> Double { 24.7 * (0.00437 * hertz + 1) }

    /// Returns the octaves of energy added to noise targets at a critical band rate.
    ///
    /// They are negative at low frequencies, where noise is most audible.
    private static func noiseOffset(atBark bark: Float) -> Float {
        PortableMath.interpolate(bark, at: [0, 2, 4, 6, 9, 12], values: [-3, -2.5, -0.9, -0.3, -0.5, 0])
    }
}
