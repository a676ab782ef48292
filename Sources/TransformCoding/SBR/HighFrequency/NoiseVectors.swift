// SPDX-License-Identifier: Apache-2.0

/// The noise table in vectors.
///
/// Its first 64 values are repeated at the end, so that 64 values from any index are contiguous.
package struct NoiseVectors: Sendable {
    /// The table shared by all decoders.
    package static let shared = NoiseVectors()

    /// The real parts, four per vector.
    package let real: ContiguousArray<SIMD4<Float>>
    /// The imaginary parts, four per vector.
    package let imaginary: ContiguousArray<SIMD4<Float>>

    private init() {
        real = Self.vectors(SBRNoiseTable.real)
        imaginary = Self.vectors(SBRNoiseTable.imaginary)
    }

    /// Returns a table in vectors with its first 64 values repeated.
    private static func vectors(_ table: [Float]) -> ContiguousArray<SIMD4<Float>> {
        ContiguousArray(
            stride(from: 0, to: 512 + 64, by: 4).map { index in
                SIMD4(table[index & 511], table[(index + 1) & 511], table[(index + 2) & 511], table[(index + 3) & 511])
            })
    }
}
