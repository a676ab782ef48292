// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
internal import AudioPrimitives
package import MPEG4Audio

/// The format of an audio file or stream.
///
/// ``ContainerProbe`` identifies all of them but DAB+; those that can be written are ``isWritable``.
public enum ContainerFormat: String, Hashable, Sendable, CaseIterable {
    /// AAC in frames with a header each (ISO/IEC 14496-3, 1.A.2.2).
    case adts = "ADTS"
    /// AAC after a single header (ISO/IEC 14496-3, 1.A.2.1).
    case adif = "ADIF"
    /// LATM in a LOAS sync stream (ISO/IEC 14496-3, 1.7).
    case loas = "LOAS"
    /// MP4 with audio only, in Apple's file type.
    case m4a = "M4A"
    /// The same in fragments; as an input it is identified as ``m4a``.
    case fragmentedM4A = "fragmented M4A"
    /// MP4 of any other file type (ISO/IEC 14496-14).
    case mp4 = "MP4"
    /// 3GP (3GPP TS 26.244).
    case threeGPP = "3GP"
    /// QuickTime movie.
    case quickTime = "QuickTime"
    /// Core Audio Format; it can hold PCM and other codecs too.
    case caf = "CAF"
    /// The storage format of iLBC (RFC 3952, 4.1).
    case ilbc = "iLBC"
    /// RIFF, RF64 or BW64 WAVE.
    case wave = "WAV"
    /// AIFF or AIFF-C.
    case aiff = "AIFF"
    /// FLAC.
    case flac = "FLAC"
    /// Ogg with any codec but Opus.
    case ogg = "Ogg"
    /// Ogg with Opus (RFC 7845).
    case oggOpus = "Ogg Opus"
    /// Sun AU.
    case au = "AU"
    /// Sony Wave64.
    case wave64 = "W64"
    /// Matroska or WebM; identified only.
    case matroska = "Matroska"
    /// MPEG transport stream (ISO/IEC 13818-1).
    case transportStream = "MPEG-TS"
    /// Superframes of DAB+ (ETSI TS 102 563), which the module DABPlus reads and writes.
    case dab = "DAB+"
    /// MPEG audio layer 1, 2 or 3; identified only.
    case mpegAudio = "MPEG audio"

    /// The format with a major brand in its file type box (ISO/IEC 14496-12, 4.3); nil stands for a file without one.
    init(majorBrand: FourCharCode?) {
        switch majorBrand.map({ String(decoding: $0.bytes, as: UTF8.self) }) {
        case "M4A "?, "M4B "?: self = .m4a
        case "qt  "?: self = .quickTime
        case let text? where text.utf8.starts(with: "3g".utf8): self = .threeGPP
        default: self = .mp4
        }
    }

    /// Creates the writable format that a file extension stands for.
    ///
    /// - Parameter writableFileExtension: The extension without its dot, in any case: aac, adts, loas, latm, m4a, m4b, mp4, caf, ts, opus,
    ///   lbc or dabp.
    public init?(writableFileExtension: String) {
        let name = writableFileExtension.asciiLowercased
        guard let found = Self.formatsByExtension.first(where: { $0.key == name }) else { return nil }
        self = found.value
    }

    /// The extensions that stand for a writable format, without their dots.
    package static var writableFileExtensions: [String] { formatsByExtension.map { $0.key } }

    private static let formatsByExtension: KeyValuePairs<String, ContainerFormat> = [
        "aac": .adts, "adts": .adts, "m4a": .m4a, "m4b": .m4a, "mp4": .m4a, "caf": .caf, "loas": .loas, "latm": .loas,
        "ts": .transportStream, "opus": .oggOpus, "lbc": .ilbc, "dabp": .dab,
    ]

    /// The usual name of the format.
    public var name: String { rawValue }

    /// The usual file extension, without its dot.
    public var fileExtension: String {
        switch self {
        case .adts: "aac"
        case .m4a, .fragmentedM4A: "m4a"
        case .adif, .loas, .mp4, .threeGPP, .caf, .wave, .aiff, .flac, .ogg, .au, .wave64: rawValue.asciiLowercased
        case .ilbc: "lbc"
        case .quickTime: "mov"
        case .matroska: "mkv"
        case .transportStream: "ts"
        case .mpegAudio: "mp3"
        case .oggOpus: "opus"
        case .dab: "dabp"
        }
    }

    /// Whether ``makeWriter(to:_:options:)-(_,CodecConfiguration,_)``, or DABPlus, has a writer for the format.
    public var isWritable: Bool { streamable != nil || self == .caf }

    /// Whether the format is MP4 or one of its relatives, which ``MP4Reader`` reads.
    package var isMP4: Bool { [.m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime].contains(self) }

    /// Whether the format is for PCM or for codecs that libraries for PCM files read.
    package var isPCMFile: Bool { [.wave, .aiff, .flac, .ogg, .au, .wave64].contains(self) }

    /// Whether the format can signal SBR and parametric stereo explicitly: it stores an AudioSpecificConfig, not the fields of ADTS.
    package var supportsExplicitSignaling: Bool { self != .adts && self != .transportStream && self != .dab }

    /// Whether a writer needs a sink that supports overwriting.
    package var needsOverwriting: Bool { self == .m4a || self == .caf }

    /// The format to write to a pipe in place of this one; nil if there is none.
    package var streamable: ContainerFormat? {
        switch self {
        case .adts, .loas, .fragmentedM4A, .transportStream, .oggOpus, .ilbc, .dab: self
        case .m4a: .fragmentedM4A
        default: nil
        }
    }

    /// The place of tags in the format.
    package var tagStorage: TagStorage {
        switch self {
        case .m4a, .fragmentedM4A: .items
        case .oggOpus: .opusComments
        case .caf: .words
        default: .none
        }
    }

    /// Whether the format can store all of some tags, except for the name of the encoder.
    package func canStore(_ tags: AudioTags) -> Bool { tagStorage.namesLost(of: tags).isEmpty }

    /// Returns the configuration of AAC, which is all that this format can hold.
    package func audioSpecificConfig(_ configuration: CodecConfiguration) throws(ContainerError) -> AudioSpecificConfig {
        guard let config = configuration.audioSpecificConfig else { throw .codecNotStorable(configuration.formatID, in: self) }
        return config
    }
}
