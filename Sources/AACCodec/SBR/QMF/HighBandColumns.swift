// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The QMF samples of the high band: columns of 64 complex subbands, first generated (`X_High`), then adjusted (`Y`)
/// (ISO/IEC 14496-3:2009, 4.6.18.6 and 4.6.18.7).
///
/// Column i of the frame is at index i; the last envelope may reach 6 columns into the next frame. Subbands outside the high
/// band are 0.
struct HighBandColumns: ~Copyable {
    /// Keeps the struct in place.
    private let addressOnly = AddressOnly()

    /// The maximum number of columns that reach into the next frame.
    static let tailCount = 6

    /// Real parts, 16 vectors for each column.
    var real: [640 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// Imaginary parts, likewise.
    var imaginary: [640 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Creates silent columns.
    init() {}

    /// Sets all columns from `first` on to 0.
    mutating func clear(from first: Int) {
        for index in 16 * first..<640 {
            real[index] = SIMD4(repeating: 0)
            imaginary[index] = SIMD4(repeating: 0)
        }
    }

    /// Moves the columns after a frame to the start of the next.
    mutating func advance(columnCount: Int) {
        for index in 0..<16 * Self.tailCount {
            real[index] = real[16 * columnCount + index]
            imaginary[index] = imaginary[16 * columnCount + index]
        }
    }
}
