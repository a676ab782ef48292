// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension SIMD4<Float> {
    /// Turns four rows into four columns.
    @inline(__always)
    static func transposed(
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

extension ComplexVector {
    /// The complex conjugates.
    @inline(__always) var conjugate: ComplexVector { ComplexVector(real, SIMD4(repeating: 0) - imaginary) }

    /// The real parts in place of the imaginary ones and the reverse: turns a transform into its inverse.
    @inline(__always) var swapped: ComplexVector { ComplexVector(imaginary, real) }
}
