// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The whole band of a frame in the time-frequency plane: 32 columns of 64 complex bands.
struct SubbandColumns: ~Copyable {
    /// Columns of a frame.
    static let columnCount = 32
    /// Vectors of four bands in a column.
    static let rowCount = 16

    /// Real and imaginary parts: bands 4 r to 4 r + 3 of column c at 16 c + r.
    var real: [512 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    var imaginary: [512 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Makes silent columns.
    init() {}

    /// Takes so many columns, from `target` on, of another frame: those from `source` on.
    mutating func take(_ count: Int, at target: Int, from other: inout SubbandColumns, at source: Int) {
        let (otherReals, otherImaginaries) = (other.real.span, other.imaginary.span)
        var reals = real.mutableSpan
        var imaginaries = imaginary.mutableSpan
        for row in 0..<Self.rowCount &* count {
            let (from, to) = (Self.rowCount &* source &+ row, Self.rowCount &* target &+ row)
            reals[to] = otherReals[from]
            imaginaries[to] = otherImaginaries[from]
        }
    }

    /// Stores four bands in four columns from `column` on.
    @inline(__always)
    mutating func store(
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
}
