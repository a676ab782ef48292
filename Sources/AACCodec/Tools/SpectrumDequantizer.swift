// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes lines of quantised values: inverse quantisation, scale factors, and the order of windows
/// (ISO/IEC 14496-3:2009, 4.6.1.3, 4.6.2.3.3 and 4.6.11.3.1).
enum SpectrumDequantizer {
    /// Fills the gain of each band, 0 for bands without lines of their own, and returns the largest.
    static func fillGains(
        _ gains: inout MutableSpan<Float>, codebooks: Span<UInt8>, scaleFactors: Span<Int16>, info: ICSInfo,
        tables: borrowing DequantizationTables
    ) -> Float {
        var largest: Float = 0
        let table = tables.gains.span
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

    /// Fills the lines of one channel, window after window, each band by its gain.
    static func synthesize(
        _ quantized: Span<Int16>, gains: Span<Float>, info: ICSInfo, bands: ScaleFactorBands, powers: Span<Float>,
        into spectrum: inout MutableSpan<Float>
    ) {
        guard info.isShort else {
            for band in 0..<info.maxSFB {
                let (lower, upper) = (Int(bands.longOffsets[band]), Int(bands.longOffsets[band &+ 1]))
                fill(&spectrum, at: lower, quantized, lower..<upper, gain: gains[band], powers: powers)
            }
            clear(&spectrum, from: Int(bands.longOffsets[info.maxSFB]))
            return
        }
        clear(&spectrum, from: 0)
        var window = 0
        for group in 0..<info.groupCount {
            let windows = Int(info.groupLengths[group])
            var source = window &* bands.shortLength
            for sfb in 0..<info.maxSFB {
                let (lower, upper) = (Int(bands.shortOffsets[sfb]), Int(bands.shortOffsets[sfb &+ 1]))
                let gain = gains[group &* ICSInfo.bandStride &+ sfb]
                for place in 0..<windows {
                    let target = (window &+ place) &* bands.shortLength &+ lower
                    fill(&spectrum, at: target, quantized, source..<source &+ upper &- lower, gain: gain, powers: powers)
                    source &+= upper &- lower
                }
            }
            window &+= windows
        }
    }

    /// Fills lines from `target` on with sign(q) |q|^(4/3) times the gain.
    @inline(__always)
    private static func fill(
        _ spectrum: inout MutableSpan<Float>, at target: Int, _ quantized: Span<Int16>, _ range: Range<Int>, gain: Float,
        powers: Span<Float>
    ) {
        precondition(powers.count >= 2 * DequantizationTables.powerOffset)
        var target = target
        var line = range.lowerBound
        if gain == 0 {
            while line < range.upperBound {
                spectrum.store(SIMD4(repeating: 0), at: target)
                target &+= 4
                line &+= 4
            }
            return
        }
        while line < range.upperBound {
            let values = quantized.quartet(at: line)
            let powers = SIMD4(
                power(values.x, powers), power(values.y, powers), power(values.z, powers), power(values.w, powers))
            spectrum.store(powers * gain, at: target)
            target &+= 4
            line &+= 4
        }
    }

    @inline(__always)
    private static func power(_ quantized: Int16, _ powers: Span<Float>) -> Float {
        let index = UInt(bitPattern: Int(quantized) &+ DequantizationTables.powerOffset)
        if index < UInt(2 * DequantizationTables.powerOffset) { return powers[Int(bitPattern: index)] }
        let power = DequantizationTables.power(Int(quantized.magnitude))
        return quantized < 0 ? -power : power
    }

    private static func clear(_ spectrum: inout MutableSpan<Float>, from first: Int) {
        for line in stride(from: first, to: spectrum.count, by: 4) {
            spectrum.store(SIMD4(repeating: 0), at: line)
        }
    }
}
