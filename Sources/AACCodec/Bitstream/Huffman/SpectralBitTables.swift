// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Codeword lengths of all codebooks side by side, so that one look-up per tuple returns its length in every codebook.
///
/// Lengths are in sixteenths of a bit, so that other costs can be added.
package struct SpectralBitTables {
    /// The lengths in codebooks 1 to 4 of quads of values from -2 to 2, including signs.
    ///
    /// Indexed by ``quadRow(_:)``.
    private(set) var quads = ContiguousArray<SIMD4<UInt16>>(repeating: SIMD4(repeating: 0), count: quadCount)

    /// The lengths in codebooks 5 to 11 of pairs of values from -16 to 16, including signs but not escapes.
    ///
    /// Indexed by ``pairRow(_:)``.
    ///
    /// Lane 7 is ``impossible``.
    private(set) var pairs = ContiguousArray<SIMD8<UInt16>>(repeating: SIMD8(repeating: impossible), count: pairCount)

    @inline(__always) static var quadCount: Int { 1024 }

    @inline(__always) static var pairCount: Int { 2048 }

    /// The number of length units per bit.
    static let unitsPerBit: UInt16 = 16

    /// The length of a tuple that a codebook cannot code: 40 bits, above any actual length.
    ///
    /// The widest band has 64 pairs, whose total must not overflow 16 bits.
    static let impossible: UInt16 = 640

    static let shared = SpectralBitTables()

    @inline(__always)
    static func bits(_ units: SIMD4<UInt16>) -> SIMD4<Float> { bits(based: basedUnits(units)) }

    /// Converts units above ``unitBase`` to bits.
    @inline(__always)
    static func bits(based units: SIMD4<Float>) -> SIMD4<Float> { (units - SIMD4(repeating: unitBase)) * (1 / Float(unitsPerBit)) }

    /// Returns units plus ``unitBase``.
    ///
    /// One unit is the last place of the Float, so the order is preserved.
    @inline(__always)
    static func basedUnits(_ units: SIMD4<UInt16>) -> SIMD4<Float> {
        SIMD4(bitPatterns: SIMD4<UInt32>(truncatingIfNeeded: units) | SIMD4(repeating: unitBase.bitPattern))
    }

    /// 2²³.
    @inline(__always) static var unitBase: Float { 8_388_608 }

    /// Returns the row of an index in ``quads``: its low bits, which need no bounds check.
    ///
    /// Negative indices wrap to the last rows.
    @inline(__always)
    static func quadRow(_ index: Int) -> Int { index & (quadCount &- 1) }

    /// Returns the rows of two quads in ``quads``.
    ///
    /// - Parameters:
    ///   - first: The magnitudes of the first quad, at most 2.
    ///   - second: The magnitudes of the second quad.
    ///   - weights: ``Indices/weights`` with the signs of the values, common to both quads.
    @inline(__always)
    static func quadRows(_ first: SIMD4<Int32>, _ second: SIMD4<Int32>, weights: SIMD8<Int16>) -> (Int, Int) {
        let sums = SIMD8(saturating: first, second).weightedPairs(SIMD8(lowHalf: weights.lowHalf, highHalf: weights.lowHalf))
        let indices = sums &+ SIMD4(sums[1], sums[0], sums[3], sums[2])
        let rows = SIMD4<UInt32>(truncatingIfNeeded: indices) & SIMD4(repeating: UInt32(quadCount &- 1))
        return (Int(rows[0]), Int(rows[2]))
    }

    /// Returns the row of an index in ``pairs``.
    @inline(__always)
    static func pairRow(_ index: Int) -> Int { index & (pairCount &- 1) }

    /// Returns the rows of the pairs of two quads in ``pairs``.
    ///
    /// - Parameters:
    ///   - first: The magnitudes of the first quad. Those above 16 count as 16.
    ///   - second: The magnitudes of the second quad.
    ///   - weights: ``Indices/weights`` with the signs of the values, common to both quads.
    @inline(__always)
    static func pairRows(_ first: SIMD4<Int32>, _ second: SIMD4<Int32>, weights: SIMD8<Int16>) -> (Int, Int, Int, Int) {
        let magnitudes = SIMD8(saturating: first, second).minimum(SIMD8(repeating: Int16(SpectralCodebook.escapeMagnitude)))
        let indices = magnitudes.weightedPairs(SIMD8(lowHalf: weights.highHalf, highHalf: weights.highHalf))
        let rows = SIMD4<UInt32>(truncatingIfNeeded: indices) & SIMD4(repeating: UInt32(pairCount &- 1))
        return (Int(rows[0]), Int(rows[1]), Int(rows[2]), Int(rows[3]))
    }

    /// Returns the index of a pair: 33 a + b.
    @inline(__always)
    static func pairIndex(_ a: Int, _ b: Int) -> Int { 33 &* a &+ b }

    /// The indices of a quad and of its two pairs; 0 for all zeros.
    ///
    /// A quad has 125 a + 25 b + 5 c + d, from -312 to 312 for magnitudes up to 2. A pair has 33 a + b, from -544 to 544 for magnitudes up
    /// to 16.
    package struct Indices {
        /// Two parts of the quad index, and the pair indices.
        private let sums: SIMD4<Int32>

        @inline(__always)
        init(_ values: SIMD4<Int16>) { self.init(magnitudes: SIMD8(lowHalf: values, highHalf: values), weights: Self.weights) }

        /// Computes the indices of four values from their magnitudes.
        ///
        /// - Parameters:
        ///   - magnitudes: The magnitudes, twice.
        ///   - weights: ``weights`` with the signs of the values.
        @inline(__always)
        init(magnitudes: SIMD8<Int16>, weights: SIMD8<Int16>) { sums = magnitudes.weightedPairs(weights) }

        /// The weights of the values in the quad index, then in the pair indices.
        @inline(__always) package static var weights: SIMD8<Int16> { SIMD8(125, 25, 5, 1, 33, 1, 33, 1) }

        @inline(__always) var quad: Int { Int(sums[0] &+ sums[1]) }
        @inline(__always) var firstPair: Int { Int(sums[2]) }
        @inline(__always) var secondPair: Int { Int(sums[3]) }
    }

    /// Computes the tables from the codeword tables.
    private init() {
        let tables = SpectralEncodingTables.shared
        for number in 1...11 {
            let start = Int(tables.starts[number])
            let largest = number < 5 ? SpectralEncodingTables.maximumQuad : SpectralEncodingTables.maximumPair
            for index in -largest...largest {
                let length = UInt16(tables.codewords[start + index] & 0xFF)
                let units = length == 0 ? Self.impossible : length * Self.unitsPerBit
                if number < 5 { quads[Self.quadRow(index)][number - 1] = units } else { pairs[Self.pairRow(index)][number - 5] = units }
            }
        }
    }

    /// Returns the escape sequence bits of four magnitudes up to ``/TransformEncoding/Quantizer/maximumMagnitude``.
    ///
    /// Magnitudes below 16 do not have an escape.
    @inline(__always)
    static func escapeBits(_ magnitudes: SIMD4<Int32>) -> SIMD4<Int32> {
        // The exponent of the Float, biased by 127, is log2 of the magnitude rounded down.
        let based = SIMD4<Float>(bitPatterns: SIMD4<UInt32>(truncatingIfNeeded: magnitudes) | SIMD4(repeating: unitBase.bitPattern))
        let exponents = (based - SIMD4(repeating: unitBase)).bitPatterns &>> 23
        let bits = SIMD4<Int32>(truncatingIfNeeded: exponents &<< 1) &- SIMD4(repeating: 2 * 127 + 3)
        return SIMD4(repeating: 0).replacing(with: bits, where: magnitudes .>= SIMD4(repeating: Int32(SpectralCodebook.escapeMagnitude)))
    }
}
