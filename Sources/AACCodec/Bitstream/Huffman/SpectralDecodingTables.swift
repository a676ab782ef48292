// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The decoding tables of all spectral codebooks.
///
/// An entry's meaning consists of its signed values with ``valueBits`` bits each, the first in the lowest bits. Sign bits after a codeword
/// are treated as part of it. Entries of kind 1 have one or two values ±1 that an escape sequence replaces: bits 10 and 11 tell which.
package struct SpectralDecodingTables {
    /// The tables of all codebooks; see ``PrefixCodeTable``.
    package private(set) var entries: ContiguousArray<UInt32> = []

    /// The index of each codebook's first entry.
    ///
    /// Element 0 is unused.
    package private(set) var starts = SIMD16<UInt16>()

    /// sign(q) |q|^(4/3) of two values, indexed by their bits in an entry.
    package private(set) var pairs = ContiguousArray<SIMD2<Float>>(repeating: SIMD2(), count: pairCount)

    /// sign(q) |q|^(4/3), see ``DequantizationTables/powers``.
    let powers = DequantizationTables.sharedPowers

    /// The number of bits of a value in an entry.
    static let valueBits = 5

    /// The number of combinations of two values.
    static let pairCount = 1 << (2 * valueBits)

    /// The kind of entries with escape sequences.
    static let escaped: UInt32 = 1

    package static let shared = SpectralDecodingTables()

    /// Returns a value of an entry.
    ///
    /// - Parameter position: 0 to 3, or 0 or 1 in pairs.
    static func value(_ position: Int, of entry: UInt32) -> Int16 {
        let bits = Int8(truncatingIfNeeded: entry >> UInt32(8 &+ position &* valueBits))
        return Int16((bits << 3) >> 3)
    }

    /// Returns whether an escape sequence replaces a value of an entry of kind 1.
    static func isEscaped(_ entry: UInt32, _ position: Int) -> Bool { entry >> UInt32(8 &+ 2 &* valueBits &+ position) & 1 != 0 }

    private init() {
        entries.reserveCapacity(16_384)
        for number in 1...11 {
            starts[number] = UInt16(PrefixCodeTable.append(Self.codewords(of: SpectralCodebook(number: number)), to: &entries))
        }
        let half = 1 << (Self.valueBits - 1)
        for first in -half..<half {
            for second in -half..<half {
                let index = first & (2 * half - 1) | (second & (2 * half - 1)) << Self.valueBits
                pairs[index] = SIMD2(powers[DequantizationTables.powerOffset + first], powers[DequantizationTables.powerOffset + second])
            }
        }
    }

    /// Returns the codewords of a codebook with every combination of signs.
    private static func codewords(of codebook: SpectralCodebook) -> [PrefixCodeTable.Codeword] {
        let (codes, lengths) = (codebook.codes, codebook.lengths)
        var codewords: [PrefixCodeTable.Codeword] = []
        codewords.reserveCapacity(codebook.entryCount * (codebook.isSigned ? 1 : 4))
        for entry in 0..<codebook.entryCount {
            let tuple = Tuple(ofEntry: entry, in: codebook)
            for signs in 0..<(codebook.isSigned ? 1 : 1 << tuple.signCount) {
                let signCount = codebook.isSigned ? 0 : tuple.signCount
                codewords.append(
                    PrefixCodeTable.Codeword(
                        code: UInt32(codes[entry]) << UInt32(signCount) | UInt32(signs), length: Int(lengths[entry]) + signCount,
                        kind: tuple.isEscaped ? escaped : 0, meaning: tuple.packed(signs: signs)))
            }
        }
        return codewords
    }

    /// The values of a codeword.
    ///
    /// Uses no arrays, because building these tables takes most of the time before the first access unit.
    private struct Tuple {
        /// The packed values, all positive.
        private var magnitudes: UInt32 = 0
        /// The bits that differ in the negated value, for each nonzero value, the last first.
        private var signFlips = SIMD4<UInt32>(repeating: 0)
        /// The number of nonzero values.
        private(set) var signCount = 0
        private(set) var isEscaped = false

        /// Decomposes a codeword index (ISO/IEC 14496-3:2009, 4.6.3.3).
        init(ofEntry entry: Int, in codebook: SpectralCodebook) {
            var rest = entry
            for position in stride(from: codebook.dimension - 1, through: 0, by: -1) {
                let value = rest % codebook.modulus - codebook.offset
                rest /= codebook.modulus
                if value != 0 { add(value, at: position) }
            }
        }

        /// Adds a nonzero value.
        private mutating func add(_ value: Int, at position: Int) {
            let hasFlag = value == SpectralCodebook.escapeMagnitude
            isEscaped = isEscaped || hasFlag
            let magnitude = hasFlag ? 1 : value
            let flag: UInt32 = hasFlag ? 1 << UInt32(2 * valueBits + position) : 0
            let (mask, shift) = (1 << valueBits - 1, UInt32(position * valueBits))
            magnitudes |= UInt32(truncatingIfNeeded: magnitude & mask) << shift | flag
            signFlips[signCount] = UInt32(truncatingIfNeeded: (magnitude ^ -magnitude) & mask) << shift
            signCount += 1
        }

        /// Returns the packed values of a table entry, negated where a bit of `signs` is set.
        ///
        /// The lowest bit is for the last nonzero value.
        func packed(signs: Int) -> UInt32 {
            let flips = signFlips.replacing(
                with: 0, where: SIMD4(repeating: UInt32(truncatingIfNeeded: signs)) & SIMD4(1, 2, 4, 8) .== SIMD4(repeating: 0))
            return magnitudes ^ ((flips.x | flips.y) | (flips.z | flips.w))
        }
    }
}
