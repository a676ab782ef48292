// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The codewords of all spectral codebooks in one table, so that writing takes one span and no look-up of an array.
struct SpectralEncodingTables {
    /// For each codeword the code shifted up by 8, and its length below; codebook after codebook.
    private(set) var codewords: [UInt32] = []

    /// Where the codewords of each codebook begin in ``codewords``; 0 is not used.
    private(set) var starts = [12 of UInt16](repeating: 0)

    /// The tables, made once.
    static let shared = SpectralEncodingTables()

    private init() {
        for number in 1...11 {
            starts[number] = UInt16(codewords.count)
            let codebook = SpectralCodebook(number: number)
            for (code, length) in zip(codebook.codes, codebook.lengths) {
                codewords.append(UInt32(code) << 8 | UInt32(length))
            }
        }
    }
}
