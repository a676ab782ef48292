// SPDX-License-Identifier: Apache-2.0

/// Four complex numbers, with separate vectors for real and imaginary parts.
@usableFromInline package struct ComplexVector: BitwiseCopyable, Sendable {
    @usableFromInline package var real: SIMD4<Float>

    @usableFromInline package var imaginary: SIMD4<Float>

    @inlinable @inline(__always)
    package init(_ real: SIMD4<Float>, _ imaginary: SIMD4<Float>) {
        self.real = real
        self.imaginary = imaginary
    }

    @inlinable package static var zero: ComplexVector { ComplexVector(SIMD4(repeating: 0), SIMD4(repeating: 0)) }

    @inlinable @inline(__always) package var timesMinusI: ComplexVector { ComplexVector(imaginary, SIMD4(repeating: 0) - real) }

    @inlinable @inline(__always)
    package static func + (a: ComplexVector, b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real + b.real, a.imaginary + b.imaginary)
    }

    @inlinable @inline(__always)
    package static func - (a: ComplexVector, b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real - b.real, a.imaginary - b.imaginary)
    }

    @inlinable @inline(__always)
    package static func * (a: ComplexVector, b: ComplexVector) -> ComplexVector {
        ComplexVector(
            a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real)
    }

    @inlinable @inline(__always)
    package static func * (a: ComplexVector, b: SIMD4<Float>) -> ComplexVector { ComplexVector(a.real * b, a.imaginary * b) }

    /// Returns a + i b without a multiplication.
    @inlinable @inline(__always)
    package static func sum(_ a: ComplexVector, plusITimes b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real - b.imaginary, a.imaginary + b.real)
    }

    /// Returns a - i b without a multiplication.
    @inlinable @inline(__always)
    package static func sum(_ a: ComplexVector, minusITimes b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real + b.imaginary, a.imaginary - b.real)
    }
}
