// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
public import AudioPrimitives
package import MPEG4Audio

/// The former name of ``/AudioPrimitives/AudioFileFormat``.
@available(*, deprecated, renamed: "AudioFileFormat")
public typealias ContainerFormat = AudioFileFormat

extension AudioFileFormat {
    /// The format with the given major brand in its file type box (ISO/IEC 14496-12, 4.3).
    ///
    /// `nil` means no file type box.
    init(majorBrand: FourCharCode?) {
        switch majorBrand.map({ String(decoding: $0.bytes, as: UTF8.self) }) {
        case "M4A "?, "M4B "?: self = .m4a
        case "qt  "?: self = .quickTime
        case let text? where text.utf8.starts(with: "3g".utf8): self = .threeGPP
        default: self = .mp4
        }
    }

    /// Whether ``makeWriter(to:_:options:)-(_,CodecConfiguration,_)`` or DABPlus can write the format.
    public var isWritable: Bool { streamable != nil || self == .caf }

    /// Whether `MP4Reader` reads the format: MP4, M4A, 3GPP or QuickTime.
    package var isMP4: Bool { [.m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime].contains(self) }

    /// Whether the format lists its tracks in a header: MP4 and Matroska.
    package var hasTrackList: Bool { isMP4 || self == .matroska }

    /// Whether the format can signal SBR and parametric stereo explicitly, in an AudioSpecificConfig.
    package var supportsExplicitSignaling: Bool { self != .adts && self != .transportStream && self != .dab }

    /// Whether the format stores priming and padding.
    package var storesGaplessInfo: Bool {
        switch self {
        case .m4a, .fragmentedM4A, .caf, .oggOpus: true
        default: false
        }
    }

    package var needsOverwriting: Bool { self == .m4a || self == .caf }

    /// The pipe-compatible variant of the format, if any.
    package var streamable: AudioFileFormat? {
        switch self {
        case .adts, .loas, .fragmentedM4A, .transportStream, .oggOpus, .ilbc, .dab: self
        case .m4a: .fragmentedM4A
        default: nil
        }
    }

    package var tagStorage: TagStorage {
        switch self {
        case .m4a, .fragmentedM4A: .items
        case .oggOpus: .opusComments
        case .caf: .words
        case .aiff: .id3
        case .wav: .wave
        case .flac, .oggFLAC: .flacBlocks
        default: .none
        }
    }

    /// Returns the AAC configuration.
    ///
    /// Throws for other codecs, which the format cannot store.
    package func audioSpecificConfig(_ configuration: CodecConfiguration) throws(ContainerError) -> AudioSpecificConfig {
        guard let config = configuration.audioSpecificConfig else { throw .codecNotStorable(configuration.formatID, in: self) }
        return config
    }
}
