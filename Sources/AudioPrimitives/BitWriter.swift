// SPDX-License-Identifier: Apache-2.0

/// A destination of bit fields: a writer that stores them, or a counter that only adds up their lengths.
///
/// Each syntax structure has one generic `write(to:)`, so counted and written bits cannot differ.
@usableFromInline package protocol BitSink {
    /// The number of bits written so far.
    var bitCount: Int { get }

    /// Writes the low `count` bits (0 to 32) of `value`, whose higher bits must be zero, most significant bit first.
    mutating func write(_ value: UInt32, count: Int)
}

extension BitSink {
    @inlinable
    package mutating func write(_ flag: Bool) { write(flag ? 1 : 0, count: 1) }

    /// Writes zeros up to the next byte boundary from the first bit.
    package mutating func alignToByte() { write(0, count: -bitCount & 7) }
}

/// Writes big-endian bit fields into bytes.
@usableFromInline package struct BitWriter: BitSink, Sendable {
    private var words = ContiguousArray<UInt64>()
    /// The bits not yet in `words`: fewer than 64, right-aligned below older bits that are already stored.
    @usableFromInline var pending: UInt64 = 0
    @usableFromInline var pendingCount = 0

    /// Creates an empty writer with space for `byteCapacity` bytes.
    package init(byteCapacity: Int = 64) { words.reserveCapacity(byteCapacity / 8 + 1) }

    /// The number of bits written so far.
    @usableFromInline package var bitCount: Int { words.count * 64 + pendingCount }

    /// Removes all bits and keeps the storage.
    package mutating func reset() {
        words.removeAll(keepingCapacity: true)
        pending = 0
        pendingCount = 0
    }

    /// Writes the low `count` bits (0 to 32) of `value`, whose higher bits must be zero, most significant bit first.
    @inlinable @inline(__always)
    package mutating func write(_ value: UInt32, count: Int) {
        let total = pendingCount &+ count
        if total < 64 {
            pending = pending &<< UInt64(truncatingIfNeeded: count) | UInt64(value)
            pendingCount = total
        } else {
            storeWord(value, count: count)
        }
    }

    /// Writes bits that complete a word.
    ///
    /// This is separate from ``write(_:count:)``, which usually only shifts and need not save registers.
    @usableFromInline @inline(never)
    mutating func storeWord(_ value: UInt32, count: Int) {
        let free = UInt64(truncatingIfNeeded: 64 &- pendingCount)
        pendingCount = pendingCount &+ count &- 64
        words.append(pending &<< free | UInt64(value) &>> UInt64(truncatingIfNeeded: pendingCount))
        pending = UInt64(value)
    }

    package func write(to sink: inout some BitSink) {
        for word in words {
            sink.write(UInt32(truncatingIfNeeded: word >> 32), count: 32)
            sink.write(UInt32(truncatingIfNeeded: word), count: 32)
        }
        for first in stride(from: 0, to: pendingCount, by: 32) {
            let count = min(32, pendingCount - first)
            let bits = pending >> UInt64(pendingCount - first - count)
            sink.write(UInt32(truncatingIfNeeded: bits & (1 << UInt64(count) - 1)), count: count)
        }
    }

    /// Appends all bits to `bytes`, with zero padding in the last byte.
    package func append(to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: (bitCount + 7) / 8))
        bytes.withMutableSpan { target in
            var index = start
            for word in words {
                var eight = target._mutatingExtracting(index..<index + 8)
                for position in 0..<8 { eight[position] = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * position)) }
                index += 8
            }
            let last = pending << UInt64(64 - pendingCount)
            for position in 0..<(pendingCount + 7) / 8 {
                target[index + position] = UInt8(truncatingIfNeeded: last >> UInt64(56 - 8 * position))
            }
        }
    }

    /// All bits as bytes, with zero padding in the last byte.
    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bitCount + 7) / 8)
        append(to: &result)
        return result
    }
}
