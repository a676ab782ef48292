// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The codewords of all spectral codebooks in one table, including signs, so that a tuple needs one look-up.
///
/// Tuple indices are defined by ``SpectralBitTables/Indices``, for quads of values from -2 to 2 and pairs from -16 to 16.
package struct SpectralEncodingTables {
    /// For each tuple of each codebook: code and signs shifted left by 8, with their length in the low 8 bits.
    ///
    /// 0 if there is no codeword.
    let codewords: ContiguousArray<UInt32>

    /// The position of each codebook's index 0 in ``codewords``.
    ///
    /// Element 0 is unused.
    private(set) var starts = SIMD16<UInt16>()

    /// The maximum index of a quad.
    static let maximumQuad = 312

    /// The maximum index of a pair.
    static let maximumPair = 544

    package static let shared = SpectralEncodingTables()

    private init() {
        var words = ContiguousArray<UInt32>(repeating: 0, count: 4 * 625 + 7 * 1089)
        var table = words.mutableSpan
        var first = 0
        for number in 1...11 {
            let codebook = SpectralCodebook(number: number)
            let (largest, values) = number < 5 ? (Self.maximumQuad, 2) : (Self.maximumPair, 16)
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

    /// The partial codeword for the first values of a tuple.
    private struct Codeword {
        /// The digits so far, as a number.
        var entry: Int
        /// The signs so far.
        var signs: UInt32
        /// The number of signs so far.
        var signCount: UInt32
    }

    /// Writes the codewords of a codebook.
    private struct Writer {
        let codebook: SpectralCodebook
        let codes: [UInt16]
        let lengths: [UInt8]
        /// The maximum magnitude in the table.
        let values: Int
        /// The ratio of the index weights of a value and the next one.
        let base: Int

        /// Writes the codewords of all tuples with the same first values.
        ///
        /// - Parameters:
        ///   - prefix: The partial codeword of these values.
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
