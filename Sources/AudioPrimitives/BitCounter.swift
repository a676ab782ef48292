// SPDX-License-Identifier: Apache-2.0

/// Counts the bits that a ``BitWriter`` would store.
@usableFromInline package struct BitCounter: BitSink, Sendable {
    @usableFromInline package private(set) var bitCount = 0

    package init() {}

    /// Counts `count` bits, whatever the value.
    @inline(__always)
    @usableFromInline package mutating func write(_ value: UInt32, count: Int) { bitCount &+= count }
}
