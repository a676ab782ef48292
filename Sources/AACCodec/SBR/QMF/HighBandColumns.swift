// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The high band in the time-frequency plane: columns of 64 complex bands, first copied (`X_High`), then adjusted (`Y`).
///
/// Column i of the frame's grid is at index i; the last envelope may reach 6 columns into the next frame. Bands that SBR
/// does not make are 0.
struct HighBandColumns: ~Copyable {
    /// Columns that can reach into the next frame.
    static let tailCount = 6

    /// Real and imaginary parts, 16 vectors a column.
    var real: [640 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    var imaginary: [640 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Makes silent columns.
    init() {}

    /// Silences all columns from `first` on.
    mutating func clear(from first: Int) {
        for index in 16 * first..<640 {
            real[index] = SIMD4(repeating: 0)
            imaginary[index] = SIMD4(repeating: 0)
        }
    }

    /// Makes the columns beyond a frame the first of the next.
    mutating func advance(columnCount: Int) {
        for index in 0..<16 * Self.tailCount {
            real[index] = real[16 * columnCount + index]
            imaginary[index] = imaginary[16 * columnCount + index]
        }
    }
}
