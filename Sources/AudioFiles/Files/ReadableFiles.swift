// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// The file names that a folder scan includes.
enum ReadableFiles {
    /// The extensions, in lower case.
    private static let extensions: Set<String> = [
        "wav", "wave", "rf64", "w64", "aif", "aiff", "aifc", "8svx", "voc", "caf", "flac", "mp1", "mp2", "mp3", "ogg", "oga", "opus", "m4a",
        "m4b", "mp4", "3gp", "mov", "mkv", "mka", "webm", "weba", "aac", "adts", "adif", "loas", "latm", "ts", "au", "snd", "lbc", "dabp",
    ]

    static func hasAudioExtension(_ name: String) -> Bool {
        PathName.fileExtension(name).map(extensions.contains) ?? false
    }
}
