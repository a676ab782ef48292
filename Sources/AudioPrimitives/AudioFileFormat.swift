// SPDX-License-Identifier: Apache-2.0

/// The format of an audio file or stream.
///
/// AudioContainers identifies formats from their first bytes, and defines which formats have access units that can be read or written.
/// PCMFiles writes ``wav``, ``aiff``, ``caf``, ``flac``, ``oggFLAC`` and ``raw``.
public enum AudioFileFormat: String, Hashable, Sendable, CaseIterable {
    /// AAC frames with a header each (ISO/IEC 14496-3, 1.A.2.2).
    case adts = "ADTS"
    /// AAC after a single header (ISO/IEC 14496-3, 1.A.2.1).
    case adif = "ADIF"
    /// LATM in a LOAS sync stream (ISO/IEC 14496-3, 1.7).
    case loas = "LOAS"
    /// MP4 with audio only and Apple's file type.
    case m4a = "M4A"
    /// Fragmented M4A, which is identified as ``m4a`` when read.
    case fragmentedM4A = "fragmented M4A"
    /// MP4 with any other file type (ISO/IEC 14496-14).
    case mp4 = "MP4"
    /// 3GP (3GPP TS 26.244).
    case threeGPP = "3GP"
    /// QuickTime movie.
    case quickTime = "QuickTime"
    /// Core Audio Format, which can also hold PCM and other codecs.
    case caf = "CAF"
    /// The iLBC storage format (RFC 3952, 4.1).
    case ilbc = "iLBC"
    /// RIFF, RF64 or BW64 WAVE.
    case wav = "WAV"
    /// AIFF or AIFF-C.
    case aiff = "AIFF"
    /// FLAC.
    case flac = "FLAC"
    /// FLAC in Ogg.
    case oggFLAC = "Ogg FLAC"
    /// PCM without a header.
    case raw = "raw PCM"
    /// Ogg with any codec except Opus.
    case ogg = "Ogg"
    /// Ogg with Opus (RFC 7845).
    case oggOpus = "Ogg Opus"
    /// Sun AU.
    case au = "AU"
    /// Sony Wave64.
    case wave64 = "W64"
    /// Matroska or WebM (RFC 9559), which is read but not written.
    case matroska = "Matroska"
    /// MPEG transport stream (ISO/IEC 13818-1).
    case transportStream = "MPEG-TS"
    /// DAB+ superframes (ETSI TS 102 563), read and written by DABPlus.
    case dab = "DAB+"
    /// MPEG audio layer 1, 2 or 3, which is identified but not read.
    case mpegAudio = "MPEG audio"

    // Identified, but not read

    /// AC-3, Dolby Digital.
    case ac3 = "AC-3"
    /// Enhanced AC-3, Dolby Digital Plus.
    case eac3 = "E-AC-3"
    /// DTS.
    case dts = "DTS"
    /// Windows Media.
    case windowsMedia = "Windows Media (WMA)"
    /// DSD in a DSF file.
    case dsf = "DSD (DSF)"
    /// DSD in a DSDIFF file.
    case dsdiff = "DSD (DSDIFF)"
    /// Monkey's Audio.
    case monkeysAudio = "Monkey's Audio"
    /// WavPack.
    case wavPack = "WavPack"
    /// True Audio.
    case trueAudio = "True Audio (TTA)"
    /// Musepack.
    case musepack = "Musepack"
    /// Tom's lossless Audio Kompressor.
    case tak = "TAK"
    /// Shorten.
    case shorten = "Shorten"
    /// Adaptive multi-rate speech, without a container.
    case amr = "AMR"
    /// RealMedia.
    case realMedia = "RealMedia"
    /// Speex in Ogg.
    case speex = "Speex"
    /// Audio Video Interleave.
    case avi = "AVI"
    /// Flash Video.
    case flashVideo = "Flash Video"
    /// MPEG-2 program stream, as on DVDs.
    case programStream = "MPEG program stream"
    /// PVA television recordings by TechnoTrend.
    case pva = "PVA"
    /// Standard MIDI file, which has notes but no audio.
    case midi = "MIDI"
}

extension AudioFileFormat {
    /// The usual name of the format.
    public var name: String { rawValue }

    /// The usual file extension without its dot, or empty for formats that are not read.
    public var fileExtension: String {
        switch self {
        case .adts: "aac"
        case .m4a, .fragmentedM4A: "m4a"
        case .adif, .loas, .mp4, .threeGPP, .caf, .wav, .aiff, .flac, .ogg, .au, .wave64: rawValue.asciiLowercased
        case .oggFLAC: "oga"
        case .raw: "raw"
        case .ilbc: "lbc"
        case .quickTime: "mov"
        case .matroska: "mkv"
        case .transportStream: "ts"
        case .mpegAudio: "mp3"
        case .oggOpus: "opus"
        case .dab: "dabp"
        default: ""
        }
    }

    /// Whether access units of the format can be read.
    ///
    /// AudioContainers reads them, except for DAB+ (DABPlus) and ADIF (AudioFiles), where only a decoder can find the access unit
    /// boundaries.
    public var isReadable: Bool {
        switch self {
        case .adts, .adif, .loas, .m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime, .caf, .ilbc, .oggOpus, .matroska, .transportStream,
            .dab:
            true
        default: false
        }
    }

    /// Creates the writable format with a file extension, or returns `nil` for other extensions.
    ///
    /// - Parameter fileExtension: The extension without its dot, in any case: wav, wave, rf64, aif, aiff, aifc, caf, flac, oga, raw, pcm,
    ///   aac, adts, loas, latm, m4a, m4b, mp4, ts, opus, lbc or dabp.
    public init?(fileExtension: String) { self.init(fileExtension, in: Self.pcmExtensions + Self.codedExtensions) }

    package init?(pcmFileExtension: String) { self.init(pcmFileExtension, in: Self.pcmExtensions) }

    package init?(writableFileExtension: String) { self.init(writableFileExtension, in: Self.codedExtensions) }

    private init?(_ fileExtension: String, in list: [(name: String, format: AudioFileFormat)]) {
        let name = fileExtension.asciiLowercased
        guard let found = list.first(where: { $0.name == name }) else { return nil }
        self = found.format
    }

    /// The extensions of the writable coded audio formats, without their dots.
    package static var writableFileExtensions: [String] { codedExtensions.map { $0.name } }

    private static let pcmExtensions: [(name: String, format: AudioFileFormat)] = [
        ("wav", .wav), ("wave", .wav), ("rf64", .wav), ("aif", .aiff), ("aiff", .aiff), ("aifc", .aiff), ("caf", .caf), ("flac", .flac),
        ("oga", .oggFLAC), ("raw", .raw), ("pcm", .raw),
    ]

    private static let codedExtensions: [(name: String, format: AudioFileFormat)] = [
        ("aac", .adts), ("adts", .adts), ("m4a", .m4a), ("m4b", .m4a), ("mp4", .m4a), ("caf", .caf), ("loas", .loas), ("latm", .loas),
        ("ts", .transportStream), ("opus", .oggOpus), ("lbc", .ilbc), ("dabp", .dab),
    ]
}
