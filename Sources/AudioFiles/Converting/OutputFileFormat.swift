// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
internal import AudioMetadata
public import PCMFiles
internal import SystemFiles

/// A codec of the output of a ``FileConverter``.
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

/// A file format that a ``FileConverter`` writes: one of PCM, a container of coded audio, or CAF, which is both.
public struct OutputFileFormat: Hashable, Sendable {
    /// The format of files of PCM; nil if the format holds coded audio only.
    public let pcm: PCMFileFormat?
    /// The container of coded audio; nil if the format holds PCM only.
    public let container: ContainerFormat?

    /// Creates a format that can hold PCM.
    public init(_ pcm: PCMFileFormat) {
        self.pcm = pcm
        container = pcm == .caf ? .caf : nil
    }

    /// Creates a format that can hold coded audio.
    public init(_ container: ContainerFormat) {
        self.container = container
        pcm = container == .caf ? .caf : nil
    }

    /// Creates the format that a name stands for, such as `wav` or `m4a`; nil for other names.
    public init?(name: String) {
        if let pcm = PCMFileFormat(fileExtension: name) {
            self.init(pcm)
        } else if let container = ContainerFormat(writableFileExtension: name) {
            self.init(container)
        } else {
            return nil
        }
    }

    /// Creates the format that a file name's extension stands for; nil without one and for other extensions.
    public init?(path: String) {
        guard let name = PathName.fileExtension(path) else { return nil }
        self.init(name: name)
    }

    /// The usual name of the format, such as `WAV`.
    public var name: String { container?.name ?? pcm?.rawValue.uppercased() ?? "" }

    /// The usual file extension, without its dot.
    public var fileExtension: String { container?.fileExtension ?? pcm?.rawValue ?? "" }

    /// The codec unless another one is chosen: PCM where the format can hold it, Opus in Ogg, iLBC in `.lbc`, else AAC.
    public var defaultCodec: OutputCodec {
        if pcm != nil { return .pcm }
        return switch container {
        case .oggOpus: .opus
        case .ilbc: .ilbc
        default: .aac
        }
    }

    /// The codecs that the format can hold.
    var codecs: [OutputCodec] {
        guard let container else { return [.pcm] }
        let coded: [OutputCodec] =
            switch container {
            case .adts, .loas: [.aac]
            case .oggOpus: [.opus]
            case .ilbc: [.ilbc]
            default: [.aac, .opus]
            }
        return pcm == nil ? coded : [.pcm] + coded + [.ilbc]
    }

    /// The place of the tags in files with a codec.
    func tagStorage(_ codec: OutputCodec) -> TagStorage {
        if codec == .pcm, let pcm { return pcm.tagStorage }
        return container?.tagStorage ?? .none
    }
}
