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
                for index in window..<window &+ windows {
                    let source = lines.extracting(index &* length &+ lower..<index &* length &+ upper)
                    for line in 0..<source.count { bits |= source[line] }
                }
                let isEmpty = bits == 0
                if isEmpty && isFilled { exponent &+= noise.offset }
                let level = noise.level * (isFilled ? self.gain(exponent) : 0)
                for index in window..<window &+ windows {
                    let range = index &* length &+ lower..<index &* length &+ upper
                    let source = lines.extracting(range)
                    var target = spectrum._mutatingExtracting(range)
                    if isEmpty {
                        if isFilled {
                            NoiseGenerator.fill(&target, level: level, seed: &seed)
                        } else {
                            for line in 0..<target.count { target[line] = 0 }
                        }
                    } else if isFilled {
                        for line in 0..<source.count {
                            // Without a branch, since which lines are 0 can't be predicted.
                            let value = power(source[line], powers) * gain
                            let next = NoiseGenerator.step(seed)
                            let isNoise = source[line] == 0
                            target[line] = isNoise ? NoiseGenerator.signed(level, next) : value
                            seed = isNoise ? next : seed
                        }
                    } else {
                        for line in 0..<source.count { target[line] = power(source[line], powers) * gain }
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

    /// Returns sign(q) |q|^(4/3).
    ///
    /// - Parameter powers: The table.
    @inline(__always)
    private func power(_ value: Int16, _ powers: Span<Float>) -> Float {
        let index = Int(value) &+ DequantizationTables.powerOffset
        if UInt(bitPattern: index) < UInt(2 * DequantizationTables.powerOffset) { return powers[index] }
        let power = DequantizationTables.power(Int(value.magnitude))
        return value < 0 ? -power : power
    }
}
