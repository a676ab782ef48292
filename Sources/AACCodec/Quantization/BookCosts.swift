// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What a band takes in each codebook, in bits or in units of cost that count as bits.
///
/// Codebook 0 stands last, so that counts become costs without a change of lanes.
struct BookCosts: BitwiseCopyable {
    /// Codebooks a band can have: none, and 1 to 11.
    static let count = 12

    /// A cost that is never chosen.
    static let impossible: Float = 1e8

    /// Codebooks 1 to 4, 5 to 8, and 9 to 11 with 0 behind.
    var vectors: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// Makes costs that are all the same.
    init(repeating cost: Float) { vectors = (SIMD4(repeating: cost), SIMD4(repeating: cost), SIMD4(repeating: cost)) }

    /// Makes costs of counts in ``SpectralBitTables/unitsPerBit``.
    ///
    /// - Parameters:
    ///   - quads: Of codebooks 1 to 4.
    ///   - pairs: Of codebooks 5 to 11.
    ///   - escapes: Bits of escape sequences.
    ///   - distortion: What errors cost in any codebook but 0.
    ///   - largest: The largest magnitude; codebooks for smaller ones become ``impossible``.
    ///   - zero: The cost of codebook 0.
    @inline(__always)
    init(quads: SIMD4<UInt16>, pairs: SIMD8<UInt16>, escapes: Float, distortion: Float, largest: Float, zero: Float) {
        @inline(__always)
        func costs(_ units: SIMD4<UInt16>, limits: SIMD4<Float>) -> SIMD4<Float> {
            let bits = SpectralBitTables.bits(units) + SIMD4(repeating: escapes) + SIMD4(repeating: distortion)
            return bits.replacing(with: SIMD4(repeating: Self.impossible), where: limits .<= SIMD4(repeating: largest))
        }
        vectors.0 = costs(quads, limits: SIMD4(2, 2, 3, 3))
        vectors.1 = costs(pairs.lowHalf, limits: SIMD4(5, 5, 8, 8))
        vectors.2 = costs(pairs.highHalf, limits: SIMD4(13, 13, 8192, 8192))
        vectors.2.w = zero
    }

    /// Makes the costs of zeros: each line takes its share of a tuple of them, and each band a bit, so that fewer in a section are better.
    init(zeroLines lineCount: Int) {
        let (quad, pair) = Self.zeroBits
        vectors = (
            quad * Float(lineCount) + SIMD4(repeating: 1), pair.lowHalf * Float(lineCount) + SIMD4(repeating: 1),
            pair.highHalf * Float(lineCount) + SIMD4(repeating: 1)
        )
        vectors.2.w = 0
    }

    /// Bits a line of zeros in codebooks 1 to 4, and in 5 to 11.
    private static let zeroBits: (quad: SIMD4<Float>, pair: SIMD8<Float>) = {
        let tables = SpectralBitTables.shared
        let pair = tables.pairs[SpectralBitTables.pairIndex(0, 0)]
        return (
            SpectralBitTables.bits(tables.quads[SpectralBitTables.quadIndex(0, 0, 0, 0)]) * 0.25,
            SIMD8(lowHalf: SpectralBitTables.bits(pair.lowHalf) * 0.5, highHalf: SpectralBitTables.bits(pair.highHalf) * 0.5)
        )
    }()

    /// Where a codebook stands among ``count`` costs in a row.
    @inline(__always)
    static func place(ofBook book: Int) -> Int { book == 0 ? count &- 1 : book &- 1 }

    /// The cost in a codebook, 0 to 11.
    subscript(book: Int) -> Float {
        get {
            let place = Self.place(ofBook: book)
            return place < 4 ? vectors.0[place] : place < 8 ? vectors.1[place - 4] : vectors.2[place - 8]
        }
        set {
            let place = Self.place(ofBook: book)
            if place < 4 {
                vectors.0[place] = newValue
            } else if place < 8 {
                vectors.1[place - 4] = newValue
            } else {
                vectors.2[place - 8] = newValue
            }
        }
    }
}
