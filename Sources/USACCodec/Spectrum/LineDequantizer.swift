// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Inverse quantization and noise filling (ISO/IEC 23003-3, 7.1 and 7.2).
package struct LineDequantizer: ~Copyable {
    private let tables = DequantizationTables()

    /// Noise of level 1 in four lines.
    ///
    /// The index is a mask of the next four signs (1 for minus) plus 16 times a mask of the zero lines.
    private let noises: FixedArray<SIMD4<Float>>
    /// The factor and increment for multiple steps of the noise generator, indexed by a 4-bit mask with that many ones.
    private let steps: FixedArray<SIMD2<UInt32>>

    private let bands: ScaleFactorBands
    /// The band of each four lines of a long window.
    private let longBands: FixedArray<UInt8>
    /// The band of each four lines of a short window.
    private let shortBands: FixedArray<UInt8>

    package init(_ bands: ScaleFactorBands) {
        self.bands = bands
        longBands = Self.bandsOfQuads(bands.longOffsets)
        shortBands = Self.bandsOfQuads(bands.shortOffsets)
        noises = FixedArray(count: 256) { index in
            var (noise, bit) = (SIMD4<Float>(repeating: 0), 0)
            for line in 0..<4 where index >> (4 + line) & 1 != 0 {
                noise[line] = index >> bit & 1 == 0 ? 1 : -1
                bit += 1
            }
            return noise
        }
        steps = FixedArray(count: 16) { index in
            var end = SIMD2<UInt32>(0, 1)
            for _ in 0..<index.nonzeroBitCount { end = SIMD2(NoiseGenerator.step(end.x), NoiseGenerator.step(end.y)) }
            return SIMD2(end.y &- end.x, end.x)
        }
    }

    /// Returns the band of each four lines.
    ///
    /// Band widths are multiples of four.
    private static func bandsOfQuads(_ offsets: ContiguousArray<UInt16>) -> FixedArray<UInt8> {
        FixedArray(count: Int(offsets[offsets.count - 1]) / 4) { quad in UInt8(offsets.count(where: { $0 <= 4 * quad }) - 1) }
    }

    /// The noise filling parameters of a channel.
    struct Noise {
        /// The noise magnitude relative to a band's step (`noiseVal`).
        var level: Float
        /// The scale factor offset of bands that contain only noise.
        var offset: Int

        /// Derives the parameters from the coded level and offset.
        init(level: Int, offset: Int) {
            self.level = level == 0 ? 0 : PortableMath.exp2(Float(level - 14) / 3)
            self.offset = offset - 16
        }
    }

    /// Fills the lines of a channel, in window order.
    ///
    /// - Parameters:
    ///   - hasNoise: Whether the element uses noise filling.
    ///   - seed: The noise generator's state. It advances for each zero line, whatever the level.
    package func dequantize(
        _ data: borrowing CoreChannelData, hasNoise: Bool, seed: inout UInt32, into spectrum: inout MutableSpan<Float>
    ) {
        if !hasNoise && dequantizeWithoutNoise(data, into: &spectrum) { return }
        let isShort = data.windows.isShort
        let length = bands.lineCount(isShort: isShort)
        let offsets = isShort ? bands.shortOffsets.span : bands.longOffsets.span
        let noise = Noise(level: data.noiseLevel, offset: data.noiseOffset)
        // 160 or 120, and an eighth of that in short windows.
        let noiseStart = length * 5 / 32
        let lines = data.lines.span
        let powers = tables.powers.span.extracting(0..<2 * DequantizationTables.powerOffset)
        let firstUnsent = Int(offsets[data.windows.maxSFB])
        var window = 0
        for group in 0..<data.windows.groupCount {
            let windows = Int(data.windows.groupLengths[group])
            for sfb in 0..<data.windows.maxSFB {
                let (lower, upper) = (Int(offsets[sfb]), Int(offsets[sfb &+ 1]))
                var exponent = Int(data.scaleFactors[group &* WindowDivision.bandStride &+ sfb]) &- 100
                let gain = gain(exponent)
                let isFilled = hasNoise && lower >= noiseStart
                var bits: UInt64 = 0
                var magnitudeBits: UInt64 = 0
                for index in window..<window &+ windows {
                    // Band widths are multiples of four.
                    for line in stride(from: index &* length &+ lower, to: index &* length &+ upper, by: 4) {
                        let quad = lines.quad(at: line)
                        bits |= quad
                        magnitudeBits |= Self.magnitudeBits(quad)
                    }
                }
                let isEmpty = bits == 0
                if isEmpty && isFilled { exponent &+= noise.offset }
                let level = isFilled ? noise.level * self.gain(exponent) : nil
                let isLarge = Self.hasLarge(magnitudeBits)
                for index in window..<window &+ windows {
                    let range = index &* length &+ lower..<index &* length &+ upper
                    var target = spectrum._mutatingExtracting(range)
                    if isEmpty {
                        Self.fillEmpty(&target, noise: level, seed: &seed)
                    } else if isLarge {
                        Self.dequantizeLarge(lines.extracting(range), powers, gain: gain, noise: level, seed: &seed, into: &target)
                    } else {
                        dequantize(lines.extracting(range), powers, gain: gain, noise: level, seed: &seed, into: &target)
                    }
                }
            }
            for index in window..<window &+ windows {
                for line in index &* length &+ firstUnsent..<(index &+ 1) &* length { spectrum[line] = 0 }
            }
            window &+= windows
        }
    }

    /// Fills the lines of a channel without noise, four at a time regardless of bands.
    ///
    /// - Returns: Whether all lines are within the table. If not, nothing is changed.
    private func dequantizeWithoutNoise(_ data: borrowing CoreChannelData, into spectrum: inout MutableSpan<Float>) -> Bool {
        let lines = data.lines.span
        var magnitudeBits: UInt64 = 0
        for line in stride(from: 0, to: lines.count, by: 4) { magnitudeBits |= Self.magnitudeBits(lines.quad(at: line)) }
        guard !Self.hasLarge(magnitudeBits) else { return false }
        let isShort = data.windows.isShort
        let length = bands.lineCount(isShort: isShort)
        let codedQuads = Int((isShort ? bands.shortOffsets : bands.longOffsets)[data.windows.maxSFB]) / 4
        let quadBands = (isShort ? shortBands.span : longBands.span).extracting(0..<codedQuads)
        let powers = tables.powers.span.extracting(0..<2 * DequantizationTables.powerOffset)
        // The gains of scale factors from 0.
        let gains = tables.gains.span.extracting(DequantizationTables.gainOffset - 100..<DequantizationTables.gainOffset + 156)
        var first = 0
        for group in 0..<data.windows.groupCount {
            let scaleFactors = data.scaleFactors.span.extracting(group &* WindowDivision.bandStride..<data.scaleFactors.count)
            for _ in 0..<data.windows.groupLengths[group] {
                let source = lines.extracting(first..<first &+ length)
                var target = spectrum._mutatingExtracting(first..<first &+ length)
                for quad in 0..<codedQuads {
                    let gain = gains[Int(scaleFactors[Int(quadBands[quad])])]
                    target.store(Self.smallPowers(source.quad(at: 4 &* quad), powers) * gain, at: 4 &* quad)
                }
                for line in 4 &* codedQuads..<length { target[line] = 0 }
                first &+= length
            }
        }
        return true
    }

    /// Returns the bits of the magnitudes of four values, decremented by 1 for negative values.
    private static func magnitudeBits(_ quad: UInt64) -> UInt64 { quad ^ (quad >> 15 & 0x0001_0001_0001_0001) &* 0xFFFF }

    /// Returns whether the bits contain a magnitude beyond the table.
    private static func hasLarge(_ magnitudeBits: UInt64) -> Bool { magnitudeBits & 0xFC00_FC00_FC00_FC00 != 0 }

    /// Returns 2^(exponent / 4).
    private func gain(_ exponent: Int) -> Float { tables.gains[exponent &+ DequantizationTables.gainOffset] }

    /// Returns sign(q) |q|^(4/3) of four values within the table.
    ///
    /// - Parameter quad: The values, 16 bits each.
    @inline(__always)
    private static func smallPowers(_ quad: UInt64, _ powers: Span<Float>) -> SIMD4<Float> {
        // The index is the value plus half the table length, a power of two.
        let indices = (quad ^ 0x0400_0400_0400_0400) & 0x07FF_07FF_07FF_07FF
        return SIMD4(
            powers[Int(truncatingIfNeeded: indices & 0xFFFF)], powers[Int(truncatingIfNeeded: indices >> 16 & 0xFFFF)],
            powers[Int(truncatingIfNeeded: indices >> 32 & 0xFFFF)], powers[Int(truncatingIfNeeded: indices >> 48)])
    }

    /// Fills a band with only zero lines.
    ///
    /// - Parameter noise: The noise level, if any.
    @inline(__always)
    private static func fillEmpty(_ target: inout MutableSpan<Float>, noise: Float?, seed: inout UInt32) {
        guard let noise else {
            for line in 0..<target.count { target[line] = 0 }
            return
        }
        NoiseGenerator.fill(&target, level: noise, seed: &seed)
    }

    /// Fills a band whose values are all within the table.
    ///
    /// - Parameter noise: The noise level in zero lines, if any.
    @inline(__always)
    private func dequantize(
        _ source: Span<Int16>, _ powers: Span<Float>, gain: Float, noise: Float?, seed: inout UInt32, into target: inout MutableSpan<Float>
    ) {
        precondition(source.count == target.count)
        if let noise {
            let (noises, steps) = (noises.span(first: 256), steps.span(first: 16))
            for line in stride(from: 0, to: source.count, by: 4) {
                let quad = source.quad(at: line)
                // Without a branch, because zero lines are unpredictable. One of the summands is 0.
                let zeros = Int(truncatingIfNeeded: quad.nonzeroQuarters) ^ 15
                let signed = noises[(zeros << 4 | NoiseGenerator.signs(after: seed)) & 0xFF]
                target.store(Self.smallPowers(quad, powers) * gain + signed * noise, at: line)
                seed = seed &* steps[zeros & 15].x &+ steps[zeros & 15].y
            }
            return
        }
        for line in stride(from: 0, to: source.count, by: 4) {
            target.store(Self.smallPowers(source.quad(at: line), powers) * gain, at: line)
        }
    }

    /// Fills a band with a value beyond the table.
    ///
    /// - Parameter noise: The noise level in zero lines, if any.
    @inline(never)
    private static func dequantizeLarge(
        _ source: Span<Int16>, _ powers: Span<Float>, gain: Float, noise: Float?, seed: inout UInt32, into target: inout MutableSpan<Float>
    ) {
        for line in 0..<source.count {
            let value = source[line]
            if value == 0, let noise {
                seed = NoiseGenerator.step(seed)
                target[line] = NoiseGenerator.signed(noise, seed)
            } else {
                target[line] = DequantizationTables.power(value, powers) * gain
            }
        }
    }
}
