// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
package import AudioPrimitives

/// The codec of a converted file.
public enum OutputCodec: String, Hashable, Sendable, CaseIterable {
    /// Linear PCM, losslessly compressed in FLAC files.
    case pcm
    /// AAC-LC, HE-AAC or HE-AAC v2.
    case aac
    /// Opus (RFC 6716).
    case opus
    /// iLBC, for speech at 8 kHz.
    case ilbc
    /// Apple Lossless with 16, 24 or 32 bits per sample.
    case alac
}

extension OutputCodec {
    /// The codec's name, such as `AAC`.
    public var name: String {
        switch self {
        case .pcm: "PCM"
        case .aac: "AAC"
        case .opus: "Opus"
        case .ilbc: "iLBC"
        case .alac: "Apple Lossless"
        }
    }
}

extension AudioFileFormat {
    /// The codecs for writing the format.
    ///
    /// Empty if it is read-only.
    package var codecs: [OutputCodec] {
        switch self {
        case .caf: [.pcm, .aac, .opus, .ilbc, .alac]
        case .m4a: [.aac, .opus, .alac]
        case _ where isPCM: [.pcm]
        case .adts, .loas: [.aac]
        case .oggOpus: [.opus]
        case .ilbc: [.ilbc]
        default: isWritable ? [.aac, .opus] : []
        }
    }
}
