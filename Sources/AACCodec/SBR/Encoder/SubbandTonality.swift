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
    /// What can't be predicted of white noise from every column, as a share of the same from every second one (0.50 of 0.88).
    private static let halvedResidual: Float = 0.56
    /// Keeps silence from being a tone.
    private static let floor: Float = 32

    /// Makes the tonality of noise.
    init() {}

    /// Measures rows of four subbands of the frame at hand.
    mutating func measure(_ history: inout SubbandHistory, rows: Range<Int>) {
        let (start, count) = (history.current, history.columnCount)
        let scale = history.columnsPerSlot == 1 ? Self.halvedResidual : 1
        let (real, imaginary) = (history.real.span, history.imaginary.span)
        for row in rows {
            let sums = Self.sums(real, imaginary, first: start &+ row, count: count)
            var target = residuals.mutableSpan
            target.store(sums.residual * scale, at: 4 &* row)
            var means = energies.mutableSpan
            means.store((sums.energy0 - SIMD4(repeating: Self.floor)) * (1 / Float(count &- 2)), at: 4 &* row)
        }
    }

    /// Energies and products of a column and the two before it, over a frame.
    private struct Sums {
        var energy0 = SIMD4<Float>(repeating: floor)
        var energy1 = SIMD4<Float>(repeating: floor)
        var energy2 = SIMD4<Float>(repeating: floor)
        var lag01 = ComplexVector.zero
        var lag12 = ComplexVector.zero
        var lag02 = ComplexVector.zero

        /// The share that least squares leave, where a column is predicted as a times the one before and b times that before it.
        @inline(__always) var residual: SIMD4<Float> {
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

    @inline(__always)
    private static func sums(_ real: Span<SIMD4<Float>>, _ imaginary: Span<SIMD4<Float>>, first: Int, count: Int) -> Sums {
        var sums = Sums()
        var x2 = ComplexVector(real[first], imaginary[first])
        var x1 = ComplexVector(real[first &+ SubbandColumns.rowCount], imaginary[first &+ SubbandColumns.rowCount])
        // What is new in one column is one column old in the next.
        var (square2, square1, product12) = (x2.energy, x1.energy, x1.timesConjugate(of: x2))
        for column in 2..<count {
            let place = first &+ SubbandColumns.rowCount &* column
            let x0 = ComplexVector(real[place], imaginary[place])
            let (square0, product01) = (x0.energy, x0.timesConjugate(of: x1))
            sums.energy0 += square0
            sums.energy1 += square1
            sums.energy2 += square2
            sums.lag01 = sums.lag01 + product01
            sums.lag12 = sums.lag12 + product12
            sums.lag02 = sums.lag02 + x0.timesConjugate(of: x2)
            (x2, x1) = (x1, x0)
            (square2, square1, product12) = (square1, square0, product01)
        }
        return sums
    }
}
