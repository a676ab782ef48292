// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The codewords of all spectral codebooks in one table, signs included, so that a tuple is one look-up.
///
/// The indices of tuples are those of ``SpectralBitTables/Indices``, for quads of values from -2 to 2 and pairs from -16 to 16.
package struct SpectralEncodingTables {
    /// For each tuple of each codebook code and signs shifted up by 8, and their length below; 0 where there is no codeword.
    let codewords: ContiguousArray<UInt32>

    /// The position of index 0 of each codebook in ``codewords``; element 0 is not used.
    private(set) var starts = SIMD16<UInt16>()

    /// The largest index of a quad.
    static let largestQuad = 312

    /// The largest index of a pair.
    static let largestPair = 544

    /// The tables, computed once.
    package static let shared = SpectralEncodingTables()

    /// Computes the tables.
    private init() {
        var words = ContiguousArray<UInt32>(repeating: 0, count: 4 * 625 + 7 * 1089)
        var table = words.mutableSpan
        var first = 0
        for number in 1...11 {
            let codebook = SpectralCodebook(number: number)
            let (largest, values) = number < 5 ? (Self.largestQuad, 2) : (Self.largestPair, 16)
            starts[number] = UInt16(first + largest)
            let writer = Writer(
                codebook: codebook, codes: codebook.codes, lengths: codebook.lengths,
                values: min(values, codebook.isSigned ? codebook.offset : codebook.modulus - 1), base: 2 * values + 1)
            let prefix = Codeword(entry: 0, signs: 0, signCount: 0)
            writer.write(prefix, at: first + largest, rest: codebook.dimension, into: &table)
            first += 2 * largest + 1
        }
        codewords = words
    }

    /// The part of a codeword that the first values of a tuple determine.
    private struct Codeword {
        /// The digits so far, as a number.
        var entry: Int
        /// The signs so far.
        var signs: UInt32
        /// Their number.
        var signCount: UInt32
    }

    /// Writes the codewords of a codebook.
    private struct Writer {
        /// The codebook.
        let codebook: SpectralCodebook
        /// Its codes.
        let codes: [UInt16]
        /// Their lengths.
        let lengths: [UInt8]
        /// The largest magnitude in the table.
        let values: Int
        /// The factor of a value in the index of its tuple that the next value does not have.
        let base: Int

        /// Writes the codewords of all tuples with the same first values.
        ///
        /// - Parameters:
        ///   - prefix: What these values determine.
        ///   - index: The position of the tuple whose other values are 0.
        ///   - rest: The number of other values, at least 1.
        func write(_ prefix: Codeword, at index: Int, rest: Int, into table: inout MutableSpan<UInt32>) {
            let step = (1..<rest).reduce(1) { product, _ in product * base }
            for value in -values...values {
                var word = prefix
                word.entry = word.entry * codebook.modulus + (codebook.isSigned ? value + codebook.offset : abs(value))
                if !codebook.isSigned && value != 0 {
                    word.signs = word.signs << 1 | (value < 0 ? 1 : 0)
                    word.signCount += 1
                }
                if rest > 1 {
                    write(word, at: index + value * step, rest: rest - 1, into: &table)
                } else {
                    let code = UInt32(codes[word.entry]) << word.signCount | word.signs
                    table[index + value] = code << 8 | UInt32(lengths[word.entry]) + word.signCount
                }
            }
        }
    }
}
