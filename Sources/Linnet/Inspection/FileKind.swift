// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What a file is by its first bytes, to say so when it is not what was asked for.
enum FileKind: CaseIterable {
    case wav, aiff, flac, ogg, caf, mp4, matroska, zip

    /// Recognises the first 12 bytes or more.
    init?(head: [UInt8]) {
        func matches(_ text: String, at offset: Int) -> Bool { Array(head.dropFirst(offset).prefix(text.utf8.count)) == Array(text.utf8) }
        if matches("RIFF", at: 0) || matches("RF64", at: 0) {
            self = .wav
        } else if matches("FORM", at: 0) {
            self = .aiff
        } else if matches("fLaC", at: 0) {
            self = .flac
        } else if matches("OggS", at: 0) {
            self = .ogg
        } else if matches("caff", at: 0) {
            self = .caf
        } else if matches("ftyp", at: 4) {
            self = .mp4
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .matroska
        } else if matches("PK", at: 0) {
            self = .zip
        } else {
            return nil
        }
    }

    /// Ends a sentence: "but …".
    var sentence: String {
        switch self {
        case .wav, .aiff, .flac: "is a sound file without AAC; `linnet encode` makes AAC of it"
        case .ogg: "is an Ogg file"
        case .caf: "is a CAF file"
        case .mp4: "is an MP4 file"
        case .matroska: "is a Matroska file"
        case .zip: "is a ZIP archive"
        }
    }
}
