// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
public import _Builtin_intrinsics.intel

extension SIMD4<Float> {
    /// Returns the columns of four rows.
    @inlinable @inline(__always)
    package static func transposed(
        _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
    ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        let (ab0, ab1) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b))
        let (cd0, cd1) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d))
        return (_mm_movelh_ps(ab0, cd0), _mm_movehl_ps(cd0, ab0), _mm_movelh_ps(ab1, cd1), _mm_movehl_ps(cd1, ab1))
    }
}
#else
extension SIMD4<Float> {
    /// Returns the columns of four rows.
    @inlinable @inline(__always)
    package static func transposed(
        _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>
    ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        let ab0 = SIMD4(a.x, b.x, a.y, b.y)
        let ab1 = SIMD4(a.z, b.z, a.w, b.w)
        let cd0 = SIMD4(c.x, d.x, c.y, d.y)
        let cd1 = SIMD4(c.z, d.z, c.w, d.w)
        return (
            SIMD4(lowHalf: ab0.lowHalf, highHalf: cd0.lowHalf), SIMD4(lowHalf: ab0.highHalf, highHalf: cd0.highHalf),
            SIMD4(lowHalf: ab1.lowHalf, highHalf: cd1.lowHalf), SIMD4(lowHalf: ab1.highHalf, highHalf: cd1.highHalf)
        )
    }
}
#endif

extension ComplexVector {
    @inlinable @inline(__always) package var conjugate: ComplexVector { ComplexVector(real, SIMD4(repeating: 0) - imaginary) }

    /// The numbers with real and imaginary parts exchanged, which turns a transform into its inverse.
    @inlinable @inline(__always) package var swapped: ComplexVector { ComplexVector(imaginary, real) }
}
