// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
package import AudioPrimitives

/// A codec of the output of a converted file.
public enum OutputCodec: String, Hashable, Sendable, CaseIterable {
    /// Linear PCM; in FLAC files without loss compressed.
    case pcm
    /// AAC-LC, HE-AAC or HE-AAC v2.
    case aac
    /// Opus.
    case opus
    /// iLBC: speech at 8 kHz.
    case ilbc
}

extension OutputCodec {
    /// The usual name of the codec.
    public var name: String {
        switch self {
        case .pcm: "PCM"
        case .aac: "AAC"
        case .opus: "Opus"
        case .ilbc: "iLBC"
        }
    }
}

extension AudioFileFormat {
    /// The codecs that the format can be written with; none if it is only read.
    package var codecs: [OutputCodec] {
        switch self {
        case .caf: [.pcm, .aac, .opus, .ilbc]
        case _ where isPCM: [.pcm]
        case .adts, .loas: [.aac]
        case .oggOpus: [.opus]
        case .ilbc: [.ilbc]
        default: isWritable ? [.aac, .opus] : []
        }
    }
}
