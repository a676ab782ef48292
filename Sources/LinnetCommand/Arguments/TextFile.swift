// SPDX-License-Identifier: Apache-2.0

import AudioFiles
internal import PCMFiles
import SystemFiles

/// Text files: one line, such as a key or a title, or longer texts such as lyrics.
enum TextFile {
    /// The maximum length of a line, in bytes.
    private static let byteLimit = 4096

    /// Returns the text of a file without trailing white space.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``, or a ``CommandFailure`` for a larger file than `byteLimit`.
    static func contents(_ path: String, byteLimit: Int) throws -> String {
        let bytes = try bytes(path, byteLimit + 1)
        guard bytes.count <= byteLimit else { throw CommandFailure(.unsuitableInput, "\(path) is larger than \(byteLimit) bytes") }
        return decoded(bytes.reversed().drop { $0 <= UInt8(ascii: " ") }.reversed(), path)
    }

    /// Returns the first line of a file without surrounding spaces.
    static func firstLine(_ path: String) throws(AudioFileError) -> String {
        let line = try bytes(path, byteLimit).prefix { $0 != UInt8(ascii: "\n") }
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") }
        return decoded(line.drop(while: isSpace).reversed().drop(while: isSpace).reversed(), path)
    }

    /// Decodes UTF-8, or else Latin-1 with a note.
    private static func decoded(_ bytes: [UInt8], _ path: String) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        StandardError.note("\(path) is not UTF-8; read as Latin-1")
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func bytes(_ path: String, _ limit: Int) throws(AudioFileError) -> [UInt8] {
        do throws(SystemFileError) {
            return try FileInput(OpenFile(reading: path), path: path).readFully(limit)
        } catch {
            throw AudioFileError(reading: path, error)
        }
    }
}
