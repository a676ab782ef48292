// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Reads quantised lines with a spectral codebook (`spectral_data`, ISO/IEC 14496-3:2009, 4.6.3).
enum SpectralDecoder {
    /// Reads the lines in `range`, a multiple of four lines, with `codebook` (1 to 11), whose table `table` begins with.
    ///
    /// Past the end of the bits zeros are read, at most one tuple for each tuple of the range.
    @inline(__always)
    static func read(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, codebook: Int, table: Span<UInt32>, from reader: inout BitReader
    ) throws(AACDecodingError) {
        precondition(table.count >= 1 << PrefixCodeTable.primaryBits)
        switch codebook {
        case 1...4: readQuads(into: &quantized, in: range, table: table, from: &reader)
        case 5...10: readPairs(into: &quantized, in: range, table: table, from: &reader)
        default: try readEscapedPairs(into: &quantized, in: range, table: table, from: &reader)
        }
    }

    private static func readQuads(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, table: Span<UInt32>, from reader: inout BitReader
    ) {
        var position = reader.bitPosition
        var line = range.lowerBound
        while line < range.upperBound {
            // A codeword of up to 16 bits and four signs fit into one window.
            var window = reader.peekWindow(at: position)
            let entry = PrefixCodeTable.entry(for: window, in: table)
            var length = Int(entry & 0x3F)
            let packed = Int32(bitPattern: entry)
            var (first, second) = ((packed << 20) >> 28, (packed << 16) >> 28)
            var (third, fourth) = ((packed << 12) >> 28, (packed << 8) >> 28)
            if entry & 0xC0 != 0 {
                window <<= UInt64(truncatingIfNeeded: length)
                takeSign(of: &first, window: &window, length: &length)
                takeSign(of: &second, window: &window, length: &length)
                takeSign(of: &third, window: &window, length: &length)
                takeSign(of: &fourth, window: &window, length: &length)
            }
            let values = SIMD4(
                Int16(truncatingIfNeeded: first), Int16(truncatingIfNeeded: second), Int16(truncatingIfNeeded: third),
                Int16(truncatingIfNeeded: fourth))
            quantized.store(values, at: line)
            position &+= length
            line &+= 4
        }
        reader.skip(position &- reader.bitPosition)
    }

    private static func readPairs(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, table: Span<UInt32>, from reader: inout BitReader
    ) {
        var position = reader.bitPosition
        var line = range.lowerBound
        while line < range.upperBound {
            // Two codewords of up to 15 bits, with two signs each, fit into one window.
            var window = reader.peekWindow(at: position)
            let first = readPair(table: table, window: &window, position: &position)
            let second = readPair(table: table, window: &window, position: &position)
            quantized.store(SIMD4(first.x, first.y, second.x, second.y), at: line)
            line &+= 4
        }
        reader.skip(position &- reader.bitPosition)
    }

    @inline(__always)
    private static func readPair(table: Span<UInt32>, window: inout UInt64, position: inout Int) -> SIMD2<Int16> {
        let entry = PrefixCodeTable.entry(for: window, in: table)
        var length = Int(entry & 0x3F)
        window <<= UInt64(truncatingIfNeeded: length)
        var (first, second) = magnitudes(of: entry)
        if entry & 0xC0 != 0 {
            takeSign(of: &first, window: &window, length: &length)
            takeSign(of: &second, window: &window, length: &length)
        }
        position &+= length
        return SIMD2(Int16(truncatingIfNeeded: first), Int16(truncatingIfNeeded: second))
    }

    private static func readEscapedPairs(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, table: Span<UInt32>, from reader: inout BitReader
    ) throws(AACDecodingError) {
        var position = reader.bitPosition
        var line = range.lowerBound
        while line < range.upperBound {
            let first = try readEscapedPair(table: table, reader: reader, position: &position)
            let second = try readEscapedPair(table: table, reader: reader, position: &position)
            quantized.store(SIMD4(first.x, first.y, second.x, second.y), at: line)
            line &+= 4
        }
        reader.skip(position &- reader.bitPosition)
    }

    @inline(__always)
    private static func readEscapedPair(
        table: Span<UInt32>, reader: borrowing BitReader, position: inout Int
    ) throws(AACDecodingError) -> SIMD2<Int16> {
        // The longest tuple, 12 bits of code, two signs and two escapes of 21 bits, is 56 bits: one window.
        var window = reader.peekWindow(at: position)
        let entry = PrefixCodeTable.entry(for: window, in: table)
        var length = Int(entry & 0x3F)
        var (first, second) = magnitudes(of: entry)
        if entry & 0xC0 != 0 {
            window <<= UInt64(truncatingIfNeeded: length)
            takeSign(of: &first, window: &window, length: &length)
            takeSign(of: &second, window: &window, length: &length)
            if first.magnitude == 16 { first = try escaped(first, window: &window, length: &length) }
            if second.magnitude == 16 { second = try escaped(second, window: &window, length: &length) }
        }
        position &+= length
        return SIMD2(Int16(truncatingIfNeeded: first), Int16(truncatingIfNeeded: second))
    }

    /// The two values of an entry, with their signs if it has them.
    @inline(__always)
    private static func magnitudes(of entry: UInt32) -> (Int32, Int32) {
        (Int32(Int8(truncatingIfNeeded: entry >> 8)), Int32(Int8(truncatingIfNeeded: entry >> 16)))
    }

    /// Takes a sign bit from the window unless the magnitude is zero; without a branch, which nothing could predict.
    @inline(__always)
    private static func takeSign(of value: inout Int32, window: inout UInt64, length: inout Int) {
        let bitCount = value == 0 ? 0 : 1
        let sign = Int32(truncatingIfNeeded: Int64(bitPattern: window) >> 63)
        // Zero stays zero, whatever the bit.
        value = (value ^ sign) &- sign
        window <<= UInt64(truncatingIfNeeded: bitCount)
        length &+= bitCount
    }

    /// Takes an escape sequence from the window: n ones, a zero, and the n + 4 bits below the highest one.
    private static func escaped(_ flag: Int32, window: inout UInt64, length: inout Int) throws(AACDecodingError) -> Int32 {
        let prefix = (~window).leadingZeroBitCount
        guard prefix <= 8 else { throw .escapeTooLong(prefix: prefix) }
        window <<= UInt64(truncatingIfNeeded: prefix &+ 1)
        let suffixCount = prefix &+ 4
        let suffix = Int(truncatingIfNeeded: window >> UInt64(truncatingIfNeeded: 64 &- suffixCount))
        window <<= UInt64(truncatingIfNeeded: suffixCount)
        length &+= prefix &+ 1 &+ suffixCount
        let magnitude = Int32(truncatingIfNeeded: 1 << suffixCount | suffix)
        return flag < 0 ? 0 &- magnitude : magnitude
    }
}
