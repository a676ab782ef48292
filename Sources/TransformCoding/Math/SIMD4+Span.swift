// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// Four samples behind one bounds check. The accesses after it can't leave the span; checked again one by one, they would
// keep the compiler from loading and storing whole vectors (twice the instructions of a transform). The unchecked ones are for loops
// whose bounds have been checked as a whole before.

extension Span<Float> {
    /// Whether lines are within the span, and can be read in fours.
    @inlinable @inline(__always)
    package func hasQuads(_ lines: Range<Int>) -> Bool { lines.lowerBound >= 0 && lines.upperBound <= count && lines.count & 3 == 0 }

    /// Returns the four values from `index` on; traps outside the span.
    @inlinable @inline(__always)
    package func vector(at index: Int) -> SIMD4<Float> {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        return unsafe vector(unchecked: index)
    }

    /// Returns the four values from `index` on, which must lie within the span.
    @unsafe
    @inlinable @inline(__always)
    package func vector(unchecked index: Int) -> SIMD4<Float> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }
}

extension MutableSpan<Float> {
    /// Returns the four values from `index` on; traps outside the span.
    @inlinable @inline(__always)
    package func vector(at index: Int) -> SIMD4<Float> {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        return unsafe vector(unchecked: index)
    }

    /// Returns the four values from `index` on, which must lie within the span.
    @unsafe
    @inlinable @inline(__always)
    package func vector(unchecked index: Int) -> SIMD4<Float> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }

    /// Stores four values from `index` on; traps outside the span.
    @inlinable @inline(__always)
    package mutating func store(_ vector: SIMD4<Float>, at index: Int) {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        unsafe store(vector, unchecked: index)
    }

    /// Stores four values from `index` on, which must lie within the span.
    @unsafe
    @inlinable @inline(__always)
    package mutating func store(_ vector: SIMD4<Float>, unchecked index: Int) {
        // As a whole: four stores of lanes would also take apart the vector's last operations.
        var bytes = unsafe mutableBytes
        unsafe bytes.storeBytes(of: vector, toUncheckedByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }
}
