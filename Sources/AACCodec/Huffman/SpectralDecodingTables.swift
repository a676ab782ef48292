// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The look-up tables of all spectral codebooks.
///
/// Codewords are expanded by their sign bits where code and signs fit into the first level, so that most tuples take
/// one look-up. The meaning of an entry is its values, the first in the lowest bits: four bits a value in quads, eight in pairs.
/// Entries of kind 0 hold signed values; entries of kind 1 hold magnitudes whose signs, and escape sequences, follow.
struct SpectralDecodingTables {
    /// The tables of all codebooks, see ``PrefixCodeTable``.
    private(set) var entries: [UInt32] = []

    /// Where the table of each codebook begins; 0 is not used.
    private(set) var starts = [12 of UInt16](repeating: 0)

    /// The kind of an entry whose signs follow the codeword.
    static let signsFollow: UInt32 = 1

    /// The tables, made once.
    static let shared = SpectralDecodingTables()

    private init() {
        for number in 1...11 {
            starts[number] = UInt16(PrefixCodeTable.append(Self.codewords(of: SpectralCodebook(number: number)), to: &entries))
        }
    }

    /// The codewords of a codebook, each with its possible signs where there is room.
    private static func codewords(of codebook: SpectralCodebook) -> [PrefixCodeTable.Codeword] {
        let (codes, lengths) = (codebook.codes, codebook.lengths)
        var result: [PrefixCodeTable.Codeword] = []
        for entry in 0..<codebook.entryCount {
            let values = codebook.values(ofEntry: entry)
            let (code, length) = (UInt32(codes[entry]), Int(lengths[entry]))
            let signCount = codebook.isSigned ? 0 : values.count { $0 != 0 }
            let isEscaped = !codebook.isSigned && values.contains(SpectralCodebook.escapeMagnitude)
            if isEscaped || signCount > 0 && length + signCount > PrefixCodeTable.primaryBits {
                result.append(.init(code: code, length: length, kind: signsFollow, meaning: packed(values)))
                continue
            }
            for signs in 0..<1 << signCount {
                let meaning = packed(applying(signs, count: signCount, to: values))
                result.append(.init(code: code << UInt32(signCount) | UInt32(signs), length: length + signCount, meaning: meaning))
            }
        }
        return result
    }

    /// Changes the sign of each value whose sign bit is set; the first value's bit is the highest of `count`.
    private static func applying(_ signs: Int, count: Int, to values: [Int]) -> [Int] {
        var place = count
        return values.map { value in
            guard value != 0, count > 0 else { return value }
            place -= 1
            return signs >> place & 1 == 1 ? -value : value
        }
    }

    private static func packed(_ values: [Int]) -> UInt32 {
        let bits = values.count == 4 ? 4 : 8
        return values.reversed().reduce(0) { $0 << UInt32(bits) | UInt32(truncatingIfNeeded: $1) & (1 << UInt32(bits) - 1) }
    }
}
