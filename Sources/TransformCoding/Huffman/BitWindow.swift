// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The next bits of a reader in a register, for runs of prefix codes.
///
/// The end of a codeword is known only after its look-up, so a load from there would stall. Here the address of the next load is
/// known earlier: new bits are inserted below the remaining ones, which are already in place.
@usableFromInline package struct BitWindow {
    /// The next bits, MSB first: at least ``refilledCount`` after ``refill(from:)``.
    @usableFromInline package internal(set) var bits: UInt64 = 0
    /// The number of bits counted as present.
    ///
    /// Lower bits are from the stream as well, or 0.
    @usableFromInline var count = 0
    /// The index of the first byte without counted bits.
    @usableFromInline var nextByte: Int

    /// The minimum number of bits present after ``refill(from:)``.
    @usableFromInline package static let refilledCount = 56

    /// Starts at the position of a reader.
    @inlinable @inline(__always)
    package init(_ reader: borrowing BitReader) {
        nextByte = reader.bitPosition >> 3
        refill(from: reader)
        skip(reader.bitPosition & 7)
    }

    /// The position of the first bit in the reader.
    @inlinable package var position: Int { 8 &* nextByte &- count }

    /// Fills the window with bits of the same reader as in `init`.
    ///
    /// Zeros follow the last bit.
    @inlinable @inline(__always)
    package mutating func refill(from reader: borrowing BitReader) {
        // Bits that are present but not counted are inserted again. They are identical.
        bits |= reader.word(atByte: nextByte) &>> UInt64(truncatingIfNeeded: count)
        nextByte &+= (63 &- count) >> 3
        count |= Self.refilledCount
    }

    /// Fills the window if fewer than `bitCount` bits are present.
    @inlinable @inline(__always)
    package mutating func refill(from reader: borrowing BitReader, ifFewerThan bitCount: Int) {
        if count < bitCount { refill(from: reader) }
    }

    /// Drops bits: at most as many as are present, and fewer than 64.
    @inlinable @inline(__always)
    package mutating func skip(_ bitCount: Int) {
        bits &<<= UInt64(truncatingIfNeeded: bitCount)
        count &-= bitCount
    }

    /// Returns and drops the next bits: 1 to 63, at most as many as are present.
    @inlinable @inline(__always)
    package mutating func next(_ bitCount: Int) -> UInt64 {
        let value = bits >> UInt64(truncatingIfNeeded: 64 &- bitCount)
        skip(bitCount)
        return value
    }

    /// Looks up the codeword at the start in the table of a ``PrefixCodeTable`` and drops it.
    @inlinable @inline(__always)
    package mutating func nextEntry(in table: Span<UInt32>) -> UInt32 {
        let entry = PrefixCodeTable.entry(for: bits, in: table)
        skip(Int(entry & 0x3F))
        return entry
    }
}
