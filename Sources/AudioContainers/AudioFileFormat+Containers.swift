// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
public import AudioPrimitives
package import MPEG4Audio

/// The former name of ``/AudioPrimitives/AudioFileFormat``.
@available(*, deprecated, renamed: "AudioFileFormat")
public typealias ContainerFormat = AudioFileFormat

extension AudioFileFormat {
    /// The format with a major brand in its file type box (ISO/IEC 14496-12, 4.3); nil stands for a file without one.
    init(majorBrand: FourCharCode?) {
        switch majorBrand.map({ String(decoding: $0.bytes, as: UTF8.self) }) {
        case "M4A "?, "M4B "?: self = .m4a
        case "qt  "?: self = .quickTime
        case let text? where text.utf8.starts(with: "3g".utf8): self = .threeGPP
        default: self = .mp4
        }
    }

    /// Whether ``makeWriter(to:_:options:)-(_,CodecConfiguration,_)``, or DABPlus, has a writer for the format.
    public var isWritable: Bool { streamable != nil || self == .caf }

    /// Whether the format is MP4 or one of its relatives, which `MP4Reader` reads.
    package var isMP4: Bool { [.m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime].contains(self) }

    /// Whether the format can signal SBR and parametric stereo explicitly: it stores an AudioSpecificConfig, not the fields of ADTS.
    package var supportsExplicitSignaling: Bool { self != .adts && self != .transportStream && self != .dab }

    /// Whether a writer needs a sink that supports overwriting.
    package var needsOverwriting: Bool { self == .m4a || self == .caf }

    /// The format to write to a pipe in place of this one; nil if there is none.
    package var streamable: AudioFileFormat? {
        switch self {
        case .adts, .loas, .fragmentedM4A, .transportStream, .oggOpus, .ilbc, .dab: self
        case .m4a: .fragmentedM4A
        default: nil
        }
    }

    /// The place of tags in the format, whatever the codec.
    package var tagStorage: TagStorage {
        switch self {
        case .m4a, .fragmentedM4A: .items
        case .oggOpus: .opusComments
        case .caf: .words
        case .wav, .aiff: .id3
        case .flac, .oggFLAC: .flacBlocks
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
