// SPDX-License-Identifier: Apache-2.0

// Loads and stores of four samples with one bounds check. The accesses after the check cannot leave the span. Separate checks would keep
// the compiler from loading and storing whole vectors, and double a transform's instructions. The unchecked versions are for loops with
// bounds that are checked once for all iterations.

extension Span<Float> {
    /// Whether a range is within the span and its count is a multiple of four.
    @inlinable @inline(__always)
    package func hasQuads(_ lines: Range<Int>) -> Bool { lines.lowerBound >= 0 && lines.upperBound <= count && lines.count & 3 == 0 }

    /// Returns the four values starting at `index`.
    ///
    /// Traps outside the span.
    @inlinable @inline(__always)
    package func vector(at index: Int) -> SIMD4<Float> {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        return unsafe vector(unchecked: index)
    }

    /// Returns the four values starting at `index`, which must be within the span.
    @unsafe
    @inlinable @inline(__always)
    package func vector(unchecked index: Int) -> SIMD4<Float> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }
}

extension Span<Float> {
    /// Whether the sum of all values is finite.
    ///
    /// It is not if a value is infinite or NaN.
    package var hasFiniteSum: Bool {
        var sums = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        let whole = count & ~15
        var index = 0
        // All reads are within the span.
        while index < whole {
            unsafe sums.0 += vector(unchecked: index) + vector(unchecked: index &+ 4)
            unsafe sums.1 += vector(unchecked: index &+ 8) + vector(unchecked: index &+ 12)
            index &+= 16
        }
        var sum = (sums.0 + sums.1).laneSum
        while index < count {
            sum += self[index]
            index &+= 1
        }
        return sum.isFinite
    }
}

extension MutableSpan<Float> {
    /// Returns the four values starting at `index`.
    ///
    /// Traps outside the span.
    @inlinable @inline(__always)
    package func vector(at index: Int) -> SIMD4<Float> {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        return unsafe vector(unchecked: index)
    }

    /// Returns the four values starting at `index`, which must be within the span.
    @unsafe
    @inlinable @inline(__always)
    package func vector(unchecked index: Int) -> SIMD4<Float> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }

    /// Stores four values starting at `index`.
    ///
    /// Traps outside the span.
    @inlinable @inline(__always)
    package mutating func store(_ vector: SIMD4<Float>, at index: Int) {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        unsafe store(vector, unchecked: index)
    }

    /// Stores four values starting at `index`, which must be within the span.
    @unsafe
    @inlinable @inline(__always)
    package mutating func store(_ vector: SIMD4<Float>, unchecked index: Int) {
        // As a whole: four stores of lanes would also split the vector's last operations.
        var bytes = unsafe mutableBytes
        unsafe bytes.storeBytes(of: vector, toUncheckedByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }
}

extension Span<Int16> {
    /// Returns the four values starting at `index`, packed from the lowest 16 bits up.
    ///
    /// Traps outside the span.
    @inlinable @inline(__always)
    package func quad(at index: Int) -> UInt64 {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        // The range is checked above.
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 2 &* index, as: UInt64.self))
    }
}

extension MutableSpan<Int16> {
    /// Returns the four values starting at `index`, packed from the lowest 16 bits up.
    ///
    /// Traps outside the span.
    @inlinable @inline(__always)
    package func quad(at index: Int) -> UInt64 {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        // As above.
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 2 &* index, as: UInt64.self))
    }

    /// Stores two values starting at `index`, packed from the lowest 16 bits up.
    ///
    /// Traps outside the span.
    @inlinable @inline(__always)
    package mutating func store(pair: UInt32, at index: Int) {
        precondition(count >= 2 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 2))
        // As above.
        var bytes = unsafe mutableBytes
        unsafe bytes.storeBytes(of: pair.littleEndian, toUncheckedByteOffset: 2 &* index, as: UInt32.self)
    }

    /// Stores four values starting at `index`, packed from the lowest 16 bits up.
    ///
    /// Traps outside the span.
    @inlinable @inline(__always)
    package mutating func store(quad: UInt64, at index: Int) {
        precondition(count >= 4 && UInt(bitPattern: index) <= UInt(bitPattern: count &- 4))
        // As above.
        var bytes = unsafe mutableBytes
        unsafe bytes.storeBytes(of: quad.littleEndian, toUncheckedByteOffset: 2 &* index, as: UInt64.self)
    }
}

extension UInt64 {
    /// The nonzero 16-bit quarters: bit i is set for quarter i, counted from the lowest.
    @inlinable @inline(__always)
    package var nonzeroQuarters: UInt64 {
        let rest: UInt64 = 0x7FFF_7FFF_7FFF_7FFF
        let flags = ((self & rest &+ rest) | self) >> 15 & 0x0001_0001_0001_0001
        // The product has the flags in adjacent bits starting at bit 48.
        return (flags &* 0x0001_0002_0004_0008) >> 48 & 15
    }
}
