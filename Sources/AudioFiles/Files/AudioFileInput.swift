// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
package import PCMFiles
package import SystemFiles

/// A file of PCM or encoded audio, on disk or in memory, and the audio track to read, or `nil` for the default one.
public enum AudioFileInput: Hashable, Sendable {
    /// The file at a path, or `-` for standard input.
    case file(String, audioTrack: AudioTrackChoice? = nil)
    /// All bytes of a file in memory, with a name for errors and reports.
    case bytes([UInt8], name: String, audioTrack: AudioTrackChoice? = nil)

    /// The path as shown in errors, or the name.
    package var name: String {
        switch self {
        case .file(let path, _): PathName.inputName(path)
        case .bytes(_, let name, _): name
        }
    }

    package var audioTrack: AudioTrackChoice? {
        switch self {
        case .file(_, let track), .bytes(_, _, let track): track
        }
    }

    /// Opens the file.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if it cannot be opened.
    package func open() throws(AudioFileError) -> FileInput {
        switch self {
        case .file(let path, _): try FileInput(opening: path)
        case .bytes(let bytes, let name, _): FileInput(bytes: bytes, path: name)
        }
    }
}
