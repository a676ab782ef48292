// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The costs of a band in all codebooks, in bits.
package struct CodebookCosts: BitwiseCopyable {
    /// The number of codebooks: 0 for a band without lines, and 1 to 11.
    static let count = 12

    /// A cost that is never the lowest.
    static let impossible: Float = 1e8

    /// The costs in codebooks 1 to 4, 5 to 8, and 9 to 11 followed by 0.
    var vectors: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    package init(repeating cost: Float) { vectors = (SIMD4(repeating: cost), SIMD4(repeating: cost), SIMD4(repeating: cost)) }

    /// Creates costs from codeword lengths, in ``SpectralBitTables/unitsPerBit``, and distortion.
    ///
    /// - Parameters:
    ///   - quads: The lengths in codebooks 1 to 4.
    ///   - pairs: The lengths in codebooks 5 to 11.
    ///   - distortion: The cost of the distortion in any codebook except 0, in bits.
    ///   - limits: The entry of ``limits`` for the maximum magnitude.
    ///   - zero: The cost in codebook 0.
    @inline(__always)
    init(quads: SIMD4<UInt16>, pairs: SIMD8<UInt16>, escapes: Float, distortion: Float, limits: CodebookCosts, zero: Float) {
        /// Returns the costs in four codebooks.
        @inline(__always)
        func costs(_ units: SIMD4<UInt16>, _ limits: SIMD4<Float>) -> SIMD4<Float> {
            (SpectralBitTables.bits(units) + SIMD4(repeating: escapes) + SIMD4(repeating: distortion)).maximum(limits)
        }
        vectors.0 = costs(quads, limits.vectors.0)
        vectors.1 = costs(pairs.lowHalf, limits.vectors.1)
        vectors.2 = costs(pairs.highHalf, limits.vectors.2)
        vectors.2.w = zero
    }

    /// For each magnitude up to 13: ``impossible`` for the codebooks that cannot code it, otherwise 0.
    static let limits: ContiguousArray<CodebookCosts> = ContiguousArray(
        (0...13).map { magnitude in
            var costs = CodebookCosts(repeating: 0)
            for codebook in 1...10 where magnitude > largest[codebook - 1] { costs[codebook] = impossible }
            return costs
        })

    /// The maximum magnitudes of codebooks 1 to 10.
    private static let largest = [1, 1, 2, 2, 4, 4, 7, 7, 12, 12]

    /// Returns the index in ``limits`` of a non-negative magnitude.
    @inline(__always)
    static func limitIndex(_ magnitude: Float) -> Int { Int(min(magnitude, 13)) }

    /// Creates the costs of a zero band: each line's fraction of an all-zero codeword, and one bit per band, which favours sections with
    /// fewer such bands.
    init(zeroLines lineCount: Int) {
        let (quad, pair) = Self.zeroBits
        vectors = (
            quad * Float(lineCount) + SIMD4(repeating: 1), pair.lowHalf * Float(lineCount) + SIMD4(repeating: 1),
            pair.highHalf * Float(lineCount) + SIMD4(repeating: 1)
        )
        vectors.2.w = 0
    }

    /// Bits per zero line in codebooks 1 to 4 and 5 to 11.
    private static let zeroBits: (quad: SIMD4<Float>, pair: SIMD8<Float>) = {
        let tables = SpectralBitTables.shared
        let pair = tables.pairs[0]
        return (
            SpectralBitTables.bits(tables.quads[0]) * 0.25,
            SIMD8(lowHalf: SpectralBitTables.bits(pair.lowHalf) * 0.5, highHalf: SpectralBitTables.bits(pair.highHalf) * 0.5)
        )
    }()

    /// Returns the index of a codebook in ``vectors``.
    @inline(__always)
    static func index(ofCodebook codebook: Int) -> Int { codebook == 0 ? count &- 1 : codebook &- 1 }

    /// The cost in a codebook, 0 to 11.
    package subscript(codebook: Int) -> Float {
        get {
            let index = Self.index(ofCodebook: codebook)
            return index < 4 ? vectors.0[index] : index < 8 ? vectors.1[index - 4] : vectors.2[index - 8]
        }
        set {
            let index = Self.index(ofCodebook: codebook)
            if index < 4 {
                vectors.0[index] = newValue
            } else if index < 8 {
                vectors.1[index - 4] = newValue
            } else {
                vectors.2[index - 8] = newValue
            }
        }
    }
}
