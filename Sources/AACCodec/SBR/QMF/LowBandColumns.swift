// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The QMF samples of the low band, `X_Low`: columns of 32 complex subbands (ISO/IEC 14496-3:2009, 4.6.18.5).
///
/// The first 8 columns are the last ones of the previous frame; those of the current frame follow.
struct LowBandColumns: ~Copyable {
    /// Keeps the struct in place.
    private let addressOnly = AddressOnly()

    /// `t_HFGen`: columns kept from the previous frame.
    static let historyCount = 8

    /// Real parts, 8 vectors for each column.
    ///
    /// One more column on either side of the 40 stays 0, for unaligned vectors that begin before the first subband or end after
    /// the last.
    private(set) var real: [336 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// Imaginary parts, likewise.
    private(set) var imaginary: [336 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Creates silent columns.
    init() {}

    /// Returns the index of the first vector of a column.
    @inline(__always)
    static func row(ofColumn column: Int) -> Int { 8 &+ 8 &* column }

    /// Stores four subbands of four columns of the current frame.
    ///
    /// - Parameters:
    ///   - real: The real parts of each column.
    ///   - column: The first column, counted from the start of the current frame.
    ///   - row: The subbands, divided by 4.
    @inline(__always)
    mutating func store(
        _ real: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        _ imaginary: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        column: Int, row: Int
    ) {
        let first = Self.row(ofColumn: column &+ Self.historyCount) &+ row
        self.real[first] = real.0
        self.real[first &+ 8] = real.1
        self.real[first &+ 16] = real.2
        self.real[first &+ 24] = real.3
        self.imaginary[first] = imaginary.0
        self.imaginary[first &+ 8] = imaginary.1
        self.imaginary[first &+ 16] = imaginary.2
        self.imaginary[first &+ 24] = imaginary.3
    }

    /// Sets the subbands from `band` on to 0 in a range of columns, counted from the first kept one.
    mutating func clear(fromBand band: Int, columns: Range<Int>) {
        for column in columns {
            for subband in band..<32 {
                real[Self.row(ofColumn: column) + subband / 4][subband % 4] = 0
                imaginary[Self.row(ofColumn: column) + subband / 4][subband % 4] = 0
            }
        }
    }

    /// Moves the last columns of a frame to the start, as the past of the next.
    mutating func advance(columnCount: Int) {
        for index in 0..<8 &* Self.historyCount {
            real[8 &+ index] = real[8 &+ 8 &* columnCount &+ index]
            imaginary[8 &+ index] = imaginary[8 &+ 8 &* columnCount &+ index]
        }
    }
}
