// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
public import AudioPrimitives
package import PCMFiles
internal import SystemFiles

/// The former name of ``/AudioPrimitives/AudioFileFormat``.
@available(*, deprecated, renamed: "AudioFileFormat")
public typealias OutputFileFormat = AudioFileFormat

extension AudioFileFormat {
    /// The default codec: PCM if the format supports it, Opus in Ogg, iLBC in `.lbc`, otherwise AAC.
    package var defaultCodec: OutputCodec {
        switch self {
        case _ where isPCM: .pcm
        case .oggOpus: .opus
        case .ilbc: .ilbc
        default: .aac
        }
    }
}
