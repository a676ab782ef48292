// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import SystemFiles

/// The former name of ``/AudioPrimitives/AudioFileFormat``.
@available(*, deprecated, renamed: "AudioFileFormat")
public typealias PCMFileFormat = AudioFileFormat

extension AudioFileFormat {
    /// The writable PCM formats.
    package static let pcmFormats: [AudioFileFormat] = [.wav, .aiff, .caf, .flac, .oggFLAC, .raw]

    /// Creates the writable format for a path's extension, or returns `nil` for other extensions and without one.
    public init?(path: String) {
        guard let name = PathName.fileExtension(path) else { return nil }
        self.init(fileExtension: name)
    }

    /// Creates the writable PCM format for a path's extension, or returns `nil` for other extensions.
    package init?(pcmPath path: String) {
        guard let name = PathName.fileExtension(path) else { return nil }
        self.init(pcmFileExtension: name)
    }

    package var isPCM: Bool { Self.pcmFormats.contains(self) }

    package var isFLAC: Bool { self == .flac || self == .oggFLAC }

    /// The maximum size of samples and tags, in bytes.
    ///
    /// AIFF has a 32-bit file size; 64 KiB are reserved for the header and later chapters.
    package var sampleByteLimit: Int { self == .aiff ? Int(clamping: UInt32.max) - 65_536 : .max }
}
