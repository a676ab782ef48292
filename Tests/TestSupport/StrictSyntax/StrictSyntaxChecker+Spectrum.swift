// SPDX-License-Identifier: Apache-2.0

extension StrictSyntaxChecker {
    /// Reads `spectral_data()`: the groups, their bands, and each band's windows.
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

    /// Reads a codeword with its sign bits and escape words.
    private func readTuple(
        _ codebook: ReferenceTables.Codebook, _ reader: inout StrictBitReader
    ) throws(SyntaxViolation) -> [Int] {
        var digits = try reader.codeword(spectralTrees[codebook.number - 1])
        var values = [Int](repeating: 0, count: codebook.dimension)
        for index in values.indices.reversed() {
            values[index] = digits % codebook.modulus - codebook.offset
            digits /= codebook.modulus
        }
        guard !codebook.signed else { return values }
        var isNegative = [Bool](repeating: false, count: values.count)
        for index in values.indices where values[index] != 0 {
            isNegative[index] = try reader.flag()
        }
        for index in values.indices {
            if codebook.escape && values[index] == 16 { values[index] = try readEscape(&reader) }
            if isNegative[index] { values[index] = -values[index] }
        }
        return values
    }

    /// Reads `hcod_esc`.
    private func readEscape(_ reader: inout StrictBitReader) throws(SyntaxViolation) -> Int {
        var prefix = 0
        while try reader.flag() {
            prefix += 1
            guard prefix <= 8 else { throw .escape(prefix: prefix) }
        }
        return 1 << (prefix + 4) + (try reader.bits(prefix + 4))
    }
}
