// SPDX-License-Identifier: Apache-2.0

/// Counts bits where a ``BitWriter`` would store them.
@usableFromInline package struct BitCounter: BitSink, Sendable {
    /// The number of bits counted so far.
    @usableFromInline package private(set) var bitCount = 0

    /// Creates a counter at zero.
    package init() {}

    /// Counts `count` bits; the value does not matter.
    @inline(__always)
    @usableFromInline package mutating func write(_ value: UInt32, count: Int) { bitCount &+= count }
}
