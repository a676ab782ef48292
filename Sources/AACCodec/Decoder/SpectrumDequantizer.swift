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
        // A span of constant length needs no bounds check for an index with that many bits.
        let table = table.extracting(0..<2 * DequantizationTables.gainOffset)
        for group in 0..<info.groupCount {
            let range = group &* ICSInfo.bandStride..<group &* ICSInfo.bandStride &+ info.maxSFB
            let (codebooks, scaleFactors) = (codebooks.extracting(range), scaleFactors.extracting(range))
            var gains = gains._mutatingExtracting(range)
            for band in 0..<info.maxSFB {
                let isCoded = codebooks[band] &- 1 < BandCodebook.escape
                let exponent = Int(scaleFactors[band]) &- DequantizationTables.scaleFactorOffset
                let gain = isCoded ? table[(exponent &+ DequantizationTables.gainOffset) & (table.count &- 1)] : 0
                gains[band] = gain
                largest = largest.maximum(gain)
            }
        }
        return largest
    }

    /// Fills the lines of one channel in window order: sign(q) |q|^(4/3) times the gain of the band.
    static func synthesize(
        _ stream: borrowing IndividualChannelStream, gains: Span<Float>, bands: ScaleFactorBands, powers: Span<Float>,
        into spectrum: inout MutableSpan<Float>
    ) {
        if stream.hasPowers {
            let lines = stream.powers.span
            guard stream.info.isShort else { return scaleLong(lines, gains: gains, info: stream.info, bands: bands, into: &spectrum) }
            forEachBand(gains, info: stream.info, bands: bands, in: &spectrum) { (spectrum, target, source, gain) in
                scale(lines, source, gain: gain, into: &spectrum, at: target)
            }
        } else {
            let lines = stream.quantized.span
            forEachBand(gains, info: stream.info, bands: bands, in: &spectrum) { (spectrum, target, source, gain) in
                dequantize(lines, source, gain: gain, powers: powers, into: &spectrum, at: target)
            }
        }
    }

    /// Calls `body` for the lines of each band and window, and clears all lines above.
    @inline(__always)
    private static func forEachBand(
        _ gains: Span<Float>, info: ICSInfo, bands: ScaleFactorBands, in spectrum: inout MutableSpan<Float>,
        _ body: (_ spectrum: inout MutableSpan<Float>, _ target: Int, _ source: Range<Int>, _ gain: Float) -> Void
    ) {
        guard info.isShort else {
            let offsets = bands.longOffsets.span
            for band in 0..<info.maxSFB {
                let (lower, upper) = (Int(offsets[band]), Int(offsets[band &+ 1]))
                body(&spectrum, lower, lower..<upper, gains[band])
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
                    body(&spectrum, target, source..<source &+ upper &- lower, gain)
                    source &+= upper &- lower
                }
            }
            window &+= windows
        }
    }

    /// Multiplies the powers of a long window by the gains of their bands, and clears all lines above.
    private static func scaleLong(
        _ powers: Span<Float>, gains: Span<Float>, info: ICSInfo, bands: ScaleFactorBands, into spectrum: inout MutableSpan<Float>
    ) {
        let (gains, ends) = (gains.extracting(0..<info.maxSFB), bands.longOffsets.span.extracting(1..<info.maxSFB &+ 1))
        let count = min(powers.count, spectrum.count)
        var target = spectrum._mutatingExtracting(0..<count)
        var line = 0
        for band in 0..<info.maxSFB {
            let end = Int(ends[band])
            // Bounds of all accesses below: `line` is a multiple of four as well.
            precondition(end & 3 == 0 && end <= count)
            let gain = SIMD4(repeating: gains[band])
            while line &+ 4 < end {
                unsafe target.store(powers.vector(unchecked: line) * gain, unchecked: line)
                unsafe target.store(powers.vector(unchecked: line &+ 4) * gain, unchecked: line &+ 4)
                line &+= 8
            }
            if line < end {
                unsafe target.store(powers.vector(unchecked: line) * gain, unchecked: line)
                line &+= 4
            }
        }
        clear(&spectrum, from: line)
    }

    @inline(__always)
    private static func scale(
        _ powers: Span<Float>, _ range: Range<Int>, gain: Float, into spectrum: inout MutableSpan<Float>, at target: Int
    ) {
        // Bounds of all accesses below.
        precondition(powers.hasQuads(range) && target >= 0 && target <= spectrum.count &- range.count)
        var index = 0
        while index < range.count {
            unsafe spectrum.store(powers.vector(unchecked: range.lowerBound &+ index) * gain, unchecked: target &+ index)
            index &+= 4
        }
    }

    @inline(__always)
    private static func dequantize(
        _ quantized: Span<Int16>, _ range: Range<Int>, gain: Float, powers: Span<Float>, into spectrum: inout MutableSpan<Float>,
        at target: Int
    ) {
        for index in stride(from: 0, to: range.count, by: 4) {
            let first = range.lowerBound &+ index
            guard quantized.quad(at: first) != 0 else {
                spectrum.store(SIMD4(repeating: 0), at: target &+ index)
                continue
            }
            let values = SIMD4(
                DequantizationTables.power(quantized[first], powers), DequantizationTables.power(quantized[first &+ 1], powers),
                DequantizationTables.power(quantized[first &+ 2], powers), DequantizationTables.power(quantized[first &+ 3], powers))
            spectrum.store(values * SIMD4(repeating: gain), at: target &+ index)
        }
    }

    private static func clear(_ spectrum: inout MutableSpan<Float>, from first: Int) {
        var line = first
        while line < spectrum.count {
            spectrum.store(SIMD4(repeating: 0), at: line)
            line &+= 4
        }
    }
}
