// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension StrictSyntaxChecker {
    /// `spectral_data()`: groups, in them bands, in them windows.
    func readSpectrum(_ channel: inout CheckedChannel, _ reader: inout StrictBitReader) throws(SyntaxViolation) {
        let offsets = offsets(channel)
        channel.quantized = []
        for (group, books) in channel.codebooks.enumerated() {
            for (band, book) in books.enumerated() where 1...11 ~= book {
                let count = (offsets[band + 1] - offsets[band]) * channel.groupLengths[group]
                let codebook = tables.spectral[book - 1]
                for _ in 0..<count / codebook.dimension {
                    channel.quantized += try readTuple(codebook, &reader)
                }
            }
        }
    }

    private func readTuple(
        _ codebook: ReferenceTables.Codebook, _ reader: inout StrictBitReader
    ) throws(SyntaxViolation) -> [Int] {
        var index = try reader.codeword(spectralTrees[codebook.number - 1])
        var values = [Int](repeating: 0, count: codebook.dimension)
        for place in values.indices.reversed() {
            values[place] = index % codebook.modulus - codebook.offset
            index /= codebook.modulus
        }
        guard !codebook.signed else { return values }
        var isNegative = [Bool](repeating: false, count: values.count)
        for place in values.indices where values[place] != 0 {
            isNegative[place] = try reader.flag()
        }
        for place in values.indices {
            if codebook.escape && values[place] == 16 { values[place] = try readEscape(&reader) }
            if isNegative[place] { values[place] = -values[place] }
        }
        return values
    }

    private func readEscape(_ reader: inout StrictBitReader) throws(SyntaxViolation) -> Int {
        var prefix = 0
        while try reader.flag() {
            prefix += 1
            guard prefix <= 8 else { throw .escape(prefix: prefix) }
        }
        return 1 << (prefix + 4) + (try reader.bits(prefix + 4))
    }
}
