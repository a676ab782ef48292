// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What parametric stereo is estimated from, by stereo band and column, over the last four frames.
struct StereoStatistics: ~Copyable {
    /// Columns that are kept; the newest frame is the last 32 of them.
    static let columnCount = 128
    /// Stereo bands.
    static let bandCount = 20

    /// What is kept of each band and column.
    enum Quantity: Int, CaseIterable {
        /// Energies of the two channels.
        case left, right
        /// The real part of left times the conjugate of right.
        case product
        /// Energies of the one channel, and of the twin that a decoder makes of it.
        case mono, twin
        /// The real part of the one channel times the conjugate of the twin.
        case cross
    }

    /// Vectors of four bands in one quantity of a column, and in a column.
    private static let bandRows = 5
    private static let rowCount = 30

    /// A ring of columns; where they are kept in fours, sums of these.
    private var columns: [3840 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// Where the newest frame begins in it.
    private var newest = 0
    /// Sums over columns.
    private var sums: [30 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Whether columns are kept in fours, so that all four weigh the same.
    private let keepsFours: Bool

    /// Makes the statistics of silence.
    init(keepsFours: Bool = false) { self.keepsFours = keepsFours }

    /// Goes on to the next frame.
    mutating func advance() { newest = (newest &+ SubbandColumns.columnCount) & (Self.columnCount &- 1) }

    /// Takes one quantity of all bands in four columns, one in each lane, from `column` of the newest frame on.
    @inline(__always)
    mutating func store(_ quantity: Quantity, _ bands: Span<SIMD4<Float>>, column: Int) {
        let bands = bands.extracting(0..<Self.bandCount)
        let place = keepsFours ? (newest &+ column) / 4 : newest &+ column
        let first = Self.rowCount &* place &+ Self.bandRows &* quantity.rawValue
        var target = columns.mutableSpan
        for row in 0..<Self.bandRows {
            let four = SIMD4<Float>.transposed(
                bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
            if keepsFours {
                target[first &+ row] = (four.0 + four.1) + (four.2 + four.3)
                continue
            }
            target[first &+ row] = four.0
            target[first &+ row &+ Self.rowCount] = four.1
            target[first &+ row &+ 2 &* Self.rowCount] = four.2
            target[first &+ row &+ 3 &* Self.rowCount] = four.3
        }
    }

    /// Adds up as many columns from `first` on as there are weights, a multiple of four; each weight in all lanes of a vector.
    mutating func sum(from first: Int, weights: Span<SIMD4<Float>>) {
        let oldest = newest &+ SubbandColumns.columnCount &+ first
        if keepsFours { return sumFours(from: oldest / 4, weights: weights) }
        let all = columns.span
        var target = sums.mutableSpan
        for row in 0..<Self.rowCount {
            var sum0 = SIMD4<Float>(repeating: 0)
            var (sum1, sum2, sum3) = (sum0, sum0, sum0)
            for index in Swift.stride(from: 0, to: weights.count, by: 4) {
                let column = oldest &+ index
                sum0 += all[Self.place(column, row)] * weights[index]
                sum1 += all[Self.place(column &+ 1, row)] * weights[index &+ 1]
                sum2 += all[Self.place(column &+ 2, row)] * weights[index &+ 2]
                sum3 += all[Self.place(column &+ 3, row)] * weights[index &+ 3]
            }
            target[row] = (sum0 + sum1) + (sum2 + sum3)
        }
    }

    private mutating func sumFours(from first: Int, weights: Span<SIMD4<Float>>) {
        let all = columns.span
        var target = sums.mutableSpan
        for row in 0..<Self.rowCount { target[row] = SIMD4(repeating: 0) }
        for four in 0..<weights.count / 4 {
            let weight = (weights[4 &* four &+ 1] + weights[4 &* four &+ 2]) * 0.5
            let place = Self.rowCount &* ((first &+ four) & (Self.columnCount / 4 &- 1))
            for row in 0..<Self.rowCount { target[row] += all[place &+ row] * weight }
        }
    }

    @inline(__always)
    private static func place(_ column: Int, _ row: Int) -> Int { rowCount &* (column & (columnCount &- 1)) &+ row }

    /// The sums of one band; see ``Quantity``.
    struct Sums {
        var left: Float
        var right: Float
        var product: Float
        var mono: Float
        var twin: Float
        var cross: Float

        static func + (a: Sums, b: Sums) -> Sums {
            Sums(
                left: a.left + b.left, right: a.right + b.right, product: a.product + b.product, mono: a.mono + b.mono,
                twin: a.twin + b.twin, cross: a.cross + b.cross)
        }
    }

    /// What was added up last.
    mutating func sums(_ band: Int) -> Sums {
        let (all, row, lane) = (sums.span, band / 4, band & 3)
        return Sums(
            left: all[row][lane], right: all[row &+ Self.bandRows][lane], product: all[row &+ 2 &* Self.bandRows][lane],
            mono: all[row &+ 3 &* Self.bandRows][lane], twin: all[row &+ 4 &* Self.bandRows][lane],
            cross: all[row &+ 5 &* Self.bandRows][lane])
    }
}
