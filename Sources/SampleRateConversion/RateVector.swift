// SPDX-License-Identifier: Apache-2.0

/// A vector of samples, at most 8, so that its size divides the number of taps.
protocol RateVector: SIMD, BitwiseCopyable where Scalar: BinaryFloatingPoint & BitwiseCopyable {}

extension SIMD8: RateVector where Scalar == Float {}
extension SIMD4: RateVector where Scalar == Double {}

/// The cubic interpolation weights of four rows of taps, for a position between the second and the third.
struct RateWeights<Sample: BinaryFloatingPoint> {
    let first, second, third, fourth: Sample

    /// Computes the weights of the Lagrange polynomial through four rows, at a position from 0 to 1.
    init(at x: Double) {
        let (before, after, last) = (x + 1, x - 1, x - 2)
        (first, second) = (Sample(-x * after * last / 6), Sample(before * after * last / 2))
        (third, fourth) = (Sample(-before * x * last / 2), Sample(before * x * after / 6))
    }
}

extension RateVector {
    /// Returns the dot product of samples and taps, starting at an index of each.
    ///
    /// - Parameter count: The number of products, a multiple of 8.
    @inline(__always)
    static func filtered(_ samples: Span<Scalar>, at first: Int, _ taps: Span<Scalar>, at firstTap: Int, count: Int) -> Scalar {
        precondition(count & 7 == 0 && samples.indices.contains(first) && count <= samples.count - first)
        precondition(taps.indices.contains(firstTap) && count <= taps.count - firstTap)
        var sum = Self.zero
        var index = 0
        // All reads are inside the ranges checked above.
        while index < count {
            unsafe sum += loaded(samples, first &+ index) * loaded(taps, firstTap &+ index)
            index &+= scalarCount
        }
        return sum.sum()
    }

    /// Returns four bit-identical dot products with the same taps, for samples a constant distance apart.
    ///
    /// Taps are loaded only once.
    @inline(__always)
    static func filteredFour(
        _ samples: Span<Scalar>, at first: Int, distance: Int, _ taps: Span<Scalar>, at firstTap: Int, count: Int
    ) -> (Scalar, Scalar, Scalar, Scalar) {
        precondition(count & 7 == 0 && first >= 0 && distance >= 0 && 3 * distance + count <= samples.count - first)
        precondition(taps.indices.contains(firstTap) && count <= taps.count - firstTap)
        var sums = (Self.zero, Self.zero, Self.zero, Self.zero)
        var index = 0
        // All reads are inside the ranges checked above.
        while index < count {
            let factors = unsafe loaded(taps, firstTap &+ index)
            let offset = first &+ index
            unsafe sums.0 += loaded(samples, offset) * factors
            unsafe sums.1 += loaded(samples, offset &+ distance) * factors
            unsafe sums.2 += loaded(samples, offset &+ 2 &* distance) * factors
            unsafe sums.3 += loaded(samples, offset &+ 3 &* distance) * factors
            index &+= scalarCount
        }
        return (sums.0.sum(), sums.1.sum(), sums.2.sum(), sums.3.sum())
    }

    /// Computes taps between the second and third of four consecutive rows by cubic interpolation.
    ///
    /// - Parameter first: The index of the first row's first tap.
    @inline(__always)
    static func interpolate(_ rows: Span<Scalar>, at first: Int, weights: RateWeights<Scalar>, into taps: inout MutableSpan<Scalar>) {
        let count = taps.count
        precondition(count & 7 == 0 && first >= 0 && 4 * count <= rows.count - first)
        var index = 0
        while index < count {
            let offset = first &+ index
            let sum = unsafe loaded(rows, offset) * weights.first + loaded(rows, offset &+ count) * weights.second
            let rest = unsafe loaded(rows, offset &+ 2 &* count) * weights.third + loaded(rows, offset &+ 3 &* count) * weights.fourth
            var bytes = unsafe taps.mutableBytes
            unsafe bytes.storeBytes(of: sum + rest, toUncheckedByteOffset: MemoryLayout<Scalar>.stride &* index, as: Self.self)
            index &+= scalarCount
        }
    }

    /// Loads the vector at `index`, which must be inside the span.
    @unsafe
    @inline(__always)
    private static func loaded(_ values: Span<Scalar>, _ index: Int) -> Self {
        unsafe values.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: MemoryLayout<Scalar>.stride &* index, as: Self.self)
    }
}
