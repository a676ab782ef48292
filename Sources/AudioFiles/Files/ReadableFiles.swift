// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// The files that are taken from a folder.
enum ReadableFiles {
    /// The extensions, in lower case.
    private static let extensions: Set<String> = [
        "wav", "wave", "rf64", "w64", "aif", "aiff", "aifc", "caf", "flac", "mp3", "ogg", "oga", "opus", "m4a", "m4b", "mp4", "3gp", "mov",
        "aac", "adts", "adif", "loas", "latm", "ts", "au", "snd", "lbc",
    ]

    /// Returns whether a name has the extension of a format that can be read.
    static func hasAudioExtension(_ name: String) -> Bool {
        PathName.fileExtension(name).map(extensions.contains) ?? false
    }
}
