// SPDX-License-Identifier: Apache-2.0

// One bounds check for four values; the four accesses after it can't leave the span.

extension Span<Int16> {
    /// Returns the four values from `index` on; traps outside the span.
    @inlinable
    package func quartet(at index: Int) -> SIMD4<Int16> {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        return unsafe quartet(unchecked: index)
    }

    /// Returns the four values from `index` on, which must lie within the span.
    @unsafe
    @inlinable
    package func quartet(unchecked index: Int) -> SIMD4<Int16> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 2 &* index, as: SIMD4<Int16>.self)
    }
}

extension MutableSpan<Int16> {
    /// Stores four values from `index` on; traps outside the span.
    @inlinable
    package mutating func store(_ values: SIMD4<Int16>, at index: Int) {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        var bytes = unsafe mutableBytes
        unsafe bytes.storeBytes(of: values, toUncheckedByteOffset: 2 &* index, as: SIMD4<Int16>.self)
    }
}
