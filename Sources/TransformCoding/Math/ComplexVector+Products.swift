// SPDX-License-Identifier: Apache-2.0

extension ComplexVector {
    /// |a|² of each number.
    @inlinable @inline(__always) package var energy: SIMD4<Float> { real * real + imaginary * imaginary }

    /// Returns a times the conjugate of b, per lane.
    @inlinable @inline(__always)
    package func timesConjugate(of b: ComplexVector) -> ComplexVector {
        ComplexVector(real * b.real + imaginary * b.imaginary, imaginary * b.real - real * b.imaginary)
    }

    /// Returns the real part of a times the conjugate of b, per lane.
    @inlinable @inline(__always)
    package func innerProduct(_ b: ComplexVector) -> SIMD4<Float> { real * b.real + imaginary * b.imaginary }
}
