// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The codewords of all spectral codebooks in one table, signs included, so that a tuple is one look-up.
///
/// The indices of tuples are those of ``SpectralBitTables/Indices``, for quads of values from -2 to 2 and pairs from -16 to 16.
struct SpectralEncodingTables {
    /// For each tuple of each codebook code and signs shifted up by 8, and their length below; 0 where there is no codeword.
    private(set) var codewords: [UInt32] = []

    /// The position of index 0 of each codebook in ``codewords``; element 0 is not used.
    private(set) var starts = [12 of UInt16](repeating: 0)

    /// The largest index of a quad.
    static let largestQuad = 312

    /// The largest index of a pair.
    static let largestPair = 544

    /// The tables, computed once.
    static let shared = SpectralEncodingTables()

    /// Computes the tables.
    private init() {
        codewords.reserveCapacity(4 * 625 + 7 * 1089)
        for number in 1...11 {
            starts[number] = UInt16(codewords.count + (number < 5 ? Self.largestQuad : Self.largestPair))
            let codebook = Codebook(SpectralCodebook(number: number))
            if number < 5 {
                for index in 0..<625 {
                    let values = SIMD4(index / 125 - 2, index / 25 % 5 - 2, index / 5 % 5 - 2, index % 5 - 2)
                    codewords.append(codebook.codeword(values, count: 4))
                }
            } else {
                for index in 0..<1089 { codewords.append(codebook.codeword(SIMD4(index / 33 - 16, index % 33 - 16, 0, 0), count: 2)) }
            }
        }
    }

    /// A codebook whose properties are computed once.
    private struct Codebook {
        let codes: [UInt16]
        let lengths: [UInt8]
        let modulus: Int
        let offset: Int
        let isSigned: Bool

        /// Reads the properties of a codebook.
        init(_ codebook: SpectralCodebook) {
            (codes, lengths, modulus) = (codebook.codes, codebook.lengths, codebook.modulus)
            (offset, isSigned) = (codebook.offset, codebook.isSigned)
        }

        /// Returns the codeword of the first `count` values, in the form of ``SpectralEncodingTables/codewords``; 0 if there is none.
        func codeword(_ values: SIMD4<Int>, count: Int) -> UInt32 {
            var entry = 0
            var signs: UInt32 = 0
            var signCount = 0
            for position in 0..<count {
                let digit = isSigned ? values[position] + offset : abs(values[position])
                guard digit >= 0, digit < modulus else { return 0 }
                entry = entry * modulus + digit
                if !isSigned && values[position] != 0 {
                    signs = signs << 1 | (values[position] < 0 ? 1 : 0)
                    signCount += 1
                }
            }
            return (UInt32(codes[entry]) << UInt32(signCount) | signs) << 8 | UInt32(Int(lengths[entry]) + signCount)
        }
    }
}
