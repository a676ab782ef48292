// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The low band in the time-frequency plane, `X_Low`: columns of 32 complex bands (ISO/IEC 14496-3:2009, 4.6.18.5).
///
/// The first 8 columns are the last of the frame before; those of the frame follow.
struct LowBandColumns: ~Copyable {
    /// Columns kept from the frame before, `t_HFGen`.
    static let historyCount = 8

    /// Real and imaginary parts; 8 vectors a column.
    ///
    /// Around the 40 columns lies one more on either side that stays 0, for
    /// vectors that begin before the first band.
    private(set) var real: [336 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var imaginary: [336 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Makes silent columns.
    init() {}

    /// The index of the first vector of a column.
    @inline(__always)
    static func row(ofColumn column: Int) -> Int { 8 &+ 8 &* column }

    /// Stores four bands in four columns of the frame, counted without the history.
    @inline(__always)
    mutating func store(
        _ real: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        _ imaginary: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        mask: SIMD4<Float>, column: Int, row: Int
    ) {
        let first = Self.row(ofColumn: column &+ Self.historyCount) &+ row
        self.real[first] = real.0 * mask
        self.real[first &+ 8] = real.1 * mask
        self.real[first &+ 16] = real.2 * mask
        self.real[first &+ 24] = real.3 * mask
        self.imaginary[first] = imaginary.0 * mask
        self.imaginary[first &+ 8] = imaginary.1 * mask
        self.imaginary[first &+ 16] = imaginary.2 * mask
        self.imaginary[first &+ 24] = imaginary.3 * mask
    }

    /// Silences the subbands from `band` on in some columns.
    mutating func clear(fromBand band: Int, columns: Range<Int>) {
        for column in columns {
            for subband in band..<32 {
                real[Self.row(ofColumn: column) + subband / 4][subband % 4] = 0
                imaginary[Self.row(ofColumn: column) + subband / 4][subband % 4] = 0
            }
        }
    }

    /// Makes the last columns of a frame the history of the next.
    mutating func advance(columnCount: Int) {
        for index in 0..<8 &* Self.historyCount {
            real[8 &+ index] = real[8 &+ 8 &* columnCount &+ index]
            imaginary[8 &+ index] = imaginary[8 &+ 8 &* columnCount &+ index]
        }
    }
}
