// SPDX-License-Identifier: Apache-2.0

/// Reads big-endian bit fields from bytes.
///
/// The reader never fails and never reads outside its bytes. Past the end it returns zeros and sets ``hasOverrun``. A parser therefore
/// reads a whole structure first and checks once. Loading new bytes reuses the storage.
@usableFromInline package struct BitReader: Sendable {
    /// The bytes, followed by eight zero bytes so that eight-byte loads stay inside.
    @usableFromInline
    var bytes: ContiguousArray<UInt8>

    /// The number of loaded bits.
    package private(set) var bitCount: Int

    /// The number of loaded bytes, without the padding.
    @usableFromInline
    var byteCount: Int

    /// The position of the next bit.
    @usableFromInline
    var position = 0

    private static let padding = 8

    /// Creates a reader without bytes, for use with ``load(_:)``.
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

    /// Replaces the bytes and returns to the first bit, and allocates only if `source` is longer than all before.
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

    /// The position of the next bit from the first bit, which can exceed ``bitCount``.
    @inlinable package var bitPosition: Int { position }

    /// The number of remaining bits, never negative.
    package var bitsRemaining: Int { max(0, bitCount - position) }

    /// Whether bits past the end were read or skipped.
    package var hasOverrun: Bool { position > bitCount }

    /// Returns 64 bits starting at a byte, most significant bit first, with zeros after the end.
    @inlinable
    @inline(__always)
    package func word(atByte index: Int) -> UInt64 {
        // Eight zero bytes follow the last byte. A negative index becomes a large one here.
        let byte = min(UInt(bitPattern: index), UInt(bitPattern: byteCount))
        return unsafe bytes.span.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: Int(bitPattern: byte), as: UInt64.self).bigEndian
    }

    /// Returns at least 57 bits at a position, most significant bit first, with undefined bits after them.
    @inlinable
    @inline(__always)
    package func peekWindow(at position: Int) -> UInt64 {
        word(atByte: position >> 3) << UInt64(truncatingIfNeeded: position & 7)
    }

    /// Returns at least the next 57 bits without advancing, most significant bit first, with undefined bits after them.
    @inlinable
    @inline(__always)
    package func peekWindow() -> UInt64 { peekWindow(at: position) }

    /// Returns the next `count` bits (0 to 32) without advancing.
    @inlinable
    @inline(__always)
    package func peek(_ count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (peekWindow() >> 32) >> UInt64(truncatingIfNeeded: 32 &- count))
    }

    /// Reads `count` bits (0 to 32), most significant bit first.
    @inlinable
    @inline(__always)
    package mutating func read(_ count: Int) -> UInt32 {
        let value = peek(count)
        position &+= count
        return value
    }

    @inlinable
    @inline(__always)
    package mutating func readFlag() -> Bool { read(1) != 0 }

    @inlinable
    @inline(__always)
    package mutating func skip(_ count: Int) { position &+= count }

    package mutating func alignToByte() { position = (position + 7) & ~7 }
}
