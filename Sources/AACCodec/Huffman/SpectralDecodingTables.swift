// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The look-up tables of all spectral codebooks.
///
/// The meaning of an entry is its values, the first in the lowest bits, four bits a value in quads and eight in pairs; in the highest
/// byte stands the length of the codeword, behind which the signs follow, which count among the bits to skip. No branch
/// depends on the signs. Values are signed in codebooks that have no sign bits. Entries of kind 1 hold an escape flag, whose
/// sequence follows the signs.
struct SpectralDecodingTables {
    /// The tables of all codebooks, see ``PrefixCodeTable``.
    private(set) var entries: [UInt32] = []

    /// Where the table of each codebook begins; 0 is not used.
    private(set) var starts = [12 of UInt16](repeating: 0)

    /// The kind of an entry with an escape flag.
    static let escaped: UInt32 = 1

    /// The tables, made once.
    static let shared = SpectralDecodingTables()

    private init() {
        for number in 1...11 {
            starts[number] = UInt16(PrefixCodeTable.append(Self.codewords(of: SpectralCodebook(number: number)), to: &entries))
        }
    }

    private static func codewords(of codebook: SpectralCodebook) -> [PrefixCodeTable.Codeword] {
        let (codes, lengths) = (codebook.codes, codebook.lengths)
        return (0..<codebook.entryCount).map { entry in
            let values = codebook.values(ofEntry: entry)
            let isEscaped = !codebook.isSigned && values.contains(SpectralCodebook.escapeMagnitude)
            return PrefixCodeTable.Codeword(
                code: UInt32(codes[entry]), length: Int(lengths[entry]),
                trailingBitCount: codebook.isSigned ? 0 : values.count { $0 != 0 }, kind: isEscaped ? escaped : 0,
                meaning: UInt32(lengths[entry]) << 16 | packed(values))
        }
    }

    private static func packed(_ values: [Int]) -> UInt32 {
        let bits = values.count == 4 ? 4 : 8
        return values.reversed().reduce(0) { $0 << UInt32(bits) | UInt32(truncatingIfNeeded: $1) & (1 << UInt32(bits) - 1) }
    }
}
