// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The noise table, its start once more at the end, so that a run of 64 values from any place is in one piece.
struct NoiseVectors: Sendable {
    /// The table of all decoders.
    static let shared = NoiseVectors()

    /// Real parts, four a vector.
    let real: ContiguousArray<SIMD4<Float>>
    /// Imaginary parts.
    let imaginary: ContiguousArray<SIMD4<Float>>

    private init() {
        real = Self.vectors(SBRNoiseTable.real)
        imaginary = Self.vectors(SBRNoiseTable.imaginary)
    }

    private static func vectors(_ table: [Float]) -> ContiguousArray<SIMD4<Float>> {
        ContiguousArray(
            stride(from: 0, to: 512 + 64, by: 4).map { index in
                SIMD4(table[index & 511], table[(index + 1) & 511], table[(index + 2) & 511], table[(index + 3) & 511])
            })
    }
}
