// SPDX-License-Identifier: Apache-2.0

/// Linear prediction of each low subband from its previous two QMF slots, with the covariance method, for inverse filtering
/// (ISO/IEC 14496-3:2009, 4.6.18.6.2).
package struct LinearPrediction: ~Copyable {
    /// The real parts of `α0`, the coefficient of the previous QMF slot.
    ///
    /// Those of 32 subbands start at the second vector.
    ///
    /// One vector at either end stays 0, for unaligned vectors that start before the first or end after the last subband.
    private var firstReal = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 10)
    /// The imaginary parts of `α0`.
    private var firstImaginary = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 10)
    /// The real parts of `α1`, the coefficient of the QMF slot two slots earlier.
    private var secondReal = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 10)
    /// The imaginary parts of `α1`.
    private var secondImaginary = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 10)

    /// 1 + `ε_Inv`, which keeps the equations of a pure tone regular.
    private static let relaxation = 1.000_001

    package init() {}

    /// Computes the coefficients for a frame.
    ///
    /// - Parameters:
    ///   - rows: The required rows of four subbands, one bit each. Others become 0.
    ///   - qmfSlotCount: The number of QMF slots in the sums: a frame and three time slots.
    package mutating func compute(_ low: borrowing LowBandSlots, rows: UInt8, qmfSlotCount: Int) {
        firstReal.fill(SIMD4(repeating: 0))
        firstImaginary.fill(SIMD4(repeating: 0))
        secondReal.fill(SIMD4(repeating: 0))
        secondImaginary.fill(SIMD4(repeating: 0))
        var rest = rows
        while rest != 0 {
            let row = rest.trailingZeroBitCount
            rest &= rest &- 1
            let sums = Sums(low.real.span, low.imaginary.span, row: row, termCount: qmfSlotCount)
            for lane in 0..<4 { solve(sums, row: row, lane: lane) }
        }
    }

    /// Returns `α0` of four subbands starting at `band`.
    ///
    /// They may start or end outside the 32 subbands.
    @inline(__always)
    package func first(from band: Int) -> ComplexVector {
        ComplexVector(firstReal.span.unaligned(at: band &+ 4), firstImaginary.span.unaligned(at: band &+ 4))
    }

    /// Returns `α1` of four subbands starting at `band`.
    ///
    /// They may start or end outside the 32 subbands.
    @inline(__always)
    package func second(from band: Int) -> ComplexVector {
        ComplexVector(secondReal.span.unaligned(at: band &+ 4), secondImaginary.span.unaligned(at: band &+ 4))
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

        /// Computes the covariances of subbands 4 `row` to 4 `row` + 3 over `termCount` QMF slots.
        init(_ real: Span<SIMD4<Float>>, _ imaginary: Span<SIMD4<Float>>, row: Int, termCount: Int) {
            // QMF slots 0 to termCount + 1 of eight rows. All accesses are within these bounds.
            precondition(row >= 0 && row < 8 && termCount >= 1 && real.count == imaginary.count)
            precondition(real.count >= LowBandSlots.row(ofQMFSlot: termCount &+ 2))
            let first = LowBandSlots.row(ofQMFSlot: 0) &+ row
            let x0 = ComplexVector(real[first], imaginary[first])
            let x1 = ComplexVector(real[first &+ 8], imaginary[first &+ 8])
            // φ(0, 1) and φ(1, 2) share all terms except the first and last, and so do φ(1, 1) and φ(2, 2).
            var energy = SIMD4<Float>(repeating: 0)
            var lag1 = ComplexVector.zero
            var lag2 = ComplexVector(real[first &+ 16], imaginary[first &+ 16]).timesConjugate(of: x0)
            var earlier = x1
            var current = ComplexVector(real[first &+ 16], imaginary[first &+ 16])
            var index = first &+ 24
            let end = first &+ 8 &* (termCount &+ 2)
            while index < end {
                let next = unsafe ComplexVector(real[unchecked: index], imaginary[unchecked: index])
                index &+= 8
                energy += earlier.energy
                lag1 = lag1 + current.timesConjugate(of: earlier)
                lag2 = lag2 + next.timesConjugate(of: earlier)
                earlier = current
                current = next
            }
            energy1 = energy + earlier.energy
            energy2 = energy + x0.energy
            lag01 = lag1 + current.timesConjugate(of: earlier)
            lag12 = lag1 + x1.timesConjugate(of: x0)
            lag02 = lag2
        }
    }

    /// Solves the normal equations of one subband.
    private mutating func solve(_ sums: Sums, row: Int, lane: Int) {
        let (first, second) = Self.solve(
            energy1: Double(sums.energy1[lane]), energy2: Double(sums.energy2[lane]),
            lag01: SIMD2(Double(sums.lag01.real[lane]), Double(sums.lag01.imaginary[lane])),
            lag12: SIMD2(Double(sums.lag12.real[lane]), Double(sums.lag12.imaginary[lane])),
            lag02: SIMD2(Double(sums.lag02.real[lane]), Double(sums.lag02.imaginary[lane])))
        firstReal[row + 1][lane] = Float(first.x)
        firstImaginary[row + 1][lane] = Float(first.y)
        secondReal[row + 1][lane] = Float(second.x)
        secondImaginary[row + 1][lane] = Float(second.y)
    }

    /// Returns `α0` and `α1` for covariances.
    @inline(__always)
    static func solve(
        energy1: Double, energy2: Double, lag01: SIMD2<Double>, lag12: SIMD2<Double>, lag02: SIMD2<Double>
    ) -> (first: SIMD2<Double>, second: SIMD2<Double>) {
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
        // Both are 0 if |α0| or |α1| is at least 4.
        let isStable =
            alpha0.x * alpha0.x + alpha0.y * alpha0.y < 16 && alpha1.x * alpha1.x + alpha1.y * alpha1.y < 16
        return isStable ? (alpha0, alpha1) : (SIMD2(0, 0), SIMD2(0, 0))
    }
}
