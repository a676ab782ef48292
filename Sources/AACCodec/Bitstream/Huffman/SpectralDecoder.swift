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
        var target = quantized._mutatingExtracting(range)
        switch codebook {
        case 1...4: readQuads(into: &target, table: table, from: &reader)
        case 9: readPairs(into: &target, table: table, isLong: true, from: &reader)
        case 5...10: readPairs(into: &target, table: table, isLong: false, from: &reader)
        default: try readEscapedPairs(into: &target, table: table, from: &reader)
        }
    }

    /// Reads quads, two of them from one window of bits.
    private static func readQuads(into quantized: inout MutableSpan<Int16>, table: Span<UInt32>, from reader: inout BitReader) {
        var position = reader.bitPosition
        var line = 0
        while line < quantized.count {
            // Two codewords of up to 20 bits fit into one window; a load takes longer than a look-up.
            var window = reader.peekWindow(at: position)
            quantized.store(nextQuad(from: &window, at: &position, table: table), at: line)
            line &+= 4
            if line == quantized.count { break }
            quantized.store(nextQuad(from: &window, at: &position, table: table), at: line)
            line &+= 4
        }
        reader.skip(position &- reader.bitPosition)
    }

    /// Returns the quad at the start of `window`, and advances.
    @inline(__always)
    private static func nextQuad(from window: inout UInt64, at position: inout Int, table: Span<UInt32>) -> SIMD4<Int16> {
        let entry = PrefixCodeTable.entry(for: window, in: table)
        window <<= UInt64(truncatingIfNeeded: entry & 0x3F)
        position &+= Int(entry & 0x3F)
        // Each value moves to the top of its lane, and back with its sign.
        return (SIMD4(repeating: Int16(truncatingIfNeeded: entry >> 8)) &* SIMD4(4096, 256, 16, 1)) &>> 12
    }

    /// Reads pairs, four of them from one window of bits, or two of the longer ones of codebook 9.
    @inline(__always)
    private static func readPairs(
        into quantized: inout MutableSpan<Int16>, table: Span<UInt32>, isLong: Bool, from reader: inout BitReader
    ) {
        var position = reader.bitPosition
        var line = 0
        while line < quantized.count {
            // Codewords have up to 14 bits with their signs, those of codebook 9 up to 17.
            var window = reader.peekWindow(at: position)
            quantized.store(nextPairs(from: &window, at: &position, table: table), at: line)
            line &+= 4
            if isLong || line == quantized.count { continue }
            quantized.store(nextPairs(from: &window, at: &position, table: table), at: line)
            line &+= 4
        }
        reader.skip(position &- reader.bitPosition)
    }

    /// Returns the two pairs at the start of `window`, and advances.
    @inline(__always)
    private static func nextPairs(from window: inout UInt64, at position: inout Int, table: Span<UInt32>) -> SIMD4<Int16> {
        let first = PrefixCodeTable.entry(for: window, in: table)
        window <<= UInt64(truncatingIfNeeded: first & 0x3F)
        let second = PrefixCodeTable.entry(for: window, in: table)
        window <<= UInt64(truncatingIfNeeded: second & 0x3F)
        position &+= Int(first & 0x3F) &+ Int(second & 0x3F)
        return values(of: first, second)
    }

    /// Returns the values of the entries of two pairs.
    @inline(__always)
    private static func values(of first: UInt32, _ second: UInt32) -> SIMD4<Int16> {
        let (first, second) = (Int16(truncatingIfNeeded: first >> 8), Int16(truncatingIfNeeded: second >> 8))
        // Each value moves to the top of its lane, and back with its sign.
        return (SIMD4(first, first, second, second) &* SIMD4(256, 1, 256, 1)) &>> 8
    }

    /// Reads pairs of codebook 11, each from a window of its own.
    private static func readEscapedPairs(
        into quantized: inout MutableSpan<Int16>, table: Span<UInt32>, from reader: inout BitReader
    ) throws(AACError) {
        var position = reader.bitPosition
        var line = 0
        while line < quantized.count {
            var window = reader.peekWindow(at: position)
            let entry = PrefixCodeTable.entry(for: window, in: table)
            var pair = values(of: entry, entry).lowHalf
            // The longest tuple, 12 bits of code, two signs and two escapes of 21 bits, is 56 bits: one window.
            var length = Int(entry & 0x3F)
            if entry & 0xC0 != 0 {
                window <<= UInt64(truncatingIfNeeded: length)
                if pair.x.magnitude == 16 { pair.x = try escaped(pair.x, window: &window, length: &length) }
                if pair.y.magnitude == 16 { pair.y = try escaped(pair.y, window: &window, length: &length) }
            }
            position &+= length
            quantized[line] = pair.x
            quantized[line &+ 1] = pair.y
            line &+= 2
        }
        reader.skip(position &- reader.bitPosition)
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
