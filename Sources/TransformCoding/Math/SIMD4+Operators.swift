// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
public import _Builtin_intrinsics.intel

// The standard library's operators on SIMD4<Float> disassemble and reassemble the vector (Swift 6.3.1: about half the speed). These
// operators are concrete, so the type checker prefers them inside this module. They need only SSE2.

@inlinable @inline(__always) package func + (a: SIMD4<Float>, b: SIMD4<Float>) -> SIMD4<Float> { _mm_add_ps(a, b) }
@inlinable @inline(__always) package func - (a: SIMD4<Float>, b: SIMD4<Float>) -> SIMD4<Float> { _mm_sub_ps(a, b) }
@inlinable @inline(__always) package func * (a: SIMD4<Float>, b: SIMD4<Float>) -> SIMD4<Float> { _mm_mul_ps(a, b) }
@inlinable @inline(__always) package func / (a: SIMD4<Float>, b: SIMD4<Float>) -> SIMD4<Float> { _mm_div_ps(a, b) }
@inlinable @inline(__always) package func += (a: inout SIMD4<Float>, b: SIMD4<Float>) { a = _mm_add_ps(a, b) }
@inlinable @inline(__always) package func -= (a: inout SIMD4<Float>, b: SIMD4<Float>) { a = _mm_sub_ps(a, b) }
@inlinable @inline(__always) package func *= (a: inout SIMD4<Float>, b: SIMD4<Float>) { a = _mm_mul_ps(a, b) }

extension SIMD4<Float> {
    /// The correctly rounded square root of each lane.
    @inlinable @inline(__always) package var squareRoots: SIMD4<Float> { _mm_sqrt_ps(self) }

    /// Returns the minimum of each pair of lanes, which may not be NaN.
    @inlinable @inline(__always) package func minimum(_ other: SIMD4<Float>) -> SIMD4<Float> { _mm_min_ps(self, other) }

    /// Returns the maximum of each pair of lanes, which may not be NaN.
    @inlinable @inline(__always) package func maximum(_ other: SIMD4<Float>) -> SIMD4<Float> { _mm_max_ps(self, other) }

    /// The sign bits: bit i is set if lane i is negative.
    @inlinable @inline(__always) package var signBits: Int { Int(_mm_movemask_ps(self)) }

    /// Replaces NaN and lanes with magnitudes of at least `limit` with zero.
    @inlinable @inline(__always) package func zeroed(unlessBelow limit: Float) -> SIMD4<Float> {
        let isBelow = _mm_cmplt_ps(_mm_andnot_ps(SIMD4(repeating: -0.0), self), SIMD4(repeating: limit))
        return _mm_and_ps(self, isBelow)
    }

    /// The nearest integers, with ties to even, of magnitudes below 2²².
    @inlinable @inline(__always) package var nearest: (integers: SIMD4<Int32>, floats: SIMD4<Float>) {
        let integers = _mm_cvtps_epi32(self)
        return unsafe (unsafeBitCast(integers, to: SIMD4<Int32>.self), _mm_cvtepi32_ps(integers))
    }
}

extension SIMD4<Int32> {
    /// The lanes clamped to 16 bits, repeated in both halves.
    @inlinable @inline(__always) package var packedSaturating: SIMD8<Int16> {
        let lanes = unsafe unsafeBitCast(self, to: SIMD2<Int64>.self)
        return unsafe unsafeBitCast(_mm_packs_epi32(lanes, lanes), to: SIMD8<Int16>.self)
    }

    /// The sign bits: bit i is set if lane i is negative.
    @inlinable @inline(__always) package var signBits: Int { unsafe Int(_mm_movemask_ps(unsafeBitCast(self, to: SIMD4<Float>.self))) }
}

extension SIMD8<Int16> {
    /// Creates a vector from the lanes of two vectors, clamped to 16 bits.
    @inlinable @inline(__always) package init(saturating low: SIMD4<Int32>, _ high: SIMD4<Int32>) {
        let (low, high) = unsafe (unsafeBitCast(low, to: SIMD2<Int64>.self), unsafeBitCast(high, to: SIMD2<Int64>.self))
        self = unsafe unsafeBitCast(_mm_packs_epi32(low, high), to: SIMD8<Int16>.self)
    }

    /// Returns the weighted sums of adjacent pairs of lanes.
    @inlinable @inline(__always) package func weightedPairs(_ weights: SIMD8<Int16>) -> SIMD4<Int32> {
        let (lanes, weights) = unsafe (unsafeBitCast(self, to: SIMD2<Int64>.self), unsafeBitCast(weights, to: SIMD2<Int64>.self))
        return unsafe unsafeBitCast(_mm_madd_epi16(lanes, weights), to: SIMD4<Int32>.self)
    }

    @inlinable @inline(__always) package func minimum(_ other: SIMD8<Int16>) -> SIMD8<Int16> {
        let (a, b) = unsafe (unsafeBitCast(self, to: SIMD2<Int64>.self), unsafeBitCast(other, to: SIMD2<Int64>.self))
        return unsafe unsafeBitCast(_mm_min_epi16(a, b), to: SIMD8<Int16>.self)
    }

    @inlinable @inline(__always) package func maximum(_ other: SIMD8<Int16>) -> SIMD8<Int16> {
        let (a, b) = unsafe (unsafeBitCast(self, to: SIMD2<Int64>.self), unsafeBitCast(other, to: SIMD2<Int64>.self))
        return unsafe unsafeBitCast(_mm_max_epi16(a, b), to: SIMD8<Int16>.self)
    }
}
#else
extension SIMD8<Int16> {
    /// Creates a vector from the lanes of two vectors, clamped to 16 bits.
    @inlinable @inline(__always) package init(saturating low: SIMD4<Int32>, _ high: SIMD4<Int32>) {
        self.init(lowHalf: SIMD4<Int16>(clamping: low), highHalf: SIMD4<Int16>(clamping: high))
    }

    /// Returns the weighted sums of adjacent pairs of lanes.
    @inlinable @inline(__always) package func weightedPairs(_ weights: SIMD8<Int16>) -> SIMD4<Int32> {
        let first = SIMD4<Int32>(truncatingIfNeeded: evenHalf) &* SIMD4<Int32>(truncatingIfNeeded: weights.evenHalf)
        let second = SIMD4<Int32>(truncatingIfNeeded: oddHalf) &* SIMD4<Int32>(truncatingIfNeeded: weights.oddHalf)
        return first &+ second
    }

    @inlinable @inline(__always) package func minimum(_ other: SIMD8<Int16>) -> SIMD8<Int16> {
        replacing(with: other, where: other .< self)
    }

    @inlinable @inline(__always) package func maximum(_ other: SIMD8<Int16>) -> SIMD8<Int16> {
        replacing(with: other, where: other .> self)
    }
}

extension SIMD4<Int32> {
    /// The lanes clamped to 16 bits, repeated in both halves.
    @inlinable @inline(__always) package var packedSaturating: SIMD8<Int16> {
        let lanes = SIMD4<Int16>(clamping: self)
        return SIMD8(lowHalf: lanes, highHalf: lanes)
    }

    /// The sign bits: bit i is set if lane i is negative.
    @inlinable @inline(__always) package var signBits: Int {
        let bits = (self &>> 31) & SIMD4(1, 2, 4, 8)
        return Int((bits.x | bits.y) | (bits.z | bits.w))
    }
}

extension SIMD4<Float> {
    /// The nearest integers, with ties to even, of magnitudes below 2²².
    @inlinable @inline(__always) package var nearest: (integers: SIMD4<Int32>, floats: SIMD4<Float>) {
        // The sum's lowest bit has the weight 1: 3 · 2²².
        let unit = SIMD4<Float>(repeating: 12_582_912)
        let shifted = self + unit
        return (SIMD4<Int32>(truncatingIfNeeded: shifted.bitPatterns &- unit.bitPatterns), shifted - unit)
    }

    /// The correctly rounded square root of each lane.
    @inlinable @inline(__always) package var squareRoots: SIMD4<Float> { squareRoot() }

    /// Returns the minimum of each pair of lanes, which may not be NaN.
    @inlinable @inline(__always) package func minimum(_ other: SIMD4<Float>) -> SIMD4<Float> { pointwiseMin(self, other) }

    /// Returns the maximum of each pair of lanes, which may not be NaN.
    @inlinable @inline(__always) package func maximum(_ other: SIMD4<Float>) -> SIMD4<Float> { pointwiseMax(self, other) }

    /// The sign bits: bit i is set if lane i is negative.
    @inlinable @inline(__always) package var signBits: Int { SIMD4<Int32>(truncatingIfNeeded: bitPatterns).signBits }

    /// Replaces NaN and lanes with magnitudes of at least `limit` with zero.
    @inlinable @inline(__always) package func zeroed(unlessBelow limit: Float) -> SIMD4<Float> {
        SIMD4(repeating: 0).replacing(with: self, where: magnitudes .< SIMD4(repeating: limit))
    }
}
#endif

extension SIMD4<Int32> {
    /// The lanes clamped to 16 bits.
    @inlinable @inline(__always) package var saturated: SIMD4<Int16> { packedSaturating.lowHalf }
}

@inlinable @inline(__always) package func * (a: SIMD4<Float>, b: Float) -> SIMD4<Float> { a * SIMD4(repeating: b) }
@inlinable @inline(__always) package func * (a: Float, b: SIMD4<Float>) -> SIMD4<Float> { SIMD4(repeating: a) * b }

extension SIMD4<Float> {
    @inlinable @inline(__always) package var reversed: SIMD4<Float> { SIMD4(w, z, y, x) }

    /// The sum of the lanes, in the order (x + y) + (z + w).
    @inlinable @inline(__always) package var laneSum: Float { (x + y) + (z + w) }

    @inlinable @inline(__always) package var least: Float { Swift.min(Swift.min(x, y), Swift.min(z, w)) }

    @inlinable @inline(__always) package var most: Float { x.maximum(y).maximum(z.maximum(w)) }

    @inlinable @inline(__always) package var bitPatterns: SIMD4<UInt32> {
        SIMD4<UInt32>(x.bitPattern, y.bitPattern, z.bitPattern, w.bitPattern)
    }

    @inlinable @inline(__always) package init(bitPatterns bits: SIMD4<UInt32>) {
        self.init(
            Float(bitPattern: bits.x), Float(bitPattern: bits.y), Float(bitPattern: bits.z), Float(bitPattern: bits.w))
    }

    @inlinable @inline(__always) package var magnitudes: SIMD4<Float> {
        SIMD4(bitPatterns: bitPatterns & SIMD4<UInt32>(repeating: 0x7FFF_FFFF))
    }
}

extension Float {
    /// Returns the maximum of two numbers, which must not be NaN.
    ///
    /// It is one instruction; `max` compiles to five dependent ones.
    @inlinable @inline(__always) package func maximum(_ other: Float) -> Float { self > other ? self : other }
}
