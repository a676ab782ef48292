// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Reads quantised lines with a spectral codebook (`spectral_data`, ISO/IEC 14496-3:2009, 4.6.3).
enum SpectralDecoder {
    /// Reads the lines in `range`, a multiple of four lines.
    ///
    /// After the last bit of the reader zeros are read, at most one tuple for each tuple of the range.
    ///
    /// - Parameters:
    ///   - codebook: The number of the codebook, 1 to 11.
    ///   - table: The tables of ``SpectralDecodingTables``, from the first entry of the codebook on.
    /// - Throws: ``AACError/escapeTooLong(prefix:)``.
    @inline(__always)
    static func read(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, codebook: Int, table: Span<UInt32>, from reader: inout BitReader
    ) throws(AACError) {
        precondition(table.count >= 1 << PrefixCodeTable.primaryBits)
        switch codebook {
        case 1...2: readQuads(into: &quantized, in: range, table: table, hasSigns: false, from: &reader)
        case 3...4: readQuads(into: &quantized, in: range, table: table, hasSigns: true, from: &reader)
        case 5...6: readPairs(into: &quantized, in: range, table: table, hasSigns: false, isLong: false, from: &reader)
        case 7, 8, 10: readPairs(into: &quantized, in: range, table: table, hasSigns: true, isLong: false, from: &reader)
        case 9: readPairs(into: &quantized, in: range, table: table, hasSigns: true, isLong: true, from: &reader)
        default: try readEscapedPairs(into: &quantized, in: range, table: table, from: &reader)
        }
    }

    /// Reads quads, two of them from one window of bits.
    @inline(__always)
    private static func readQuads(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, table: Span<UInt32>, hasSigns: Bool, from reader: inout BitReader
    ) {
        var position = reader.bitPosition
        var line = range.lowerBound
        while line < range.upperBound {
            // Two codewords of up to 16 bits, with four signs each, fit into one window; a load takes longer than a look-up.
            var window = reader.peekWindow(at: position)
            for _ in 0..<2 where line < range.upperBound {
                let entry = PrefixCodeTable.entry(for: window, in: table)
                quantized.store(quad(of: entry, hasSigns: hasSigns, window: window), at: line)
                window <<= UInt64(truncatingIfNeeded: entry & 0x3F)
                position &+= Int(entry & 0x3F)
                line &+= 4
            }
        }
        reader.skip(position &- reader.bitPosition)
    }

    /// Reads pairs, four of them from one window of bits, or two of the longer ones of codebook 9.
    @inline(__always)
    private static func readPairs(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, table: Span<UInt32>, hasSigns: Bool, isLong: Bool,
        from reader: inout BitReader
    ) {
        var position = reader.bitPosition
        var line = range.lowerBound
        while line < range.upperBound {
            // Codewords have up to 14 bits with their signs, those of codebook 9 up to 17.
            var window = reader.peekWindow(at: position)
            for _ in 0..<(isLong ? 1 : 2) where line < range.upperBound {
                let firstEntry = PrefixCodeTable.entry(for: window, in: table)
                let first = pair(of: firstEntry, hasSigns: hasSigns, window: window)
                window <<= UInt64(truncatingIfNeeded: firstEntry & 0x3F)
                let secondEntry = PrefixCodeTable.entry(for: window, in: table)
                let second = pair(of: secondEntry, hasSigns: hasSigns, window: window)
                window <<= UInt64(truncatingIfNeeded: secondEntry & 0x3F)
                quantized.store(SIMD4(first.x, first.y, second.x, second.y), at: line)
                position &+= Int(firstEntry & 0x3F) &+ Int(secondEntry & 0x3F)
                line &+= 4
            }
        }
        reader.skip(position &- reader.bitPosition)
    }

    /// Returns the four values of an entry, with the signs that follow its codeword at the start of `window`.
    @inline(__always)
    private static func quad(of entry: UInt32, hasSigns: Bool, window: UInt64) -> SIMD4<Int16> {
        let packed = Int32(bitPattern: entry)
        var (first, second) = ((packed << 20) >> 28, (packed << 16) >> 28)
        var (third, fourth) = ((packed << 12) >> 28, (packed << 8) >> 28)
        if hasSigns {
            var signs = window &<< UInt64(truncatingIfNeeded: entry >> 24)
            readSign(of: &first, from: &signs)
            readSign(of: &second, from: &signs)
            readSign(of: &third, from: &signs)
            readSign(of: &fourth, from: &signs)
        }
        return SIMD4(
            Int16(truncatingIfNeeded: first), Int16(truncatingIfNeeded: second), Int16(truncatingIfNeeded: third),
            Int16(truncatingIfNeeded: fourth))
    }

    /// Returns the two values of an entry, with the signs that follow its codeword at the start of `window`.
    @inline(__always)
    private static func pair(of entry: UInt32, hasSigns: Bool, window: UInt64) -> SIMD2<Int16> {
        var first = Int32(Int8(truncatingIfNeeded: entry >> 8))
        var second = Int32(Int8(truncatingIfNeeded: entry >> 16))
        if hasSigns {
            var signs = window &<< UInt64(truncatingIfNeeded: entry >> 24)
            readSign(of: &first, from: &signs)
            readSign(of: &second, from: &signs)
        }
        return SIMD2(Int16(truncatingIfNeeded: first), Int16(truncatingIfNeeded: second))
    }

    /// Reads pairs of codebook 11, each from a window of its own.
    private static func readEscapedPairs(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, table: Span<UInt32>, from reader: inout BitReader
    ) throws(AACError) {
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

    /// Reads a pair of codebook 11 with its escape sequences, and advances the position.
    @inline(__always)
    private static func readEscapedPair(
        table: Span<UInt32>, reader: borrowing BitReader, position: inout Int
    ) throws(AACError) -> SIMD2<Int16> {
        // The longest tuple, 12 bits of code, two signs and two escapes of 21 bits, is 56 bits: one window.
        var window = reader.peekWindow(at: position)
        let entry = PrefixCodeTable.entry(for: window, in: table)
        var result = pair(of: entry, hasSigns: true, window: window)
        var length = Int(entry & 0x3F)
        if entry & 0xC0 != 0 {
            window <<= UInt64(truncatingIfNeeded: length)
            if result.x.magnitude == 16 { result.x = try escaped(result.x, window: &window, length: &length) }
            if result.y.magnitude == 16 { result.y = try escaped(result.y, window: &window, length: &length) }
        }
        position &+= length
        return result
    }

    /// Reads a sign bit unless the magnitude is zero; without a branch, since signs are not predictable.
    @inline(__always)
    private static func readSign(of value: inout Int32, from signs: inout UInt64) {
        let sign = Int32(truncatingIfNeeded: Int64(bitPattern: signs) >> 63)
        signs &<<= value == 0 ? 0 : 1
        // Zero stays zero: a set bit makes -1 + 1 of it.
        value = (value ^ sign) &- sign
    }

    /// Reads an escape sequence from the window: n ones, a zero, and the n + 4 bits below the highest one.
    private static func escaped(_ flag: Int16, window: inout UInt64, length: inout Int) throws(AACError) -> Int16 {
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
