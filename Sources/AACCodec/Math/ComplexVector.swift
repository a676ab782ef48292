// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Four complex numbers, the real and the imaginary parts apart.
struct ComplexVector {
    var real: SIMD4<Float>
    var imaginary: SIMD4<Float>

    @inline(__always)
    init(_ real: SIMD4<Float>, _ imaginary: SIMD4<Float>) {
        self.real = real
        self.imaginary = imaginary
    }

    /// Four zeros.
    static let zero = ComplexVector(SIMD4(repeating: 0), SIMD4(repeating: 0))

    /// The vector times -i.
    @inline(__always) var timesMinusI: ComplexVector { ComplexVector(imaginary, SIMD4(repeating: 0) - real) }

    @inline(__always)
    static func + (a: ComplexVector, b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real + b.real, a.imaginary + b.imaginary)
    }

    @inline(__always)
    static func - (a: ComplexVector, b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real - b.real, a.imaginary - b.imaginary)
    }

    @inline(__always)
    static func * (a: ComplexVector, b: ComplexVector) -> ComplexVector {
        ComplexVector(
            a.real * b.real - a.imaginary * b.imaginary,
            a.real * b.imaginary + a.imaginary * b.real)
    }

    @inline(__always)
    static func * (a: ComplexVector, b: SIMD4<Float>) -> ComplexVector { ComplexVector(a.real * b, a.imaginary * b) }

    /// a + i b, without a multiplication.
    @inline(__always)
    static func sum(_ a: ComplexVector, plusITimes b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real - b.imaginary, a.imaginary + b.real)
    }

    /// a - i b, without a multiplication.
    @inline(__always)
    static func sum(_ a: ComplexVector, minusITimes b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real + b.imaginary, a.imaginary - b.real)
    }
}
