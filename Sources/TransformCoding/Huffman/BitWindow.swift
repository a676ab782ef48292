// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The next bits of a reader in a register, for runs of prefix codes.
///
/// A codeword ends where only its look-up tells, so that a load from there would wait for it. Here the address of the next load is known before:
/// bits are added below those that are left, and those above are already in place.
@usableFromInline package struct BitWindow {
    /// The next bits, the first as the most significant: at least ``refilledCount`` after ``refill(from:)``.
    @usableFromInline package internal(set) var bits: UInt64 = 0
    /// The number of bits that are counted as present; those below are the stream's too, or 0.
    @usableFromInline var count = 0
    /// The first byte that no counted bit is from.
    @usableFromInline var nextByte: Int

    /// The number of bits that are present after ``refill(from:)``.
    @usableFromInline package static let refilledCount = 56

    /// Begins at the position of a reader.
    @inlinable @inline(__always)
    package init(_ reader: borrowing BitReader) {
        nextByte = reader.bitPosition >> 3
        refill(from: reader)
        skip(reader.bitPosition & 7)
    }

    /// The position of the first bit in the reader.
    @inlinable package var position: Int { 8 &* nextByte &- count }

    /// Fills the window with bits of the reader that it began with; after the last one with zeros.
    @inlinable @inline(__always)
    package mutating func refill(from reader: borrowing BitReader) {
        // Bits that are present already, but not counted, are added again: they are the same.
        bits |= reader.word(atByte: nextByte) &>> UInt64(truncatingIfNeeded: count)
        nextByte &+= (63 &- count) >> 3
        count |= Self.refilledCount
    }

    /// Drops bits, no more than are present and fewer than 64.
    @inlinable @inline(__always)
    package mutating func skip(_ bitCount: Int) {
        bits &<<= UInt64(truncatingIfNeeded: bitCount)
        count &-= bitCount
    }

    /// Returns the entry of the codeword at the start, and drops it; `table` is that of a ``PrefixCodeTable``.
    @inlinable @inline(__always)
    package mutating func nextEntry(in table: Span<UInt32>) -> UInt32 {
        let entry = PrefixCodeTable.entry(for: bits, in: table)
        skip(Int(entry & 0x3F))
        return entry
    }
}
