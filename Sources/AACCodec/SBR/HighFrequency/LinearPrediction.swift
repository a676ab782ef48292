// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Linear prediction of each low subband from its last two columns by the covariance method, for inverse filtering (ISO/IEC
/// 14496-3:2009, 4.6.18.6.2).
struct LinearPrediction {
    /// `α0`: the coefficients of the previous column, for 32 subbands.
    private(set) var first: [32 of SIMD2<Float>] = .init(repeating: SIMD2(0, 0))
    /// `α1`: the coefficients of the column before that.
    private(set) var second: [32 of SIMD2<Float>] = .init(repeating: SIMD2(0, 0))

    /// 1 + `ε_Inv`, which keeps the system of equations of a pure tone regular.
    private static let relaxation = 1.000_001

    /// Computes the coefficients of the subbands that patches copy.
    ///
    /// - Parameter columnCount: Columns of a frame, 32 or 30; the sums run over 6 more.
    init(_ low: inout LowBandColumns, patches: PatchTable, columnCount: Int) {
        for row in patches.sources.lowerBound / 4...(patches.sources.upperBound - 1) / 4 {
            let sums = Sums(low.real.span, low.imaginary.span, row: row, termCount: columnCount + 6)
            for lane in 0..<4 { solve(sums, lane: lane, band: 4 * row + lane) }
        }
    }

    /// The covariances `φ(i, j)` of four subbands.
    private struct Sums {
        /// `φ(1, 1)`.
        var energy1 = SIMD4<Float>(repeating: 0)
        /// `φ(2, 2)`.
        var energy2 = SIMD4<Float>(repeating: 0)
        /// `φ(0, 1)`.
        var lag01 = ComplexVector.zero
        /// `φ(1, 2)`.
        var lag12 = ComplexVector.zero
        /// `φ(0, 2)`.
        var lag02 = ComplexVector.zero

        /// Computes the covariances of subbands 4 `row` to 4 `row` + 3 over `termCount` columns.
        init(_ real: Span<SIMD4<Float>>, _ imaginary: Span<SIMD4<Float>>, row: Int, termCount: Int) {
            let first = LowBandColumns.row(ofColumn: 0) &+ row
            let x0 = ComplexVector(real[first], imaginary[first])
            let x1 = ComplexVector(real[first &+ 8], imaginary[first &+ 8])
            // φ(0, 1) and φ(1, 2), φ(1, 1) and φ(2, 2) have all terms but the first and the last in common.
            var energy = SIMD4<Float>(repeating: 0)
            var lag1 = ComplexVector.zero
            var lag2 = Self.product(ComplexVector(real[first &+ 16], imaginary[first &+ 16]), x0)
            var earlier = x1
            var current = ComplexVector(real[first &+ 16], imaginary[first &+ 16])
            for term in 1..<termCount {
                let index = first &+ 8 &* (term &+ 2)
                let next = ComplexVector(real[index], imaginary[index])
                energy += earlier.real * earlier.real + earlier.imaginary * earlier.imaginary
                lag1 = lag1 + Self.product(current, earlier)
                lag2 = lag2 + Self.product(next, earlier)
                earlier = current
                current = next
            }
            energy1 = energy + earlier.real * earlier.real + earlier.imaginary * earlier.imaginary
            energy2 = energy + x0.real * x0.real + x0.imaginary * x0.imaginary
            lag01 = lag1 + Self.product(current, earlier)
            lag12 = lag1 + Self.product(x1, x0)
            lag02 = lag2
        }

        /// Returns a · conj b.
        @inline(__always)
        private static func product(_ a: ComplexVector, _ b: ComplexVector) -> ComplexVector {
            ComplexVector(
                a.real * b.real + a.imaginary * b.imaginary, a.imaginary * b.real - a.real * b.imaginary)
        }
    }

    /// Solves the normal equations of one subband.
    private mutating func solve(_ sums: Sums, lane: Int, band: Int) {
        let energy1 = Double(sums.energy1[lane])
        let energy2 = Double(sums.energy2[lane])
        let lag01 = SIMD2(Double(sums.lag01.real[lane]), Double(sums.lag01.imaginary[lane]))
        let lag12 = SIMD2(Double(sums.lag12.real[lane]), Double(sums.lag12.imaginary[lane]))
        let lag02 = SIMD2(Double(sums.lag02.real[lane]), Double(sums.lag02.imaginary[lane]))
        // d = φ(2,2) φ(1,1) - |φ(1,2)|² / (1 + ε_Inv)
        let determinant = energy2 * energy1 - (lag12.x * lag12.x + lag12.y * lag12.y) / Self.relaxation

        var alpha1 = SIMD2<Double>(0, 0)
        // α1 = (φ(0,1) φ(1,2) - φ(0,2) φ(1,1)) / d
        if determinant != 0 {
            alpha1.x = (lag01.x * lag12.x - lag01.y * lag12.y - lag02.x * energy1) / determinant
            alpha1.y = (lag01.x * lag12.y + lag01.y * lag12.x - lag02.y * energy1) / determinant
        }
        var alpha0 = SIMD2<Double>(0, 0)
        // α0 = -(φ(0,1) + α1 conj φ(1,2)) / φ(1,1)
        if energy1 != 0 {
            alpha0.x = -(lag01.x + alpha1.x * lag12.x + alpha1.y * lag12.y) / energy1
            alpha0.y = -(lag01.y + alpha1.y * lag12.x - alpha1.x * lag12.y) / energy1
        }
        // Both are 0 where |α0| or |α1| is at least 4.
        let isStable =
            alpha0.x * alpha0.x + alpha0.y * alpha0.y < 16 && alpha1.x * alpha1.x + alpha1.y * alpha1.y < 16
        first[band] = isStable ? SIMD2(Float(alpha0.x), Float(alpha0.y)) : SIMD2(0, 0)
        second[band] = isStable ? SIMD2(Float(alpha1.x), Float(alpha1.y)) : SIMD2(0, 0)
    }
}
