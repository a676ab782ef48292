// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Writes quantised lines with a spectral codebook (`spectral_data`, ISO/IEC 14496-3:2009, 4.6.3).
enum SpectralEncoder {
    /// Writes the lines in `range`, a multiple of four lines, with `codebook` (1 to 11).
    ///
    /// No magnitude may be larger than the largest one of the codebook; this is checked in debug builds only.
    @inline(__always)
    static func write(
        _ quantized: Span<Int16>, in range: Range<Int>, codebook: Int, tables: SpectralEncodingTables, to sink: inout some BitSink
    ) {
        let codewords = tables.codewords.span
        let start = Int(tables.starts[codebook])
        switch codebook {
        case 1, 2: writeSignedQuads(quantized, in: range, codewords: codewords, start: start, to: &sink)
        case 3, 4: writeUnsignedQuads(quantized, in: range, codewords: codewords, start: start, to: &sink)
        case 5, 6: writeSignedPairs(quantized, in: range, codewords: codewords, start: start, to: &sink)
        case 7, 8: writeUnsignedPairs(quantized, in: range, codewords: codewords, start: start, modulus: 8, to: &sink)
        case 9, 10: writeUnsignedPairs(quantized, in: range, codewords: codewords, start: start, modulus: 13, to: &sink)
        default: writeEscapedPairs(quantized, in: range, codewords: codewords, start: start, to: &sink)
        }
    }

    private static func writeSignedQuads(
        _ quantized: Span<Int16>, in range: Range<Int>, codewords: Span<UInt32>, start: Int, to sink: inout some BitSink
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let high = (Int(quantized[line]) &+ 1) &* 27 &+ (Int(quantized[line + 1]) &+ 1) &* 9
            let low = (Int(quantized[line + 2]) &+ 1) &* 3 &+ Int(quantized[line + 3]) &+ 1
            let codeword = codewords[start &+ high &+ low]
            sink.write(codeword >> 8, count: Int(codeword & 0xFF))
        }
    }

    private static func writeUnsignedQuads(
        _ quantized: Span<Int16>, in range: Range<Int>, codewords: Span<UInt32>, start: Int, to sink: inout some BitSink
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            var entry = start
            var signs: UInt32 = 0
            var signCount = 0
            var weight = 27
            for place in 0..<4 {
                let value = Int(quantized[line + place])
                entry &+= Int(value.magnitude) &* weight
                weight /= 3
                appendSign(of: value, to: &signs, count: &signCount)
            }
            let codeword = codewords[entry]
            sink.write((codeword >> 8) &<< UInt32(signCount) | signs, count: Int(codeword & 0xFF) &+ signCount)
        }
    }

    private static func writeSignedPairs(
        _ quantized: Span<Int16>, in range: Range<Int>, codewords: Span<UInt32>, start: Int, to sink: inout some BitSink
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let entry = (Int(quantized[line]) &+ 4) &* 9 &+ Int(quantized[line + 1]) &+ 4
            let codeword = codewords[start &+ entry]
            sink.write(codeword >> 8, count: Int(codeword & 0xFF))
        }
    }

    @inline(__always)
    private static func writeUnsignedPairs(
        _ quantized: Span<Int16>, in range: Range<Int>, codewords: Span<UInt32>, start: Int, modulus: Int, to sink: inout some BitSink
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let (first, second) = (Int(quantized[line]), Int(quantized[line + 1]))
            writePair(
                first, second, entry: start &+ Int(first.magnitude) &* modulus &+ Int(second.magnitude), codewords: codewords, to: &sink)
        }
    }

    private static func writeEscapedPairs(
        _ quantized: Span<Int16>, in range: Range<Int>, codewords: Span<UInt32>, start: Int, to sink: inout some BitSink
    ) {
        let escape = SpectralCodebook.escapeMagnitude
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let (first, second) = (Int(quantized[line]), Int(quantized[line + 1]))
            let (firstSize, secondSize) = (Int(first.magnitude), Int(second.magnitude))
            let entry = start &+ min(firstSize, escape) &* 17 &+ min(secondSize, escape)
            writePair(first, second, entry: entry, codewords: codewords, to: &sink)
            if firstSize >= escape { writeEscape(firstSize, to: &sink) }
            if secondSize >= escape { writeEscape(secondSize, to: &sink) }
        }
    }

    /// Writes the codeword of an entry and the signs of its two values.
    @inline(__always)
    private static func writePair(_ first: Int, _ second: Int, entry: Int, codewords: Span<UInt32>, to sink: inout some BitSink) {
        var signs: UInt32 = 0
        var signCount = 0
        appendSign(of: first, to: &signs, count: &signCount)
        appendSign(of: second, to: &signs, count: &signCount)
        let codeword = codewords[entry]
        sink.write((codeword >> 8) &<< UInt32(signCount) | signs, count: Int(codeword & 0xFF) &+ signCount)
    }

    @inline(__always)
    private static func appendSign(of value: Int, to signs: inout UInt32, count: inout Int) {
        let isCoded = value == 0 ? 0 : 1
        signs = signs &<< UInt32(isCoded) | (value < 0 ? 1 : 0)
        count &+= isCoded
    }

    /// Writes a magnitude of 16 to 8191 as an escape sequence: n ones, a zero, and the n + 4 bits below the highest one.
    @inline(__always)
    private static func writeEscape(_ magnitude: Int, to sink: inout some BitSink) {
        let suffixCount = Int.bitWidth &- 1 &- magnitude.leadingZeroBitCount
        let prefixCount = suffixCount &- 4
        let prefix = (UInt32(1) << UInt32(prefixCount) &- 1) << 1
        let suffix = UInt32(magnitude) & (UInt32(1) << UInt32(suffixCount) &- 1)
        sink.write(prefix << UInt32(suffixCount) | suffix, count: prefixCount &+ 1 &+ suffixCount)
    }
}
