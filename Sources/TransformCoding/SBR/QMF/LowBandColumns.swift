// SPDX-License-Identifier: Apache-2.0

/// The QMF samples of the low band, `X_Low`: columns of 32 complex subbands (ISO/IEC 14496-3:2009, 4.6.18.5).
///
/// The first columns, mostly 8, are the last ones of the previous frame; those of the current frame follow.
package struct LowBandColumns: ~Copyable {
    /// `t_HFGen`: columns kept from the previous frame, but in enhanced SBR at 4:1.
    package static let historyCount = 8

    /// Real parts, 8 vectors for each column.
    ///
    /// One more column on either side stays 0, for unaligned vectors that begin before the first subband or end after the last.
    package private(set) var real: FixedArray<SIMD4<Float>>
    /// Imaginary parts, likewise.
    package private(set) var imaginary: FixedArray<SIMD4<Float>>

    /// The columns of a frame.
    private let columnCount: Int
    /// The columns kept from the previous frame, ``historyCount`` or, in enhanced SBR at 4:1, 14.
    package let keptCount: Int

    /// Makes silent columns.
    package init(_ layout: SlotLayout) {
        columnCount = layout.columnCount
        keptCount = layout.historyCount
        let count = 8 * (keptCount + layout.groupedColumnCount + 2)
        real = FixedArray(repeating: SIMD4(repeating: 0), count: count)
        imaginary = FixedArray(repeating: SIMD4(repeating: 0), count: count)
    }

    /// The number of columns, those of the previous frame included.
    package var capacity: Int { real.count / 8 &- 2 }

    /// Returns the index of the first vector of a column.
    package static func row(ofColumn column: Int) -> Int { 8 &+ 8 &* column }

    /// Stores four subbands of four columns of the current frame.
    ///
    /// - Parameters:
    ///   - real: The real parts of each column.
    ///   - column: The first column, counted from the start of the current frame.
    ///   - row: The subbands, divided by 4.
    @inline(__always)
    package mutating func store(
        _ real: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        _ imaginary: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        column: Int, row: Int
    ) {
        let first = Self.row(ofColumn: column &+ keptCount) &+ row
        var reals = self.real.mutableSpan
        var imaginaries = self.imaginary.mutableSpan
        reals[first] = real.0
        reals[first &+ 8] = real.1
        reals[first &+ 16] = real.2
        reals[first &+ 24] = real.3
        imaginaries[first] = imaginary.0
        imaginaries[first &+ 8] = imaginary.1
        imaginaries[first &+ 16] = imaginary.2
        imaginaries[first &+ 24] = imaginary.3
    }

    /// Sets the subbands from `band` on to 0 in a range of columns, counted from the first kept one.
    package mutating func clear(fromBand band: Int, columns: Range<Int>) {
        for column in columns {
            for subband in band..<32 {
                real[Self.row(ofColumn: column) + subband / 4][subband % 4] = 0
                imaginary[Self.row(ofColumn: column) + subband / 4][subband % 4] = 0
            }
        }
    }

    /// Copies all columns of others of the same size.
    package mutating func copy(_ other: borrowing LowBandColumns) {
        real.copy(other.real)
        imaginary.copy(other.imaginary)
    }

    /// Copies the columns of the current frame of others of the same size.
    package mutating func copyFrame(of other: borrowing LowBandColumns) {
        let first = Self.row(ofColumn: keptCount)
        real.copy(other.real.span.extracting(first..<real.count), to: first)
        imaginary.copy(other.imaginary.span.extracting(first..<real.count), to: first)
    }

    /// Moves the last columns of a frame to the start, as the past of the next.
    package mutating func advance() {
        let last = Self.row(ofColumn: columnCount)..<Self.row(ofColumn: columnCount + keptCount)
        real.copy(last, to: Self.row(ofColumn: 0))
        imaginary.copy(last, to: Self.row(ofColumn: 0))
    }
}
