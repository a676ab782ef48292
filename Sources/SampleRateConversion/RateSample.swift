// SPDX-License-Identifier: Apache-2.0

/// The type of the samples of a conversion, with the loops that need vectors.
protocol RateSample: BinaryFloatingPoint, BitwiseCopyable {
    /// Returns the sum of the products of samples and taps from an index of each on.
    ///
    /// - Parameter count: The number of products, a multiple of 8.
    static func filtered(_ samples: Span<Self>, at first: Int, _ taps: Span<Self>, at firstTap: Int, count: Int) -> Self

    /// Returns four such sums, to the bit, with the same taps, whose samples begin a distance apart: the taps are loaded once.
    static func filteredFour(
        _ samples: Span<Self>, at first: Int, distance: Int, _ taps: Span<Self>, at firstTap: Int, count: Int
    ) -> (Self, Self, Self, Self)

    /// Sets taps to those between the second and the third of four rows, which follow each other in memory, by cubic interpolation.
    ///
    /// - Parameters:
    ///   - weights: The weights of the rows.
    ///   - first: The index of the first row's first tap.
    static func interpolate(_ rows: Span<Self>, at first: Int, weights: RateWeights<Self>, into taps: inout MutableSpan<Self>)
}

/// The weights of four rows of taps for a place between the second and the third.
struct RateWeights<Sample: RateSample> {
    let first, second, third, fourth: Sample

    /// Computes the weights of the polynomial through four rows (Lagrange) at a place from 0 to 1.
    init(at x: Double) {
        let (before, after, last) = (x + 1, x - 1, x - 2)
        (first, second) = (Sample(-x * after * last / 6), Sample(before * after * last / 2))
        (third, fourth) = (Sample(-before * x * last / 2), Sample(before * x * after / 6))
    }
}

extension Float: RateSample {
    /// Returns the sum of the products of samples and taps.
    static func filtered(_ samples: Span<Float>, at first: Int, _ taps: Span<Float>, at firstTap: Int, count: Int) -> Float {
        precondition(count & 7 == 0 && samples.indices.contains(first) && count <= samples.count - first)
        precondition(taps.indices.contains(firstTap) && count <= taps.count - firstTap)
        var sum = SIMD8<Float>.zero
        var index = 0
        // All that is read lies within the ranges that were checked.
        while index < count {
            unsafe sum += samples.eight(first &+ index) * taps.eight(firstTap &+ index)
            index &+= 8
        }
        return sum.sum()
    }

    /// Returns four sums with the same taps.
    static func filteredFour(
        _ samples: Span<Float>, at first: Int, distance: Int, _ taps: Span<Float>, at firstTap: Int, count: Int
    ) -> (Float, Float, Float, Float) {
        precondition(count & 7 == 0 && first >= 0 && distance >= 0 && 3 * distance + count <= samples.count - first)
        precondition(taps.indices.contains(firstTap) && count <= taps.count - firstTap)
        var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
        var index = 0
        // All that is read lies within the ranges that were checked.
        while index < count {
            let factors = unsafe taps.eight(firstTap &+ index)
            let place = first &+ index
            unsafe sums.0 += samples.eight(place) * factors
            unsafe sums.1 += samples.eight(place &+ distance) * factors
            unsafe sums.2 += samples.eight(place &+ 2 &* distance) * factors
            unsafe sums.3 += samples.eight(place &+ 3 &* distance) * factors
            index &+= 8
        }
        return (sums.0.sum(), sums.1.sum(), sums.2.sum(), sums.3.sum())
    }

    /// Interpolates taps between four rows.
    static func interpolate(_ rows: Span<Float>, at first: Int, weights: RateWeights<Float>, into taps: inout MutableSpan<Float>) {
        let count = taps.count
        precondition(count & 7 == 0 && first >= 0 && 4 * count <= rows.count - first)
        var index = 0
        while index < count {
            let place = first &+ index
            let sum = unsafe rows.eight(place) * weights.first + rows.eight(place &+ count) * weights.second
            let rest = unsafe rows.eight(place &+ 2 &* count) * weights.third + rows.eight(place &+ 3 &* count) * weights.fourth
            var bytes = unsafe taps.mutableBytes
            unsafe bytes.storeBytes(of: sum + rest, toUncheckedByteOffset: 4 &* index, as: SIMD8<Float>.self)
            index &+= 8
        }
    }
}

extension Span<Float> {
    /// Returns the eight values from `index` on, which must lie within the span.
    @unsafe
    @inline(__always)
    fileprivate func eight(_ index: Int) -> SIMD8<Float> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* index, as: SIMD8<Float>.self)
    }
}

extension Double: RateSample {
    /// Returns the sum of the products of samples and taps.
    static func filtered(_ samples: Span<Double>, at first: Int, _ taps: Span<Double>, at firstTap: Int, count: Int) -> Double {
        precondition(count & 7 == 0 && samples.indices.contains(first) && count <= samples.count - first)
        precondition(taps.indices.contains(firstTap) && count <= taps.count - firstTap)
        var sum = SIMD4<Double>.zero
        var index = 0
        // All that is read lies within the ranges that were checked.
        while index < count {
            unsafe sum += samples.four(first &+ index) * taps.four(firstTap &+ index)
            index &+= 4
        }
        return sum.sum()
    }

    /// Returns four sums with the same taps.
    static func filteredFour(
        _ samples: Span<Double>, at first: Int, distance: Int, _ taps: Span<Double>, at firstTap: Int, count: Int
    ) -> (Double, Double, Double, Double) {
        precondition(count & 7 == 0 && first >= 0 && distance >= 0 && 3 * distance + count <= samples.count - first)
        precondition(taps.indices.contains(firstTap) && count <= taps.count - firstTap)
        var sums = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        var index = 0
        // All that is read lies within the ranges that were checked.
        while index < count {
            let factors = unsafe taps.four(firstTap &+ index)
            let place = first &+ index
            unsafe sums.0 += samples.four(place) * factors
            unsafe sums.1 += samples.four(place &+ distance) * factors
            unsafe sums.2 += samples.four(place &+ 2 &* distance) * factors
            unsafe sums.3 += samples.four(place &+ 3 &* distance) * factors
            index &+= 4
        }
        return (sums.0.sum(), sums.1.sum(), sums.2.sum(), sums.3.sum())
    }

    /// Interpolates taps between four rows.
    static func interpolate(_ rows: Span<Double>, at first: Int, weights: RateWeights<Double>, into taps: inout MutableSpan<Double>) {
        let count = taps.count
        precondition(count & 7 == 0 && first >= 0 && 4 * count <= rows.count - first)
        var index = 0
        while index < count {
            let place = first &+ index
            let sum = unsafe rows.four(place) * weights.first + rows.four(place &+ count) * weights.second
            let rest = unsafe rows.four(place &+ 2 &* count) * weights.third + rows.four(place &+ 3 &* count) * weights.fourth
            var bytes = unsafe taps.mutableBytes
            unsafe bytes.storeBytes(of: sum + rest, toUncheckedByteOffset: 8 &* index, as: SIMD4<Double>.self)
            index &+= 4
        }
    }
}

extension Span<Double> {
    /// Returns the four values from `index` on, which must lie within the span.
    @unsafe
    @inline(__always)
    fileprivate func four(_ index: Int) -> SIMD4<Double> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 8 &* index, as: SIMD4<Double>.self)
    }
}
