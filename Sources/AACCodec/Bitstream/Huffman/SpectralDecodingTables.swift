// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The look-up tables of all spectral codebooks.
///
/// The meaning of an entry is its values, the first in the lowest bits, four bits a value in quads and eight in pairs; the highest byte is
/// the length of the codeword. The signs follow the codeword and count among the bits to skip. Values are signed in codebooks
/// without sign bits. Entries of kind 1 have a value with an escape flag, whose sequence follows the signs.
struct SpectralDecodingTables {
    /// The tables of all codebooks, see ``PrefixCodeTable``.
    private(set) var entries: [UInt32] = []

    /// The first entry of the table of each codebook; element 0 is not used.
    private(set) var starts = [12 of UInt16](repeating: 0)

    /// The kind of an entry with an escape flag.
    static let escaped: UInt32 = 1

    /// The tables, computed once.
    static let shared = SpectralDecodingTables()

    /// Computes the tables.
    private init() {
        entries.reserveCapacity(16_384)
        for number in 1...11 {
            starts[number] = UInt16(PrefixCodeTable.append(Self.codewords(of: SpectralCodebook(number: number)), to: &entries))
        }
    }

    /// Returns the codewords of a codebook.
    private static func codewords(of codebook: SpectralCodebook) -> [PrefixCodeTable.Codeword] {
        let (codes, lengths) = (codebook.codes, codebook.lengths)
        return (0..<codebook.entryCount).map { entry in
            let tuple = Tuple(ofEntry: entry, in: codebook)
            return PrefixCodeTable.Codeword(
                code: UInt32(codes[entry]), length: Int(lengths[entry]), trailingBitCount: codebook.isSigned ? 0 : tuple.signCount,
                kind: tuple.isEscaped ? escaped : 0, meaning: UInt32(lengths[entry]) << 16 | tuple.packed)
        }
    }

    /// The values of a codeword, without arrays: these tables take most of the time before the first unit.
    private struct Tuple {
        /// The values, as in an entry.
        var packed: UInt32 = 0
        /// The number of values that are not zero.
        var signCount = 0
        /// Whether a value has an escape flag.
        var isEscaped = false

        /// Decomposes the index of a codeword (ISO/IEC 14496-3:2009, 4.6.3.3).
        init(ofEntry entry: Int, in codebook: SpectralCodebook) {
            let bits = codebook.dimension == 4 ? 4 : 8
            var rest = entry
            for position in stride(from: codebook.dimension - 1, through: 0, by: -1) {
                let value = rest % codebook.modulus - codebook.offset
                rest /= codebook.modulus
                packed |= UInt32(truncatingIfNeeded: value & (1 << bits - 1)) << UInt32(position * bits)
                if value != 0 { signCount += 1 }
                if value == SpectralCodebook.escapeMagnitude { isEscaped = true }
            }
        }
    }
}
