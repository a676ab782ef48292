// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// One bounds check for four samples; the four accesses behind it cannot leave the span.

extension Span<Float> {
    /// Returns the four values from `index` on; traps outside the span.
    @inline(__always)
    func vector(at index: Int) -> SIMD4<Float> {
        precondition(index >= 0 && index &+ 4 <= count)
        return SIMD4(self[index], self[index &+ 1], self[index &+ 2], self[index &+ 3])
    }
}

extension MutableSpan<Float> {
    /// Returns the four values from `index` on; traps outside the span.
    @inline(__always)
    func vector(at index: Int) -> SIMD4<Float> {
        precondition(index >= 0 && index &+ 4 <= count)
        return SIMD4(self[index], self[index &+ 1], self[index &+ 2], self[index &+ 3])
    }

    /// Stores four values from `index` on; traps outside the span.
    @inline(__always)
    mutating func store(_ vector: SIMD4<Float>, at index: Int) {
        precondition(index >= 0 && index &+ 4 <= count)
        self[index] = vector.x
        self[index &+ 1] = vector.y
        self[index &+ 2] = vector.z
        self[index &+ 3] = vector.w
    }
}
