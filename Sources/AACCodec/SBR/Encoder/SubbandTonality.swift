// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How well each subband of a frame can be predicted from its last two columns: what is tone, and what is noise.
struct SubbandTonality: ~Copyable {
    /// The share of the energy of each subband that can't be predicted, 0 for a tone to 1.
    private(set) var residuals: [64 of Float] = .init(repeating: 1)
    /// The energy of each subband, a mean over the columns.
    private(set) var energies: [64 of Float] = .init(repeating: 0)

    /// Keeps a pure tone from making the system singular; nothing counts as more tonal than this.
    private static let relaxation: Float = 1.001
    /// Keeps silence from being a tone.
    private static let floor: Float = 32

    /// Makes the tonality of noise.
    init() {}

    /// Measures the frame at hand.
    mutating func measure(_ history: borrowing SubbandHistory, rows: Range<Int>) {
        let real = history.real.span
        let imaginary = history.imaginary.span
        let start = history.current
        for row in rows {
            var energy0 = SIMD4<Float>(repeating: Self.floor)
            var energy1 = energy0
            var energy2 = energy0
            var lag01 = ComplexVector.zero
            var lag12 = ComplexVector.zero
            var lag02 = ComplexVector.zero
            let first = start &+ row
            var x2 = ComplexVector(real[first], imaginary[first])
            var x1 = ComplexVector(real[first &+ 16], imaginary[first &+ 16])
            for column in 2..<SubbandColumns.columnCount {
                let place = first &+ SubbandColumns.rowCount &* column
                let x0 = ComplexVector(real[place], imaginary[place])
                energy0 += Self.energy(x0)
                energy1 += Self.energy(x1)
                energy2 += Self.energy(x2)
                lag01 = lag01 + Self.product(x0, x1)
                lag12 = lag12 + Self.product(x1, x2)
                lag02 = lag02 + Self.product(x0, x2)
                x2 = x1
                x1 = x0
            }
            // Least squares: x0 is predicted as a x1 + b x2.
            let relaxation = SIMD4<Float>(repeating: Self.relaxation)
            let (own1, own2) = (energy1 * relaxation, energy2 * relaxation)
            let determinant = own1 * own2 - Self.energy(lag12)
            let a = lag01 * own2 - Self.product(lag02, lag12)
            let b = lag02 * own1 - lag01 * lag12
            let explained = (Self.real(a, lag01) + Self.real(b, lag02)) / determinant
            let one = SIMD4<Float>(repeating: 1)
            let residual = (one - explained / energy0).maximum(SIMD4(repeating: 0)).minimum(one)
            var target = residuals.mutableSpan
            target.store(residual, at: 4 &* row)
            var means = energies.mutableSpan
            means.store((energy0 - SIMD4(repeating: Self.floor)) * (1.0 / 30), at: 4 &* row)
        }
    }
    @inline(__always)
    private static func energy(_ a: ComplexVector) -> SIMD4<Float> { a.real * a.real + a.imaginary * a.imaginary }

    /// a times the conjugate of b.
    @inline(__always)
    private static func product(_ a: ComplexVector, _ b: ComplexVector) -> ComplexVector {
        ComplexVector(a.real * b.real + a.imaginary * b.imaginary, a.imaginary * b.real - a.real * b.imaginary)
    }

    /// The real part of a times the conjugate of b.
    @inline(__always)
    private static func real(_ a: ComplexVector, _ b: ComplexVector) -> SIMD4<Float> {
        a.real * b.real + a.imaginary * b.imaginary
    }
}
