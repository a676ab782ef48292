// SPDX-License-Identifier: Apache-2.0

/// Reads big-endian bit fields from a run of bytes.
///
/// The reader never fails and never reads outside its bytes: past the end it returns zeros, and ``hasOverrun`` says so.
/// A parser therefore reads a whole structure first and checks once. Loading new bytes reuses the storage.
@usableFromInline package struct BitReader: Sendable {
    /// The bytes, followed by eight zero bytes so that every eight-byte load stays inside.
    @usableFromInline
    var bytes: ContiguousArray<UInt8>

    /// The number of bits loaded.
    package private(set) var bitCount: Int

    /// The number of bytes loaded, without the padding.
    @usableFromInline
    var byteCount: Int

    /// The position of the next bit.
    @usableFromInline
    var position = 0

    private static let padding = 8

    /// Creates a reader without bytes, to be filled by ``load(_:)``.
    package init() {
        bytes = ContiguousArray(repeating: 0, count: Self.padding)
        bitCount = 0
        byteCount = 0
    }

    /// Creates a reader at the first bit of a copy of `source`.
    package init(_ source: some Collection<UInt8>) {
        bytes = ContiguousArray(source)
        bitCount = bytes.count * 8
        byteCount = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: Self.padding))
    }

    /// Replaces the bytes and goes back to the first bit; allocates only when `source` is longer than any before.
    package mutating func load(_ source: Span<UInt8>) {
        let paddedCount = source.count + Self.padding
        if bytes.count < paddedCount { bytes.append(contentsOf: repeatElement(0, count: paddedCount - bytes.count)) }
        var target = bytes.mutableSpan
        for index in source.indices {
            target[index] = source[index]
        }
        for index in source.count..<paddedCount {
            target[index] = 0
        }
        bitCount = source.count * 8
        byteCount = source.count
        position = 0
    }

    /// The position of the next bit, counted from the first; it can pass ``bitCount``.
    @inlinable package var bitPosition: Int { position }

    /// The number of bits left, never negative.
    package var bitsRemaining: Int { max(0, bitCount - position) }

    /// Whether more bits were read or skipped than there are.
    package var hasOverrun: Bool { position > bitCount }

    /// Returns the 64 bits from a byte on, the first as the most significant; zeros after the end.
    @inlinable
    @inline(__always)
    package func word(atByte index: Int) -> UInt64 {
        // Eight bytes follow the last one; a negative index is a large one here.
        let byte = min(UInt(bitPattern: index), UInt(bitPattern: byteCount))
        return unsafe bytes.span.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: Int(bitPattern: byte), as: UInt64.self).bigEndian
    }

    /// Returns the 57 bits or more at any position, the first as the most significant; bits after them are undefined.
    @inlinable
    @inline(__always)
    package func peekWindow(at position: Int) -> UInt64 {
        word(atByte: position >> 3) << UInt64(truncatingIfNeeded: position & 7)
    }

    /// Returns the next 57 bits or more without advancing, the next bit as the most significant; bits after them are undefined.
    @inlinable
    @inline(__always)
    package func peekWindow() -> UInt64 { peekWindow(at: position) }

    /// Returns the next `count` bits (0 to 32) without advancing.
    @inlinable
    @inline(__always)
    package func peek(_ count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (peekWindow() >> 32) >> UInt64(truncatingIfNeeded: 32 &- count))
    }

    /// Reads `count` bits (0 to 32), the first one as the most significant.
    @inlinable
    @inline(__always)
    package mutating func read(_ count: Int) -> UInt32 {
        let value = peek(count)
        position &+= count
        return value
    }

    /// Reads one bit as a truth value.
    @inlinable
    @inline(__always)
    package mutating func readFlag() -> Bool { read(1) != 0 }

    /// Skips `count` bits.
    @inlinable
    @inline(__always)
    package mutating func skip(_ count: Int) { position &+= count }

    /// Advances to the next byte boundary, if not at one.
    package mutating func alignToByte() { position = (position + 7) & ~7 }
}
