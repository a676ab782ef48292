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
    /// The codec unless another one is chosen: PCM where the format can hold it, Opus in Ogg, iLBC in `.lbc`, else AAC.
    package var defaultCodec: OutputCodec {
        if pcm != nil { return .pcm }
        return switch container {
        case .oggOpus: .opus
        case .ilbc: .ilbc
        default: .aac
        }
    }

    /// The place of the tags in files with a codec.
    func tagStorage(_ codec: OutputCodec) -> TagStorage {
        if codec == .pcm, let pcm { return pcm.pcmTagStorage }
        return container?.tagStorage ?? .none
    }
}
