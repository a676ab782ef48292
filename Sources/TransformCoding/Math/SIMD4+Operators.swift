// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
public import _Builtin_intrinsics.intel

// The standard library's operators on SIMD4<Float> take the vector apart and put it together again (Swift 6.3.1: about
// half the speed). These are concrete, so the type checker prefers them inside this module. SSE2 only.

/// Returns the sums of lanes.
@inlinable @inline(__always) package func + (a: SIMD4<Float>, b: SIMD4<Float>) -> SIMD4<Float> { _mm_add_ps(a, b) }
/// Returns the differences of lanes.
@inlinable @inline(__always) package func - (a: SIMD4<Float>, b: SIMD4<Float>) -> SIMD4<Float> { _mm_sub_ps(a, b) }
/// Returns the products of lanes.
@inlinable @inline(__always) package func * (a: SIMD4<Float>, b: SIMD4<Float>) -> SIMD4<Float> { _mm_mul_ps(a, b) }
/// Returns the quotients of lanes.
@inlinable @inline(__always) package func / (a: SIMD4<Float>, b: SIMD4<Float>) -> SIMD4<Float> { _mm_div_ps(a, b) }
/// Adds to each lane.
@inlinable @inline(__always) package func += (a: inout SIMD4<Float>, b: SIMD4<Float>) { a = _mm_add_ps(a, b) }
/// Subtracts from each lane.
@inlinable @inline(__always) package func -= (a: inout SIMD4<Float>, b: SIMD4<Float>) { a = _mm_sub_ps(a, b) }
/// Multiplies each lane.
@inlinable @inline(__always) package func *= (a: inout SIMD4<Float>, b: SIMD4<Float>) { a = _mm_mul_ps(a, b) }

extension SIMD4<Float> {
    /// The correctly rounded square root of each lane.
    @inlinable @inline(__always) package var squareRoots: SIMD4<Float> { _mm_sqrt_ps(self) }

    /// Returns the smaller of each pair of lanes; no lane may be NaN.
    @inlinable @inline(__always) package func minimum(_ other: SIMD4<Float>) -> SIMD4<Float> { _mm_min_ps(self, other) }

    /// Returns the larger of each pair of lanes; no lane may be NaN.
    @inlinable @inline(__always) package func maximum(_ other: SIMD4<Float>) -> SIMD4<Float> { _mm_max_ps(self, other) }

    /// Returns the lanes whose absolute values are below `limit`, and zero in place of the others and of NaN.
    @inlinable @inline(__always) package func zeroed(unlessBelow limit: Float) -> SIMD4<Float> {
        let isBelow = _mm_cmplt_ps(_mm_andnot_ps(SIMD4(repeating: -0.0), self), SIMD4(repeating: limit))
        return _mm_and_ps(self, isBelow)
    }

    /// The nearest integers, of two equally near ones the even one; magnitudes must be below 2²².
    @inlinable @inline(__always) package var nearest: (integers: SIMD4<Int32>, floats: SIMD4<Float>) {
        let integers = _mm_cvtps_epi32(self)
        return unsafe (unsafeBitCast(integers, to: SIMD4<Int32>.self), _mm_cvtepi32_ps(integers))
    }
}

extension SIMD4<Int32> {
    /// The lanes as 16-bit integers, clamped to their range, in each half.
    @inlinable @inline(__always) package var saturatedTwice: SIMD8<Int16> {
        let lanes = unsafe unsafeBitCast(self, to: SIMD2<Int64>.self)
        return unsafe unsafeBitCast(_mm_packs_epi32(lanes, lanes), to: SIMD8<Int16>.self)
    }

    /// The signs: bit i is set where lane i is negative.
    @inlinable @inline(__always) package var signBits: Int { unsafe Int(_mm_movemask_ps(unsafeBitCast(self, to: SIMD4<Float>.self))) }
}

extension SIMD8<Int16> {
    /// Makes the lanes of two vectors, clamped to the range of 16-bit integers.
    @inlinable @inline(__always) package init(saturating low: SIMD4<Int32>, _ high: SIMD4<Int32>) {
        let (low, high) = unsafe (unsafeBitCast(low, to: SIMD2<Int64>.self), unsafeBitCast(high, to: SIMD2<Int64>.self))
        self = unsafe unsafeBitCast(_mm_packs_epi32(low, high), to: SIMD8<Int16>.self)
    }

    /// Returns the weighted sums of neighbouring lanes.
    @inlinable @inline(__always) package func weightedPairs(_ weights: SIMD8<Int16>) -> SIMD4<Int32> {
        let (lanes, weights) = unsafe (unsafeBitCast(self, to: SIMD2<Int64>.self), unsafeBitCast(weights, to: SIMD2<Int64>.self))
        return unsafe unsafeBitCast(_mm_madd_epi16(lanes, weights), to: SIMD4<Int32>.self)
    }

    /// Returns the smaller of each pair of lanes.
    @inlinable @inline(__always) package func minimum(_ other: SIMD8<Int16>) -> SIMD8<Int16> {
        let (a, b) = unsafe (unsafeBitCast(self, to: SIMD2<Int64>.self), unsafeBitCast(other, to: SIMD2<Int64>.self))
        return unsafe unsafeBitCast(_mm_min_epi16(a, b), to: SIMD8<Int16>.self)
    }

    /// Returns the larger of each pair of lanes.
    @inlinable @inline(__always) package func maximum(_ other: SIMD8<Int16>) -> SIMD8<Int16> {
        let (a, b) = unsafe (unsafeBitCast(self, to: SIMD2<Int64>.self), unsafeBitCast(other, to: SIMD2<Int64>.self))
        return unsafe unsafeBitCast(_mm_max_epi16(a, b), to: SIMD8<Int16>.self)
    }
}
#else
extension SIMD8<Int16> {
    /// Makes the lanes of two vectors, clamped to the range of 16-bit integers.
    @inlinable @inline(__always) package init(saturating low: SIMD4<Int32>, _ high: SIMD4<Int32>) {
        self.init(lowHalf: SIMD4<Int16>(clamping: low), highHalf: SIMD4<Int16>(clamping: high))
    }

    /// Returns the weighted sums of neighbouring lanes.
    @inlinable @inline(__always) package func weightedPairs(_ weights: SIMD8<Int16>) -> SIMD4<Int32> {
        let first = SIMD4<Int32>(truncatingIfNeeded: evenHalf) &* SIMD4<Int32>(truncatingIfNeeded: weights.evenHalf)
        let second = SIMD4<Int32>(truncatingIfNeeded: oddHalf) &* SIMD4<Int32>(truncatingIfNeeded: weights.oddHalf)
        return first &+ second
    }

    /// Returns the smaller of each pair of lanes.
    @inlinable @inline(__always) package func minimum(_ other: SIMD8<Int16>) -> SIMD8<Int16> {
        replacing(with: other, where: other .< self)
    }

    /// Returns the larger of each pair of lanes.
    @inlinable @inline(__always) package func maximum(_ other: SIMD8<Int16>) -> SIMD8<Int16> {
        replacing(with: other, where: other .> self)
    }
}

extension SIMD4<Int32> {
    /// The lanes as 16-bit integers, clamped to their range, in each half.
    @inlinable @inline(__always) package var saturatedTwice: SIMD8<Int16> {
        let lanes = SIMD4<Int16>(clamping: self)
        return SIMD8(lowHalf: lanes, highHalf: lanes)
    }

    /// The signs: bit i is set where lane i is negative.
    @inlinable @inline(__always) package var signBits: Int {
        let bits = (self &>> 31) & SIMD4(1, 2, 4, 8)
        return Int((bits.x | bits.y) | (bits.z | bits.w))
    }
}

extension SIMD4<Float> {
    /// The nearest integers, of two equally near ones the even one; magnitudes must be below 2²².
    @inlinable @inline(__always) package var nearest: (integers: SIMD4<Int32>, floats: SIMD4<Float>) {
        // The sum's lowest bit is a unit: 3 · 2²².
        let unit = SIMD4<Float>(repeating: 12_582_912)
        let shifted = self + unit
        return (SIMD4<Int32>(truncatingIfNeeded: shifted.bitPatterns &- unit.bitPatterns), shifted - unit)
    }

    /// The correctly rounded square root of each lane.
    @inlinable @inline(__always) package var squareRoots: SIMD4<Float> { squareRoot() }

    /// Returns the smaller of each pair of lanes; no lane may be NaN.
    @inlinable @inline(__always) package func minimum(_ other: SIMD4<Float>) -> SIMD4<Float> { pointwiseMin(self, other) }

    /// Returns the larger of each pair of lanes; no lane may be NaN.
    @inlinable @inline(__always) package func maximum(_ other: SIMD4<Float>) -> SIMD4<Float> { pointwiseMax(self, other) }

    /// Returns the lanes whose absolute values are below `limit`, and zero in place of the others and of NaN.
    @inlinable @inline(__always) package func zeroed(unlessBelow limit: Float) -> SIMD4<Float> {
        SIMD4(repeating: 0).replacing(with: self, where: magnitudes .< SIMD4(repeating: limit))
    }
}
#endif

extension SIMD4<Int32> {
    /// The lanes as 16-bit integers, clamped to their range.
    @inlinable @inline(__always) package var saturated: SIMD4<Int16> { saturatedTwice.lowHalf }
}

/// Returns the products of the lanes and a number.
@inlinable @inline(__always) package func * (a: SIMD4<Float>, b: Float) -> SIMD4<Float> { a * SIMD4(repeating: b) }
/// Returns the products of a number and the lanes.
@inlinable @inline(__always) package func * (a: Float, b: SIMD4<Float>) -> SIMD4<Float> { SIMD4(repeating: a) * b }

extension SIMD4<Float> {
    /// The lanes in reverse order.
    @inlinable @inline(__always) package var reversed: SIMD4<Float> { SIMD4(w, z, y, x) }

    /// The sum of the lanes, always as (x + y) + (z + w).
    @inlinable @inline(__always) package var laneSum: Float { (x + y) + (z + w) }

    /// The smallest lane.
    @inlinable @inline(__always) package var least: Float { Swift.min(Swift.min(x, y), Swift.min(z, w)) }

    /// The largest lane.
    @inlinable @inline(__always) package var most: Float { x.maximum(y).maximum(z.maximum(w)) }

    /// The bits of each lane.
    @inlinable @inline(__always) package var bitPatterns: SIMD4<UInt32> {
        SIMD4<UInt32>(x.bitPattern, y.bitPattern, z.bitPattern, w.bitPattern)
    }

    /// Makes a vector of the lanes with these bits.
    @inlinable @inline(__always) package init(bitPatterns bits: SIMD4<UInt32>) {
        self.init(
            Float(bitPattern: bits.x), Float(bitPattern: bits.y), Float(bitPattern: bits.z), Float(bitPattern: bits.w))
    }

    /// The absolute value of each lane.
    @inlinable @inline(__always) package var magnitudes: SIMD4<Float> {
        SIMD4(bitPatterns: bitPatterns & SIMD4<UInt32>(repeating: 0x7FFF_FFFF))
    }
}

extension Float {
    /// Returns the larger of two numbers, neither of which may be NaN; one instruction, where `max` takes five in turn.
    @inlinable @inline(__always) package func maximum(_ other: Float) -> Float { self > other ? self : other }
}
