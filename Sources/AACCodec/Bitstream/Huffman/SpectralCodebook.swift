// SPDX-License-Identifier: Apache-2.0

/// The properties of a spectral codebook (ISO/IEC 14496-3:2009, Table 4.151).
package struct SpectralCodebook {
    /// The codebook number, 1 to 11.
    package let number: Int

    /// The number of values per codeword: 4 or 2.
    package let dimension: Int

    /// Whether codewords include signs.
    ///
    /// Otherwise a sign bit follows for each nonzero value.
    package let isSigned: Bool

    /// The maximum magnitude; for the escape codebook, including escape sequences.
    package let maximumMagnitude: Int

    /// The number of possible digits per value.
    package let modulus: Int

    /// The digit of value 0.
    package var offset: Int { isSigned ? maximumMagnitude : 0 }

    package let entryCount: Int

    /// The magnitude that indicates an escape sequence, in codebook 11.
    static let escapeMagnitude = 16

    package static let escapeNumber = 11

    static let maximumEscapedMagnitude = 8191

    /// Creates the description of a codebook, 1 to 11.
    package init(number: Int) {
        self.number = number
        dimension = number < 5 ? 4 : 2
        isSigned = number == 1 || number == 2 || number == 5 || number == 6
        modulus =
            switch number {
            case 1...4: 3
            case 5, 6: 9
            case 7, 8: 8
            case 9, 10: 13
            default: 17
            }
        maximumMagnitude =
            number == Self.escapeNumber ? Self.maximumEscapedMagnitude : isSigned ? (modulus - 1) / 2 : modulus - 1
        entryCount = number < 5 ? modulus * modulus * modulus * modulus : modulus * modulus
    }

    /// The codewords, in the low bits.
    package var codes: [UInt16] { Self.tables[number - 1].codes }

    /// The codeword lengths, in bits.
    package var lengths: [UInt8] { Self.tables[number - 1].lengths }

    private static let tables = [
        (codes: SpectralCodebook1.codes, lengths: SpectralCodebook1.lengths),
        (codes: SpectralCodebook2.codes, lengths: SpectralCodebook2.lengths),
        (codes: SpectralCodebook3.codes, lengths: SpectralCodebook3.lengths),
        (codes: SpectralCodebook4.codes, lengths: SpectralCodebook4.lengths),
        (codes: SpectralCodebook5.codes, lengths: SpectralCodebook5.lengths),
        (codes: SpectralCodebook6.codes, lengths: SpectralCodebook6.lengths),
        (codes: SpectralCodebook7.codes, lengths: SpectralCodebook7.lengths),
        (codes: SpectralCodebook8.codes, lengths: SpectralCodebook8.lengths),
        (codes: SpectralCodebook9.codes, lengths: SpectralCodebook9.lengths),
        (codes: SpectralCodebook10.codes, lengths: SpectralCodebook10.lengths),
        (codes: SpectralCodebook11.codes, lengths: SpectralCodebook11.lengths),
    ]
}

/// The codebook numbers of section data with a special meaning (`sect_cb`, ISO/IEC 14496-3:2009, Table 4.151).
package enum BandCodebook {
    /// All lines are zero (`ZERO_HCB`).
    package static let zero: UInt8 = 0
    /// The last codebook with lines (`ESC_HCB`).
    package static let escape: UInt8 = 11
    /// Reserved in the standard.
    static let reserved: UInt8 = 12
    /// Noise without lines (`NOISE_HCB`).
    package static let noise: UInt8 = 13
    /// Lines from the left channel, inverted (`INTENSITY_HCB2`).
    package static let intensityOutOfPhase: UInt8 = 14
    /// Lines from the left channel (`INTENSITY_HCB`).
    package static let intensityInPhase: UInt8 = 15
}
