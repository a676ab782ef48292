// SPDX-License-Identifier: Apache-2.0

import AudioFiles
internal import PCMFiles
import SystemFiles
internal import SystemLibrary

/// Files that hold text: one line, such as a key or a title, or lyrics.
enum TextFile {
    /// The longest line, in bytes.
    private static let byteLimit = 4096

    /// Returns the text of a file, without line ends after it.
    static func contents(_ path: String, byteLimit: Int) throws(AudioFileError) -> String {
        let text = try bytes(path, byteLimit).reversed().drop { $0 <= UInt8(ascii: " ") }.reversed()
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the first line of a file, without spaces around it.
    static func firstLine(_ path: String) throws(AudioFileError) -> String {
        let line = try bytes(path, byteLimit).prefix { $0 != UInt8(ascii: "\n") }
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") }
        let text = line.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the first bytes of a file.
    private static func bytes(_ path: String, _ limit: Int) throws(AudioFileError) -> ArraySlice<UInt8> {
        guard let file = fopen(PathName.bytes(path), "re") else { throw AudioFileError(.cannotOpen(systemCode: errno), path: path) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = fread(&bytes, 1, limit, file)
        return bytes[..<count]
    }
}
