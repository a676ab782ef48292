// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding

/// Reads lines with a spectral codebook (`spectral_data`, ISO/IEC 14496-3:2009, 4.6.3).
package enum SpectralDecoder {
    /// Reads the lines in `range`, a multiple of four lines.
    ///
    /// Past the end of the reader it reads zeros, at most one tuple for each tuple of the range.
    ///
    /// - Parameter codebook: The codebook number, 1 to 11.
    /// - Throws: `CodecError.escapeTooLong`.
    @inline(__always)
    package static func read<Value: SpectralValue>(
        into lines: inout MutableSpan<Value>, in range: Range<Int>, codebook: Int, tables: SpectralDecodingTables,
        from reader: inout BitReader
    ) throws(CodecError) {
        var target = lines._mutatingExtracting(range)
        // Each step below writes four lines.
        precondition(range.count & 3 == 0)
        switch codebook {
        case 1...4: readQuads(into: &target, codebook: codebook, tables, from: &reader)
        case 9: readPairs(into: &target, codebook: codebook, tables, isLong: true, from: &reader)
        case 5...10: readPairs(into: &target, codebook: codebook, tables, isLong: false, from: &reader)
        default: try readEscapedPairs(into: &target, tables, from: &reader)
        }
    }

    /// Reads quads, two per bit window.
    private static func readQuads<Value: SpectralValue>(
        into lines: inout MutableSpan<Value>, codebook: Int, _ tables: SpectralDecodingTables, from reader: inout BitReader
    ) {
        let (table, pairs) = (tables.entries.span.extracting(Int(tables.starts[codebook])...), tables.pairs.span)
        var window = BitWindow(reader)
        var line = 0
        while line < lines.count {
            // Codewords have up to 20 bits including signs.
            window.refill(from: reader)
            store(quad: window.nextEntry(in: table), pairs, into: &lines, at: line)
            line &+= 4
            if line == lines.count { break }
            store(quad: window.nextEntry(in: table), pairs, into: &lines, at: line)
            line &+= 4
        }
        reader.skip(window.position &- reader.bitPosition)
    }

    @inline(__always)
    private static func store<Value: SpectralValue>(
        quad entry: UInt32, _ pairs: Span<SIMD2<Float>>, into lines: inout MutableSpan<Value>, at line: Int
    ) {
        // The caller reads whole quads.
        unsafe Value.store(
            entry >> 8, entry >> UInt32(8 &+ 2 &* SpectralDecodingTables.valueBits), pairs: pairs, into: &lines, unchecked: line)
    }

    /// Reads pairs, four per bit window, or two with the longer codewords of codebook 9.
    @inline(__always)
    private static func readPairs<Value: SpectralValue>(
        into lines: inout MutableSpan<Value>, codebook: Int, _ tables: SpectralDecodingTables, isLong: Bool, from reader: inout BitReader
    ) {
        let (table, pairs) = (tables.entries.span.extracting(Int(tables.starts[codebook])...), tables.pairs.span)
        var window = BitWindow(reader)
        var line = 0
        while line < lines.count {
            // Codewords have up to 14 bits including signs; in codebook 9 up to 17.
            window.refill(from: reader)
            unsafe Value.store(
                window.nextEntry(in: table) >> 8, window.nextEntry(in: table) >> 8, pairs: pairs, into: &lines, unchecked: line)
            line &+= 4
            if isLong || line == lines.count { continue }
            unsafe Value.store(
                window.nextEntry(in: table) >> 8, window.nextEntry(in: table) >> 8, pairs: pairs, into: &lines, unchecked: line)
            line &+= 4
        }
        reader.skip(window.position &- reader.bitPosition)
    }

    /// Reads pairs of codebook 11, two per bit window unless the first has escape sequences.
    private static func readEscapedPairs<Value: SpectralValue>(
        into lines: inout MutableSpan<Value>, _ tables: SpectralDecodingTables, from reader: inout BitReader
    ) throws(CodecError) {
        let table = tables.entries.span.extracting(Int(tables.starts[SpectralCodebook.escapeNumber])...)
        let (pairs, powers) = (tables.pairs.span, tables.powers.span)
        var window = BitWindow(reader)
        var line = 0
        while line < lines.count {
            // A tuple has up to 12 code bits, two signs and two escapes of 21 bits: 56 bits fit in one window.
            window.refill(from: reader)
            let first = window.nextEntry(in: table)
            if first & 0xC0 != 0 {
                Value.store(first >> 8, pairs: pairs, into: &lines, at: line)
                try readEscapes(of: first, from: &window, powers, into: &lines, at: line)
                window.refill(from: reader)
                let second = window.nextEntry(in: table)
                Value.store(second >> 8, pairs: pairs, into: &lines, at: line &+ 2)
                if second & 0xC0 != 0 { try readEscapes(of: second, from: &window, powers, into: &lines, at: line &+ 2) }
            } else {
                let second = window.nextEntry(in: table)
                unsafe Value.store(first >> 8, second >> 8, pairs: pairs, into: &lines, unchecked: line)
                if second & 0xC0 != 0 {
                    window.refill(from: reader)
                    try readEscapes(of: second, from: &window, powers, into: &lines, at: line &+ 2)
                }
            }
            line &+= 4
        }
        reader.skip(window.position &- reader.bitPosition)
    }

    /// Reads the escape sequences of a pair from a window with at least 42 bits.
    @inline(__always)
    private static func readEscapes<Value: SpectralValue>(
        of entry: UInt32, from window: inout BitWindow, _ powers: Span<Float>, into lines: inout MutableSpan<Value>, at line: Int
    ) throws(CodecError) {
        for value in 0..<2 where SpectralDecodingTables.isEscaped(entry, value) {
            let magnitude = try escapedMagnitude(&window)
            let isNegative = SpectralDecodingTables.value(value, of: entry) < 0
            lines[line &+ value] = Value.value(isNegative ? 0 &- magnitude : magnitude, powers: powers)
        }
    }

    /// Reads an escape sequence from the window: n ones, a zero, and the n + 4 bits after the leading one of the magnitude.
    @inline(__always)
    private static func escapedMagnitude(_ window: inout BitWindow) throws(CodecError) -> Int16 {
        let prefix = (~window.bits).leadingZeroBitCount
        guard prefix <= 8 else { throw .escapeTooLong(prefix: prefix) }
        window.skip(prefix &+ 1)
        let suffixCount = prefix &+ 4
        let suffix = Int(truncatingIfNeeded: window.bits >> UInt64(truncatingIfNeeded: 64 &- suffixCount))
        window.skip(suffixCount)
        return Int16(truncatingIfNeeded: 1 << suffixCount | suffix)
    }
}
