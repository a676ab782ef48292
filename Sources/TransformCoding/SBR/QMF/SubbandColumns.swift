// SPDX-License-Identifier: Apache-2.0

/// The QMF samples of a frame in the encoder: columns of 64 complex subbands.
@usableFromInline package struct SubbandColumns: ~Copyable {
    /// Vectors of four subbands in a column.
    @usableFromInline package static let rowCount = 16

    /// Real parts: subbands 4 r to 4 r + 3 of column c at 16 c + r.
    @usableFromInline package var real: FixedArray<SIMD4<Float>>
    /// Imaginary parts, likewise.
    @usableFromInline package var imaginary: FixedArray<SIMD4<Float>>

    /// Makes silent columns of a frame, in whole groups of four.
    package init(_ layout: SlotLayout) { self.init(columnCount: layout.groupedColumnCount) }

    /// Makes silent columns.
    package init(columnCount: Int) {
        let count = Self.rowCount * columnCount
        real = FixedArray(repeating: SIMD4(repeating: 0), count: count)
        imaginary = FixedArray(repeating: SIMD4(repeating: 0), count: count)
    }

    /// Moves `count` columns from the column `source` on to the start.
    package mutating func moveToStart(_ count: Int, from source: Int) {
        let moved = Self.rowCount * source..<Self.rowCount * (source + count)
        real.copy(moved, to: 0)
        imaginary.copy(moved, to: 0)
    }

    /// Copies the columns of the current frame of others, which have the first 32 subbands.
    package mutating func copyFrame(of other: borrowing LowBandColumns) {
        let half = Self.rowCount / 2
        let (reals, imaginaries) = (other.real.span, other.imaginary.span)
        for column in 0..<real.count / Self.rowCount {
            let source = LowBandColumns.row(ofColumn: column + other.keptCount)
            for row in 0..<half {
                real[Self.rowCount * column + row] = reals[source + row]
                imaginary[Self.rowCount * column + row] = imaginaries[source + row]
            }
        }
    }

    /// Stores the four columns from `column` on, one in each lane of 64 subbands.
    @inlinable @inline(__always)
    package mutating func store(_ bands: Span<ComplexVector>, column: Int) {
        let bands = bands.extracting(0..<64)
        let stored = Self.rowCount &* column..<Self.rowCount &* column &+ 64
        var allReals = real.mutableSpan
        var allImaginaries = imaginary.mutableSpan
        // Of constant length, so that the bounds checks of all rows fold.
        var reals = allReals._mutatingExtracting(stored)
        var imaginaries = allImaginaries._mutatingExtracting(stored)
        for row in 0..<16 {
            let (a, b, c, d) = (bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
            let real = SIMD4<Float>.transposed(a.real, b.real, c.real, d.real)
            let imaginary = SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary)
            (reals[row], reals[row &+ 16], reals[row &+ 32], reals[row &+ 48]) = real
            (imaginaries[row], imaginaries[row &+ 16], imaginaries[row &+ 32], imaginaries[row &+ 48]) = imaginary
        }
    }
}
