// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding

/// Reads quantized lines with a spectral codebook (`spectral_data`, ISO/IEC 14496-3:2009, 4.6.3).
package enum SpectralDecoder {
    /// Reads the lines in `range`, a multiple of four lines.
    ///
    /// Past the end of the reader it reads zeros, at most one tuple for each tuple of the range.
    ///
    /// - Parameters:
    ///   - codebook: The codebook number, 1 to 11.
    ///   - table: The tables of ``SpectralDecodingTables``, starting with the codebook's first entry.
    /// - Throws: `CodecError.escapeTooLong`.
    @inline(__always)
    package static func read(
        into quantized: inout MutableSpan<Int16>, in range: Range<Int>, codebook: Int, table: Span<UInt32>, from reader: inout BitReader
    ) throws(CodecError) {
        var target = quantized._mutatingExtracting(range)
        switch codebook {
        case 1...4: readQuads(into: &target, table: table, from: &reader)
        case 9: readPairs(into: &target, table: table, isLong: true, from: &reader)
        case 5...10: readPairs(into: &target, table: table, isLong: false, from: &reader)
        default: try readEscapedPairs(into: &target, table: table, from: &reader)
        }
    }

    /// Reads quads, two per bit window.
    private static func readQuads(into quantized: inout MutableSpan<Int16>, table: Span<UInt32>, from reader: inout BitReader) {
        var window = BitWindow(reader)
        var line = 0
        while line < quantized.count {
            // Codewords have up to 20 bits including signs.
            window.refill(from: reader)
            quantized.store(values(ofQuad: window.nextEntry(in: table)), at: line)
            line &+= 4
            if line == quantized.count { break }
            quantized.store(values(ofQuad: window.nextEntry(in: table)), at: line)
            line &+= 4
        }
        reader.skip(window.position &- reader.bitPosition)
    }

    /// Returns the values of a quad's table entry.
    @inline(__always)
    private static func values(ofQuad entry: UInt32) -> SIMD4<Int16> {
        // Shifts each value to the top of its lane, and back with sign extension.
        (SIMD4(repeating: Int16(truncatingIfNeeded: entry >> 8)) &* SIMD4(4096, 256, 16, 1)) &>> 12
    }

    /// Reads pairs, four per bit window, or two with the longer codewords of codebook 9.
    @inline(__always)
    private static func readPairs(
        into quantized: inout MutableSpan<Int16>, table: Span<UInt32>, isLong: Bool, from reader: inout BitReader
    ) {
        var window = BitWindow(reader)
        var line = 0
        while line < quantized.count {
            // Codewords have up to 14 bits including signs; in codebook 9 up to 17.
            window.refill(from: reader)
            quantized.store(values(of: window.nextEntry(in: table), window.nextEntry(in: table)), at: line)
            line &+= 4
            if isLong || line == quantized.count { continue }
            quantized.store(values(of: window.nextEntry(in: table), window.nextEntry(in: table)), at: line)
            line &+= 4
        }
        reader.skip(window.position &- reader.bitPosition)
    }

    /// Returns the values of two pairs' table entries.
    @inline(__always)
    private static func values(of first: UInt32, _ second: UInt32) -> SIMD4<Int16> {
        let (first, second) = (Int16(truncatingIfNeeded: first >> 8), Int16(truncatingIfNeeded: second >> 8))
        // Shifts each value to the top of its lane, and back with sign extension.
        return (SIMD4(first, first, second, second) &* SIMD4(256, 1, 256, 1)) &>> 8
    }

    /// Reads pairs of codebook 11, one per bit window.
    private static func readEscapedPairs(
        into quantized: inout MutableSpan<Int16>, table: Span<UInt32>, from reader: inout BitReader
    ) throws(CodecError) {
        var window = BitWindow(reader)
        var line = 0
        while line < quantized.count {
            // The longest tuple has 12 code bits, two signs and two escapes of 21 bits: 56 bits fit in one window.
            window.refill(from: reader)
            let entry = window.nextEntry(in: table)
            var pair = values(of: entry, entry).lowHalf
            if entry & 0xC0 != 0 {
                if pair.x.magnitude == 16 { pair.x = try escaped(pair.x, window: &window) }
                if pair.y.magnitude == 16 { pair.y = try escaped(pair.y, window: &window) }
            }
            quantized[line] = pair.x
            quantized[line &+ 1] = pair.y
            line &+= 2
        }
        reader.skip(window.position &- reader.bitPosition)
    }

    /// Reads an escape sequence from the window: n ones, a zero, and the n + 4 bits after the leading one of the magnitude.
    private static func escaped(_ flag: Int16, window: inout BitWindow) throws(CodecError) -> Int16 {
        let prefix = (~window.bits).leadingZeroBitCount
        guard prefix <= 8 else { throw .escapeTooLong(prefix: prefix) }
        window.skip(prefix &+ 1)
        let suffixCount = prefix &+ 4
        let suffix = Int(truncatingIfNeeded: window.bits >> UInt64(truncatingIfNeeded: 64 &- suffixCount))
        window.skip(suffixCount)
        let magnitude = Int16(truncatingIfNeeded: 1 << suffixCount | suffix)
        return flag < 0 ? 0 &- magnitude : magnitude
    }
}
