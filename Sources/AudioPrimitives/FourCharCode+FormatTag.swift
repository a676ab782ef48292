// SPDX-License-Identifier: Apache-2.0

extension FourCharCode {
    /// The usual name of the codec if the code is a QuickTime code for a format tag of WAV: `ms` and the tag.
    var formatTagName: String? {
        #if hasFeature(Embedded)
        return nil
        #else
        guard rawValue >> 16 == 0x6D73 else { return nil }
        let tag = UInt16(truncatingIfNeeded: rawValue)
        return Self.formatTagNames[tag] ?? "WAV format 0x\(String(tag, radix: 16, uppercase: true))"
        #endif
    }

    #if !hasFeature(Embedded)
    /// The usual names of codecs by the format tag (RFC 2361, appendix A, and later registrations).
    private static let formatTagNames: [UInt16: String] = [
        0x0002: "Microsoft ADPCM", 0x0006: "A-law", 0x0007: "µ-law", 0x0008: "DTS", 0x000A: "Windows Media voice", 0x0010: "OKI ADPCM",
        0x0011: "IMA ADPCM", 0x0014: "G.723 ADPCM", 0x0016: "G.726", 0x0020: "Yamaha ADPCM", 0x0022: "TrueSpeech", 0x0031: "GSM 6.10",
        0x0040: "G.721", 0x0041: "G.728", 0x0042: "G.723.1", 0x0045: "G.726", 0x0050: "MPEG audio", 0x0061: "DK4 ADPCM",
        0x0062: "DK3 ADPCM", 0x0064: "G.726", 0x0065: "G.722", 0x0083: "G.729", 0x0092: "AC-3", 0x00FF: "AAC", 0x0111: "G.723.1",
        0x0130: "Sipro", 0x0160: "Windows Media Audio", 0x0161: "Windows Media Audio", 0x0162: "Windows Media Audio Professional",
        0x0163: "Windows Media Audio Lossless", 0x0270: "ATRAC3", 0x028F: "G.722", 0x0402: "Indeo audio", 0x1600: "AAC", 0x1601: "AAC",
        0x1602: "AAC", 0x1610: "AAC", 0x2000: "AC-3", 0x2001: "DTS", 0x4143: "AAC", 0x566F: "Vorbis", 0x674F: "Vorbis", 0x6750: "Vorbis",
        0x6751: "Vorbis", 0x676F: "Vorbis", 0x6770: "Vorbis", 0x6771: "Vorbis", 0x704F: "Opus", 0xA109: "Speex", 0xF1AC: "FLAC",
    ]
    #endif
}
