// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Inverse quantization: lines in window order, from quantized values and scale factors (ISO/IEC 14496-3:2009, 4.6.1.3, 4.6.2.3.3 and
/// 4.6.11.3.1).
enum SpectrumDequantizer {
    /// Fills the gain of each band, 2^((sf - 100) / 4), or 0 for bands without quantized lines.
    ///
    /// - Parameter table: ``DequantizationTables/gains``.
    /// - Returns: The maximum gain.
    static func fillGains(
        _ gains: inout MutableSpan<Float>, codebooks: Span<UInt8>, scaleFactors: Span<Int16>, info: ICSInfo,
        table: Span<Float>
    ) -> Float {
        var largest: Float = 0
        for group in 0..<info.groupCount {
            let first = group &* ICSInfo.bandStride
            for band in first..<first &+ info.maxSFB {
                let codebook = codebooks[band]
                guard codebook >= 1 && codebook <= BandCodebook.escape else {
                    gains[band] = 0
                    continue
                }
                let exponent = Int(scaleFactors[band]) &- DequantizationTables.scaleFactorOffset
                gains[band] = table[exponent &+ DequantizationTables.gainOffset]
                largest = max(largest, gains[band])
            }
        }
        return largest
    }

    /// Fills the lines of one channel in window order: sign(q) |q|^(4/3) times the gain of the band.
    static func synthesize(
        _ quantized: Span<Int16>, gains: Span<Float>, info: ICSInfo, bands: ScaleFactorBands, powers: Span<Float>,
        into spectrum: inout MutableSpan<Float>
    ) {
        // A span of constant length needs no bounds check for an index with that many bits.
        let powers = powers.extracting(0..<2 * DequantizationTables.powerOffset)
        guard info.isShort else {
            let offsets = bands.longOffsets.span
            for band in 0..<info.maxSFB {
                let (lower, upper) = (Int(offsets[band]), Int(offsets[band &+ 1]))
                fill(&spectrum, at: lower, quantized, lower..<upper, gain: gains[band], powers: powers)
            }
            clear(&spectrum, from: Int(offsets[info.maxSFB]))
            return
        }
        let offsets = bands.shortOffsets.span
        clear(&spectrum, from: 0)
        var window = 0
        for group in 0..<info.groupCount {
            let windows = Int(info.groupLengths[group])
            var source = window &* bands.shortLength
            for sfb in 0..<info.maxSFB {
                let (lower, upper) = (Int(offsets[sfb]), Int(offsets[sfb &+ 1]))
                let gain = gains[group &* ICSInfo.bandStride &+ sfb]
                for index in 0..<windows {
                    let target = (window &+ index) &* bands.shortLength &+ lower
                    fill(&spectrum, at: target, quantized, source..<source &+ upper &- lower, gain: gain, powers: powers)
                    source &+= upper &- lower
                }
            }
            window &+= windows
        }
    }

    /// Fills lines starting at `target` with sign(q) |q|^(4/3) times the gain.
    @inline(__always)
    private static func fill(
        _ spectrum: inout MutableSpan<Float>, at target: Int, _ quantized: Span<Int16>, _ range: Range<Int>, gain: Float,
        powers: Span<Float>
    ) {
        // Bounds of all accesses below.
        precondition(range.count & 3 == 0 && range.lowerBound >= 0 && range.upperBound <= quantized.count)
        precondition(target >= 0 && target <= spectrum.count &- range.count)
        var index = 0
        if gain == 0 {
            while index < range.count {
                unsafe spectrum.store(SIMD4(repeating: 0), unchecked: target &+ index)
                index &+= 4
            }
            return
        }
        while index < range.count {
            let values = unsafe quantized.quartet(unchecked: range.lowerBound &+ index)
            unsafe spectrum.store(Self.powers(of: values, powers) * gain, unchecked: target &+ index)
            index &+= 4
        }
    }

    /// Returns sign(q) |q|^(4/3) for four values.
    @inline(__always)
    private static func powers(of values: SIMD4<Int16>, _ table: Span<Float>) -> SIMD4<Float> {
        let offset = Int16(DequantizationTables.powerOffset)
        let bits = unsafe unsafeBitCast(values &+ SIMD4(repeating: offset), to: UInt64.self)
        // One test for four values: an index in the table has eleven bits.
        guard bits & 0xF800_F800_F800_F800 == 0 else {
            return SIMD4(power(values.x), power(values.y), power(values.z), power(values.w))
        }
        return SIMD4(
            table[Int(truncatingIfNeeded: bits & 0x7FF)], table[Int(truncatingIfNeeded: bits >> 16 & 0x7FF)],
            table[Int(truncatingIfNeeded: bits >> 32 & 0x7FF)], table[Int(truncatingIfNeeded: bits >> 48)])
    }

    /// Returns sign(q) |q|^(4/3) of one value.
    ///
    /// Rarely called, because the table covers most values.
    @inline(never)
    private static func power(_ quantized: Int16) -> Float {
        guard quantized != 0 else { return 0 }
        let power = DequantizationTables.power(Int(quantized.magnitude))
        return quantized < 0 ? -power : power
    }

    private static func clear(_ spectrum: inout MutableSpan<Float>, from first: Int) {
        var line = first
        while line < spectrum.count {
            spectrum.store(SIMD4(repeating: 0), at: line)
            line &+= 4
        }
    }
}
