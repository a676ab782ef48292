// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// Scale factors, noise energies and intensity positions with reversible variable length codes (RVLC, ISO/IEC 14496-3:2009, 4.6.16.2).
///
/// Stores the side information. The code is only read forward, and any inconsistency is an error.
struct ReversibleScaleFactors {
    /// `length_of_rvlc_sf`, without `dpcm_noise_last_position`: the bits of the codewords.
    private var wordBits: Int
    /// `length_of_rvlc_escapes`: the bits of the escapes.
    private var escapeBits = 0
    /// `dpcm_noise_nrg`.
    private var noiseEnergy = 0

    /// The number of bits before `rev_global_gain`: `sf_concealment`.
    static let reverseGainOffset = 1

    /// Reads the side information, which replaces the scale factors in the bitstream.
    init(reading reader: inout BitReader, hasNoise: Bool) {
        // sf_concealment and rev_global_gain are only needed for reading backward.
        reader.skip(Self.reverseGainOffset + 8)
        wordBits = Int(reader.read(9)) - (hasNoise ? 9 : 0)
        if hasNoise { noiseEnergy = Int(reader.read(9)) }
        if reader.readFlag() { escapeBits = Int(reader.read(8)) }
        if hasNoise { reader.skip(9) }
    }

    /// Reads the values of all bands of a long window.
    ///
    /// Bands with codebook 0 get 0.
    func read(
        into values: inout MutableSpan<Int16>, codebooks: Span<UInt8>, info: ICSInfo, globalGain: Int, from reader: inout BitReader
    ) throws(CodecError) {
        let start = reader.bitPosition
        guard wordBits >= 0, wordBits + escapeBits <= reader.bitsRemaining else { throw .truncated(byteCount: reader.bitCount / 8) }
        var differences = SIMD64<Int8>()
        var (hasNoise, hasIntensity) = (false, false)
        for band in 0..<info.maxSFB where codebooks[band] != BandCodebook.zero {
            if codebooks[band] == BandCodebook.noise, !hasNoise {
                // The first noise energy is in the side information.
                hasNoise = true
                continue
            }
            if codebooks[band] > BandCodebook.noise { hasIntensity = true }
            differences[band] = try Self.readWord(&reader)
        }
        // The last intensity position, used for reading backward.
        if hasIntensity { _ = try Self.readWord(&reader) }
        guard reader.bitPosition - start == wordBits else { throw .invalidReversibleCode }
        var last = ScaleFactorData.LastValues(globalGain: globalGain)
        for band in 0..<info.maxSFB {
            let codebook = codebooks[band]
            if codebook == BandCodebook.zero {
                values[band] = 0
            } else if codebook == BandCodebook.noise, last.isFirstNoise {
                values[band] = try last.firstNoise(noiseEnergy)
            } else {
                var difference = Int(differences[band])
                if difference.magnitude == 7 { difference += try (difference < 0 ? -1 : 1) * Self.readEscape(&reader) }
                values[band] = try last.next(codebook, difference)
            }
        }
        // The escape of the last intensity position may follow.
        let end = start + wordBits + escapeBits
        guard reader.bitPosition <= end, hasIntensity || reader.bitPosition == end else { throw .invalidReversibleCode }
        reader.skip(end - reader.bitPosition)
    }

    /// Reads a difference of -7 to 7.
    ///
    /// An escape extends -7 and 7.
    private static func readWord(_ reader: inout BitReader) throws(CodecError) -> Int8 {
        let bits = Int(reader.peek(9))
        for index in 0..<wordLengths.count where bits >> (9 - Int(wordLengths[index])) == Int(words[index]) {
            reader.skip(Int(wordLengths[index]))
            return Int8(index) - 7
        }
        throw .invalidReversibleCode
    }

    /// Reads an escape of 0 to 53.
    private static func readEscape(_ reader: inout BitReader) throws(CodecError) -> Int {
        let bits = reader.peek(20)
        for index in 0..<escapeLengths.count where bits >> (20 - UInt32(escapeLengths[index])) == escapes[index] {
            reader.skip(Int(escapeLengths[index]))
            return index
        }
        throw .invalidReversibleCode
    }

    /// The codewords of -7 to 7.
    // swift-format-ignore
    private static let words: [UInt16] = [
        65, 257, 129, 33, 17, 9, 5, 0, 7, 27, 51, 107, 195, 427, 99,
    ]

    /// Codeword lengths in bits. Eight words of up to nine bits are forbidden.
    // swift-format-ignore
    private static let wordLengths: [UInt8] = [
        7, 9, 8, 6, 5, 4, 3, 1, 3, 5, 6, 7, 8, 9, 7,
    ]

    // swift-format-ignore
    private static let escapes: [UInt32] = [
        2, 0, 6, 2, 14, 31, 15, 13, 61, 29, 25, 24, 120, 56, 242, 114, 486, 230, 974, 463, 1950, 1951, 925, 1848, 7399, 3698, 14797,
        473482, 473483, 473484, 473485, 473486, 473487, 473488, 473489, 473490, 473491, 473492, 473493, 473494, 473495, 473496, 473497,
        473498, 473499, 473500, 473501, 473502, 473503, 236736, 236737, 236738, 236739, 236740,
    ]

    /// Escape codeword lengths in bits.
    // swift-format-ignore
    private static let escapeLengths: [UInt8] = [
        2, 2, 3, 3, 4, 5, 5, 5, 6, 6, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 11, 12, 14, 13, 15, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
        20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 19, 19, 19, 19, 19,
    ]
}
