// SPDX-License-Identifier: Apache-2.0

package import PCMFiles
package import SystemFiles

/// A file of PCM or encoded audio, on disk or in memory.
public enum AudioFileInput: Hashable, Sendable {
    /// The file at a path, or `-` for standard input.
    case file(String)
    /// All bytes of a file in memory, with a name for errors and reports.
    case bytes([UInt8], name: String)

    /// The path as shown in errors, or the name.
    package var name: String {
        switch self {
        case .file(let path): PathName.inputName(path)
        case .bytes(_, let name): name
        }
    }

    /// Opens the file.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if it cannot be opened.
    package func open() throws(AudioFileError) -> FileInput {
        switch self {
        case .file(let path): try FileInput(opening: path)
        case .bytes(let bytes, let name): FileInput(bytes: bytes, path: name)
        }
    }
}
