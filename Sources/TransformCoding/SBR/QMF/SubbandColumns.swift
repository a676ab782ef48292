// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

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

    /// Stores four subbands of the four columns from `column` on.
    @inlinable @inline(__always)
    package mutating func store(
        _ real: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        _ imaginary: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>), column: Int, row: Int
    ) {
        var reals = self.real.mutableSpan
        var imaginaries = self.imaginary.mutableSpan
        let first = Self.rowCount &* column &+ row
        reals[first] = real.0
        reals[first &+ 16] = real.1
        reals[first &+ 32] = real.2
        reals[first &+ 48] = real.3
        imaginaries[first] = imaginary.0
        imaginaries[first &+ 16] = imaginary.1
        imaginaries[first &+ 32] = imaginary.2
        imaginaries[first &+ 48] = imaginary.3
    }

    /// Stores the four columns from `column` on, one in each lane of 64 subbands.
    @inlinable @inline(__always)
    package mutating func store(_ bands: Span<ComplexVector>, column: Int) {
        let bands = bands.extracting(0..<64)
        for row in 0..<Self.rowCount {
            let (a, b, c, d) = (bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
            store(
                SIMD4<Float>.transposed(a.real, b.real, c.real, d.real),
                SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary), column: column, row: row)
        }
    }
}
