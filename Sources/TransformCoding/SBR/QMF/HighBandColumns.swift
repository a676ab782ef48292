// SPDX-License-Identifier: Apache-2.0

/// The QMF samples of the high band: columns of 64 complex subbands, first generated (`X_High`), then adjusted (`Y`)
/// (ISO/IEC 14496-3:2009, 4.6.18.6 and 4.6.18.7).
///
/// Column i of the frame is at index i; the columns after the frame are those that the last envelope extends to. Subbands outside the high
/// band are 0.
package struct HighBandColumns: ~Copyable {
    /// Real parts, 16 vectors for each column.
    package var real: FixedArray<SIMD4<Float>>
    /// Imaginary parts, likewise.
    package var imaginary: FixedArray<SIMD4<Float>>

    /// The columns of a frame.
    private let columnCount: Int
    /// The greatest number of columns after a frame.
    private let tailCount: Int

    /// Makes silent columns.
    package init(_ layout: SlotLayout) {
        columnCount = layout.columnCount
        tailCount = layout.tailColumnCount
        // Whole groups of four columns.
        let count = 16 * ((columnCount + tailCount + 3) & ~3)
        real = FixedArray(repeating: SIMD4(repeating: 0), count: count)
        imaginary = FixedArray(repeating: SIMD4(repeating: 0), count: count)
    }

    /// The number of columns, those after a frame included.
    package var capacity: Int { real.count / 16 }

    /// Sets all columns from `first` on to 0.
    package mutating func clear(from first: Int) {
        for index in 16 * first..<real.count {
            real[index] = SIMD4(repeating: 0)
            imaginary[index] = SIMD4(repeating: 0)
        }
    }

    /// Moves the columns after a frame to the start of the next.
    package mutating func advance() {
        let tail = 16 * columnCount..<16 * (columnCount + tailCount)
        real.copy(tail, to: 0)
        imaginary.copy(tail, to: 0)
    }
}
