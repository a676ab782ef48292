// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import SystemFiles

/// The former name of ``/AudioPrimitives/AudioFileFormat``.
@available(*, deprecated, renamed: "AudioFileFormat")
public typealias PCMFileFormat = AudioFileFormat

extension AudioFileFormat {
    /// The formats of PCM that are written.
    package static let pcmFormats: [AudioFileFormat] = [.wav, .aiff, .caf, .flac, .oggFLAC, .raw]

    /// Creates the format that a file name's extension stands for, among those that can be written; nil without one and for other extensions.
    public init?(path: String) {
        guard let name = PathName.fileExtension(path) else { return nil }
        self.init(fileExtension: name)
    }

    /// Creates the format of PCM that a file name's extension stands for; nil for other extensions.
    package init?(pcmPath path: String) {
        guard let name = PathName.fileExtension(path) else { return nil }
        self.init(pcmFileExtension: name)
    }

    /// Whether the format is one of those of PCM that are written.
    package var isPCM: Bool { Self.pcmFormats.contains(self) }

    /// Whether samples are stored by FLAC, in Ogg or not.
    package var isFLAC: Bool { self == .flac || self == .oggFLAC }

    /// The bytes of samples that a file can hold: AIFF counts those of the whole file with 32 bits, of which 64 KiB are left for header and tags.
    package var sampleByteLimit: Int { self == .aiff ? Int(clamping: UInt32.max) - 65_536 : .max }
}
