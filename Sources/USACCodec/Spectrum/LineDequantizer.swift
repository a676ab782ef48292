// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// Inverse quantisation and noise filling (ISO/IEC 23003-3, 7.1 and 7.2).
struct LineDequantizer: ~Copyable {
    /// The tables of powers.
    private let tables = DequantizationTables()

    /// Computes the tables.
    init() {}

    /// The noise of a channel.
    struct Noise {
        /// The magnitude of the noise against the step of a band (`noiseVal`).
        var level: Float
        /// The scale factor of bands that are noise alone, against the coded one.
        var offset: Int

        /// Derives the noise of the coded level and offset.
        init(level: Int, offset: Int) {
            self.level = level == 0 ? 0 : PortableMath.exp2(Float(level - 14) / 3)
            self.offset = offset - 16
        }
    }

    /// Fills the lines of a channel, window after window.
    ///
    /// - Parameters:
    ///   - hasNoise: Whether the element has noise filling.
    ///   - seed: The generator of noise; it is stepped for each line of 0, whatever the level.
    func dequantize(
        _ data: borrowing CoreChannelData, bands: ScaleFactorBands, hasNoise: Bool, seed: inout UInt32,
        into spectrum: inout MutableSpan<Float>
    ) {
        let isShort = data.windows.isShort
        let length = bands.lineCount(isShort: isShort)
        let offsets = isShort ? bands.shortOffsets.span : bands.longOffsets.span
        let noise = Noise(level: data.noiseLevel, offset: data.noiseOffset)
        // 160 or 120, and an eighth of them in short windows.
        let noiseStart = length * 5 / 32
        let lines = data.lines.span
        let powers = tables.powers.span(first: 2 * DequantizationTables.powerOffset)
        let firstUnsent = Int(offsets[data.windows.maxSFB])
        var window = 0
        for group in 0..<data.windows.groupCount {
            let windows = Int(data.windows.groupLengths[group])
            for sfb in 0..<data.windows.maxSFB {
                let (lower, upper) = (Int(offsets[sfb]), Int(offsets[sfb &+ 1]))
                var exponent = Int(data.scaleFactors[group &* WindowDivision.bandStride &+ sfb]) &- 100
                let gain = gain(exponent)
                let isFilled = hasNoise && lower >= noiseStart
                var bits: Int16 = 0
                // A magnitude, or 1 less.
                var magnitudeBits: Int16 = 0
                for index in window..<window &+ windows {
                    let source = lines.extracting(index &* length &+ lower..<index &* length &+ upper)
                    for line in 0..<source.count {
                        bits |= source[line]
                        magnitudeBits |= source[line] ^ (source[line] >> 15)
                    }
                }
                let isEmpty = bits == 0
                if isEmpty && isFilled { exponent &+= noise.offset }
                let level = isFilled ? noise.level * self.gain(exponent) : nil
                let isLarge = magnitudeBits >= Int16(DequantizationTables.powerOffset)
                for index in window..<window &+ windows {
                    let range = index &* length &+ lower..<index &* length &+ upper
                    var target = spectrum._mutatingExtracting(range)
                    if isEmpty {
                        Self.fillEmpty(&target, noise: level, seed: &seed)
                    } else if isLarge {
                        Self.dequantizeLarge(lines.extracting(range), powers, gain: gain, noise: level, seed: &seed, into: &target)
                    } else {
                        Self.dequantize(lines.extracting(range), powers, gain: gain, noise: level, seed: &seed, into: &target)
                    }
                }
            }
            for index in window..<window &+ windows {
                for line in index &* length &+ firstUnsent..<(index &+ 1) &* length { spectrum[line] = 0 }
            }
            window &+= windows
        }
    }

    /// Returns 2^(exponent / 4).
    @inline(__always)
    private func gain(_ exponent: Int) -> Float { tables.gains[exponent &+ DequantizationTables.gainOffset] }

    /// Returns sign(q) |q|^(4/3) of a value of the table.
    ///
    /// - Parameter powers: The table.
    @inline(__always)
    private static func smallPower(_ value: Int16, _ powers: Span<Float>) -> Float {
        powers[(Int(value) &+ DequantizationTables.powerOffset) & (2 * DequantizationTables.powerOffset - 1)]
    }

    /// Fills the lines of a band that are all 0.
    ///
    /// - Parameter noise: The level of noise, if there is any.
    @inline(__always)
    private static func fillEmpty(_ target: inout MutableSpan<Float>, noise: Float?, seed: inout UInt32) {
        guard let noise else {
            for line in 0..<target.count { target[line] = 0 }
            return
        }
        NoiseGenerator.fill(&target, level: noise, seed: &seed)
    }

    /// Fills the lines of a band, whose values are in the table.
    ///
    /// - Parameter noise: The level of noise in lines of 0, if there is any.
    @inline(__always)
    private static func dequantize(
        _ source: Span<Int16>, _ powers: Span<Float>, gain: Float, noise: Float?, seed: inout UInt32, into target: inout MutableSpan<Float>
    ) {
        precondition(source.count == target.count)
        if let noise {
            for line in 0..<source.count {
                // Without a branch, since which lines are 0 can't be predicted.
                let value = smallPower(source[line], powers) * gain
                let next = NoiseGenerator.step(seed)
                let isNoise = source[line] == 0
                target[line] = isNoise ? NoiseGenerator.signed(noise, next) : value
                seed = isNoise ? next : seed
            }
            return
        }
        // Bands are whole vectors.
        for line in stride(from: 0, to: source.count, by: 4) {
            let four = source.extracting(line..<line &+ 4)
            let values = SIMD4(
                smallPower(four[0], powers), smallPower(four[1], powers), smallPower(four[2], powers), smallPower(four[3], powers))
            target.store(values * gain, at: line)
        }
    }

    /// Fills the lines of a band, of which one is beyond the table.
    ///
    /// - Parameter noise: The level of noise in lines of 0, if there is any.
    @inline(never)
    private static func dequantizeLarge(
        _ source: Span<Int16>, _ powers: Span<Float>, gain: Float, noise: Float?, seed: inout UInt32, into target: inout MutableSpan<Float>
    ) {
        for line in 0..<source.count {
            let value = source[line]
            if value == 0, let noise {
                seed = NoiseGenerator.step(seed)
                target[line] = NoiseGenerator.signed(noise, seed)
            } else if abs(Int(value)) < DequantizationTables.powerOffset {
                target[line] = powers[Int(value) + DequantizationTables.powerOffset] * gain
            } else {
                let power = DequantizationTables.power(Int(value.magnitude))
                target[line] = (value < 0 ? -power : power) * gain
            }
        }
    }
}
