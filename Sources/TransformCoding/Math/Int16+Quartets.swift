// SPDX-License-Identifier: Apache-2.0

// One bounds check covers four values. The accesses after it cannot leave the span.

extension Span<Int16> {
    /// Returns the four values starting at `index`.
    ///
    /// Traps outside the span.
    @inlinable
    package func quartet(at index: Int) -> SIMD4<Int16> {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        return unsafe quartet(unchecked: index)
    }

    /// Returns the four values starting at `index`, which must be within the span.
    @unsafe
    @inlinable
    package func quartet(unchecked index: Int) -> SIMD4<Int16> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 2 &* index, as: SIMD4<Int16>.self)
    }
}

extension MutableSpan<Int16> {
    /// Stores four values starting at `index`.
    ///
    /// Traps outside the span.
    @inlinable
    package mutating func store(_ values: SIMD4<Int16>, at index: Int) {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        var bytes = unsafe mutableBytes
        unsafe bytes.storeBytes(of: values, toUncheckedByteOffset: 2 &* index, as: SIMD4<Int16>.self)
    }
}
