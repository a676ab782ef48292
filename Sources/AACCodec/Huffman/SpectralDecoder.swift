// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Reads quantised lines with a spectral codebook (`spectral_data`, ISO/IEC 14496-3:2009, 4.6.3).
enum SpectralDecoder {
    /// Reads the lines in `range`, a multiple of four lines, with `codebook` (1 to 11).
    ///
    /// Past the end of the bits zeros are read, at most one tuple for each tuple of the range.
    @inline(__always)
    static func read(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, codebook: Int, tables: Span<UInt32>, start: Int,
        from reader: inout BitReader
    ) throws(AACDecodingError) {
        switch codebook {
        case 1...4: readQuads(into: &quantized, in: range, tables: tables, start: start, from: &reader)
        case 5...10: readPairs(into: &quantized, in: range, tables: tables, start: start, from: &reader)
        default: try readEscapedPairs(into: &quantized, in: range, tables: tables, start: start, from: &reader)
        }
    }

    private static func readQuads(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, tables: Span<UInt32>, start: Int, from reader: inout BitReader
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            // A codeword of up to 16 bits and four signs fit into one window.
            var window = reader.peekWindow()
            let entry = PrefixCodeTable.entry(for: window, in: tables, at: start)
            var length = Int(entry & 0x3F)
            if entry & 0xC0 == 0 {
                let packed = Int32(bitPattern: entry)
                quantized[line] = Int16(truncatingIfNeeded: (packed << 20) >> 28)
                quantized[line &+ 1] = Int16(truncatingIfNeeded: (packed << 16) >> 28)
                quantized[line &+ 2] = Int16(truncatingIfNeeded: (packed << 12) >> 28)
                quantized[line &+ 3] = Int16(truncatingIfNeeded: (packed << 8) >> 28)
            } else {
                window <<= UInt64(truncatingIfNeeded: length)
                for place in 0..<4 {
                    let magnitude = Int16(truncatingIfNeeded: entry >> UInt32(truncatingIfNeeded: 8 &+ 4 &* place) & 0xF)
                    quantized[line &+ place] = signed(magnitude, window: &window, length: &length)
                }
            }
            reader.skip(length)
        }
    }

    private static func readPairs(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, tables: Span<UInt32>, start: Int, from reader: inout BitReader
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            var window = reader.peekWindow()
            let entry = PrefixCodeTable.entry(for: window, in: tables, at: start)
            var length = Int(entry & 0x3F)
            var first = Int16(Int8(truncatingIfNeeded: entry >> 8))
            var second = Int16(Int8(truncatingIfNeeded: entry >> 16))
            if entry & 0xC0 != 0 {
                window <<= UInt64(truncatingIfNeeded: length)
                first = signed(first, window: &window, length: &length)
                second = signed(second, window: &window, length: &length)
            }
            quantized[line] = first
            quantized[line &+ 1] = second
            reader.skip(length)
        }
    }

    private static func readEscapedPairs(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, tables: Span<UInt32>, start: Int, from reader: inout BitReader
    ) throws(AACDecodingError) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            // The longest tuple, 12 bits of code, two signs and two escapes of 21 bits, is 56 bits: one window.
            var window = reader.peekWindow()
            let entry = PrefixCodeTable.entry(for: window, in: tables, at: start)
            var length = Int(entry & 0x3F)
            var first = Int16(Int8(truncatingIfNeeded: entry >> 8))
            var second = Int16(Int8(truncatingIfNeeded: entry >> 16))
            if entry & 0xC0 != 0 {
                window <<= UInt64(truncatingIfNeeded: length)
                first = signed(first, window: &window, length: &length)
                second = signed(second, window: &window, length: &length)
                if first.magnitude == 16 { first = try escaped(first, window: &window, length: &length) }
                if second.magnitude == 16 { second = try escaped(second, window: &window, length: &length) }
            }
            quantized[line] = first
            quantized[line &+ 1] = second
            reader.skip(length)
        }
    }

    /// Takes a sign bit from the window unless the magnitude is zero.
    @inline(__always)
    private static func signed(_ magnitude: Int16, window: inout UInt64, length: inout Int) -> Int16 {
        guard magnitude != 0 else { return 0 }
        let isNegative = window >> 63 != 0
        window <<= 1
        length &+= 1
        return isNegative ? 0 &- magnitude : magnitude
    }

    /// Takes an escape sequence from the window: n ones, a zero, and the n + 4 bits below the highest one.
    @inline(__always)
    private static func escaped(_ flag: Int16, window: inout UInt64, length: inout Int) throws(AACDecodingError) -> Int16 {
        let prefix = (~window).leadingZeroBitCount
        guard prefix <= 8 else { throw .escapeTooLong(prefix: prefix) }
        window <<= UInt64(truncatingIfNeeded: prefix &+ 1)
        let suffixCount = prefix &+ 4
        let suffix = Int(truncatingIfNeeded: window >> UInt64(truncatingIfNeeded: 64 &- suffixCount))
        window <<= UInt64(truncatingIfNeeded: suffixCount)
        length &+= prefix &+ 1 &+ suffixCount
        let magnitude = Int16(truncatingIfNeeded: 1 << suffixCount | suffix)
        return flag < 0 ? 0 &- magnitude : magnitude
    }
}
