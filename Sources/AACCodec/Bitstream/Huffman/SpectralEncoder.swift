// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding

/// Writes quantized lines with the spectral codebooks (`spectral_data`, ISO/IEC 14496-3:2009, 4.6.3).
///
/// Bits are collected in a register and passed to the sink, which keeps its state in memory, 64 at a time. Few codewords then access
/// memory, and the unpredictable branch is taken once per 64 bits.
package struct SpectralEncoder {
    /// Bits not yet passed to the sink, right-aligned.
    ///
    /// Higher bits are stale.
    private var pending: UInt64 = 0

    /// The number of pending bits, below 64.
    private var pendingCount = 0

    /// Creates an encoder without pending bits.
    package init() {}

    /// Writes the lines in `range`, a multiple of four lines, with `codebook` (1 to 11).
    ///
    /// Magnitudes must not exceed the codebook's maximum. Only debug builds check this.
    @inline(__always)
    package mutating func write(
        _ quantized: Span<Int16>, in range: Range<Int>, codebook: Int, tables: SpectralEncodingTables, to sink: inout some BitSink
    ) {
        let codewords = tables.codewords.span
        let start = Int(tables.starts[codebook])
        if codebook < 5 {
            writeQuads(quantized, in: range, codewords: codewords, start: start, to: &sink)
        } else if codebook < SpectralCodebook.escapeNumber {
            writePairs(quantized, in: range, codewords: codewords, start: start, to: &sink)
        } else {
            writeEscapedPairs(quantized, in: range, codewords: codewords, start: start, to: &sink)
        }
    }

    /// Passes the remaining bits to the sink.
    @inline(__always)
    package mutating func finish(_ sink: inout some BitSink) {
        let last = pending << UInt64(64 - pendingCount)
        sink.write(UInt32(truncatingIfNeeded: last >> 32) >> UInt32(max(32 - pendingCount, 0)), count: min(pendingCount, 32))
        let rest = max(pendingCount - 32, 0)
        sink.write(UInt32(truncatingIfNeeded: last) >> UInt32(32 - rest), count: rest)
        pendingCount = 0
    }

    @inline(__always)
    private mutating func writeQuads(
        _ quantized: Span<Int16>, in range: Range<Int>, codewords: Span<UInt32>, start: Int, to sink: inout some BitSink
    ) {
        var line = range.lowerBound
        while line < range.upperBound {
            write(codewords[start &+ SpectralBitTables.Indices(quantized.quartet(at: line)).quad], to: &sink)
            line &+= 4
        }
    }

    @inline(__always)
    private mutating func writePairs(
        _ quantized: Span<Int16>, in range: Range<Int>, codewords: Span<UInt32>, start: Int, to sink: inout some BitSink
    ) {
        var line = range.lowerBound
        while line < range.upperBound {
            let indices = SpectralBitTables.Indices(quantized.quartet(at: line))
            write(codewords[start &+ indices.firstPair], to: &sink)
            write(codewords[start &+ indices.secondPair], to: &sink)
            line &+= 4
        }
    }

    /// Writes pairs of codebook 11 with their escape sequences.
    private mutating func writeEscapedPairs(
        _ quantized: Span<Int16>, in range: Range<Int>, codewords: Span<UInt32>, start: Int, to sink: inout some BitSink
    ) {
        let escape = SpectralCodebook.escapeMagnitude
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let (first, second) = (Int(quantized[line]), Int(quantized[line + 1]))
            let (clippedFirst, clippedSecond) = (max(-escape, min(first, escape)), max(-escape, min(second, escape)))
            write(codewords[start &+ SpectralBitTables.pairIndex(clippedFirst, clippedSecond)], to: &sink)
            if abs(first) >= escape { writeEscape(abs(first), to: &sink) }
            if abs(second) >= escape { writeEscape(abs(second), to: &sink) }
        }
    }

    @inline(__always)
    private mutating func write(_ codeword: UInt32, to sink: inout some BitSink) {
        write(codeword >> 8, count: Int(codeword & 0xFF), to: &sink)
    }

    /// Writes the low `count` bits (0 to 32) of `value`.
    @inline(__always)
    private mutating func write(_ value: UInt32, count: Int, to sink: inout some BitSink) {
        let total = pendingCount &+ count
        guard total >= 64 else {
            pending = pending &<< UInt64(truncatingIfNeeded: count) | UInt64(value)
            pendingCount = total
            return
        }
        let rest = UInt64(truncatingIfNeeded: total &- 64)
        let word = pending &<< UInt64(truncatingIfNeeded: 64 &- pendingCount) | UInt64(value) &>> rest
        sink.write(UInt32(truncatingIfNeeded: word >> 32), count: 32)
        sink.write(UInt32(truncatingIfNeeded: word), count: 32)
        pending = UInt64(value)
        pendingCount = Int(rest)
    }

    /// Writes a magnitude of 16 to 8191 as an escape sequence: n ones, a zero, and the n + 4 bits after the leading one.
    @inline(__always)
    private mutating func writeEscape(_ magnitude: Int, to sink: inout some BitSink) {
        let suffixCount = Int.bitWidth &- 1 &- magnitude.leadingZeroBitCount
        let prefixCount = suffixCount &- 4
        let prefix = (UInt32(1) << UInt32(prefixCount) &- 1) << 1
        let suffix = UInt32(magnitude) & (UInt32(1) << UInt32(suffixCount) &- 1)
        write(prefix << UInt32(suffixCount) | suffix, count: prefixCount &+ 1 &+ suffixCount, to: &sink)
    }
}
