// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// A file format for PCM output.
public enum PCMFileFormat: String, Hashable, Sendable, CaseIterable {
    /// RIFF WAVE; becomes RF64 beyond 4 GiB.
    case wav
    /// Apple's Audio Interchange File Format.
    case aiff
    /// Apple's Core Audio Format.
    case caf
    /// FLAC, lossless.
    case flac
    /// FLAC in Ogg.
    case oggFLAC = "oga"
    /// Samples without a header.
    case raw

    /// Creates the format that a file name's extension stands for; nil for other extensions.
    public init?(path: String) {
        guard let name = PathName.fileExtension(path) else { return nil }
        self.init(fileExtension: name)
    }

    /// Creates the format with an extension, in lower case and without the dot; nil for others.
    package init?(fileExtension: String) {
        switch fileExtension {
        case "wav", "wave", "rf64": self = .wav
        case "aif", "aiff", "aifc": self = .aiff
        case "caf": self = .caf
        case "flac": self = .flac
        case "oga": self = .oggFLAC
        case "raw", "pcm": self = .raw
        default: return nil
        }
    }

    /// Whether samples are stored by FLAC, in Ogg or not.
    package var isFLAC: Bool { self == .flac || self == .oggFLAC }

    /// The bytes of samples that a file can hold: AIFF counts those of the whole file with 32 bits, of which 64 KiB are left for header and tags.
    package var sampleByteLimit: Int { self == .aiff ? Int(clamping: UInt32.max) - 65_536 : .max }
}
