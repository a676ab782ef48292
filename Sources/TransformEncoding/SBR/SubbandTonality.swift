// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The predictability of each subband of a frame from its previous two QMF slots, by least squares: near 1 for tones, small for noise.
package struct SubbandTonality: ~Copyable {
    /// The unpredictable fraction of each subband's energy, from 0 (tone) to 1.
    package private(set) var residuals = FixedArray<Float>(repeating: 1, count: 64)
    package private(set) var energies = FixedArray<Float>(repeating: 0, count: 64)

    /// The factor on the diagonal that keeps the equations of a pure tone regular and limits its tonality.
    private static let relaxation: Float = 1.001
    /// The ratio of white noise's unpredictable fraction with every QMF slot to every second one (0.50 / 0.88).
    private static let halvedResidual: Float = 0.56
    /// The energy added to each sum, so that silence does not count as a tone.
    private static let floor: Float = 32

    /// Creates the tonality of noise.
    package init() {}

    /// Measures rows of four subbands of the current frame.
    package mutating func measure(_ history: borrowing SubbandHistory, rows: Range<Int>) {
        let (start, count) = history.tonalQMFSlots
        let scale = history.isHalved ? Self.halvedResidual : 1
        let (real, imaginary, squares) = (history.real.span, history.imaginary.span, history.energies.span)
        var target = residuals.mutableSpan(first: 64)
        var means = energies.mutableSpan(first: 64)
        for row in rows {
            let sums = Self.sums(real, imaginary, squares, first: start &+ row, count: count)
            target.store(sums.residual * scale, at: 4 &* row)
            means.store((sums.energy0 - SIMD4(repeating: Self.floor)) * (1 / Float(count &- 2)), at: 4 &* row)
        }
    }

    /// The covariances of three consecutive QMF slots over a frame, for four subbands.
    private struct Sums {
        /// The energy of the QMF slot.
        var energy0 = SIMD4<Float>(repeating: floor)
        /// The energy of the previous QMF slot.
        var energy1 = SIMD4<Float>(repeating: floor)
        /// The energy of the QMF slot before that.
        var energy2 = SIMD4<Float>(repeating: floor)
        /// The product of the QMF slot and the conjugate of the previous slot.
        var lag01 = ComplexVector.zero
        /// ``lag01`` one QMF slot earlier.
        var lag12 = ComplexVector.zero
        /// The product of the QMF slot and the conjugate of the one two slots earlier.
        var lag02 = ComplexVector.zero

        /// The unpredictable fraction if a QMF slot is predicted as a · (previous slot) + b · (slot before that).
        var residual: SIMD4<Float> {
            let relaxation = SIMD4<Float>(repeating: SubbandTonality.relaxation)
            let (own1, own2) = (energy1 * relaxation, energy2 * relaxation)
            let determinant = own1 * own2 - lag12.energy
            let a = lag01 * own2 - lag02.timesConjugate(of: lag12)
            let b = lag02 * own1 - lag01 * lag12
            let explained = (a.innerProduct(lag01) + b.innerProduct(lag02)) / determinant
            let one = SIMD4<Float>(repeating: 1)
            return (one - explained / energy0).maximum(SIMD4(repeating: 0)).minimum(one)
        }
    }

    private static func sums(
        _ real: Span<SIMD4<Float>>, _ imaginary: Span<SIMD4<Float>>, _ squares: Span<SIMD4<Float>>, first: Int, count: Int
    ) -> Sums {
        let step = SubbandSlots.rowCount
        // All QMF slots of the subbands, which contain all accesses below.
        let vectors = first..<first &+ step &* (count &- 1) &+ 1
        let (real, imaginary, squares) = (real.extracting(vectors), imaginary.extracting(vectors), squares.extracting(vectors))
        var sums = Sums()
        // Two loops, because their sums together need more registers than there are.
        var index = 2 &* step
        while index < squares.count {
            unsafe sums.energy0 += squares[unchecked: index]
            unsafe sums.energy1 += squares[unchecked: index &- step]
            unsafe sums.energy2 += squares[unchecked: index &- 2 &* step]
            index &+= step
        }
        var x2 = ComplexVector(real[0], imaginary[0])
        var x1 = ComplexVector(real[step], imaginary[step])
        // The product of one QMF slot is reused for the next.
        var product12 = x1.timesConjugate(of: x2)
        index = 2 &* step
        while index < real.count {
            let x0 = unsafe ComplexVector(real[unchecked: index], imaginary[unchecked: index])
            let product01 = x0.timesConjugate(of: x1)
            sums.lag01 = sums.lag01 + product01
            sums.lag12 = sums.lag12 + product12
            sums.lag02 = sums.lag02 + x0.timesConjugate(of: x2)
            (x2, x1, product12) = (x1, x0, product01)
            index &+= step
        }
        return sums
    }
}
