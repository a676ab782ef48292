// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Mutagen, a Python library that reads and writes tags, used through a script that knows the fields of all formats.
public enum Mutagen {
    /// The system's Python, which has Debian's mutagen package; other Pythons have their own packages.
    private static let python = "/usr/bin/python3"

    /// The tags and pictures of a file.
    public struct Tags: Decodable, Equatable {
        /// The values by lower-case name.
        public var tags: [String: [String]]
        /// The pictures: type, media type, description, byte count.
        public var pictures: [Picture]
    }

    /// A picture.
    public struct Picture: Decodable, Equatable {
        /// The ID3v2 picture type.
        public var kind: Int
        /// The media type.
        public var mediaType: String
        /// The description.
        public var text: String
        /// The number of bytes.
        public var byteCount: Int

        /// Decodes an array of four values.
        public init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            kind = try list.decode(Int.self)
            mediaType = try list.decode(String.self)
            text = try list.decode(String.self)
            byteCount = try list.decode(Int.self)
        }
    }

    /// Writes all tags to a file.
    public static func write(_ name: String, version: Int = 4, folder: TemporaryFolder) throws {
        _ = try run(["write", name, String(version)], folder)
    }

    /// Returns the tags of a file.
    public static func dump(_ name: String, folder: TemporaryFolder) throws -> Tags { try decode(try run(["dump", name], folder)) }

    /// Returns the tags of several files, with a single process.
    public static func dump(_ names: [String], folder: TemporaryFolder) throws -> [Tags] {
        try run(["dump"] + names, folder).split(separator: 10).map { try decode(Array($0)) }
    }

    /// Returns the tags that ``write(_:version:folder:)`` writes.
    public static func expected(folder: TemporaryFolder) throws -> Tags { try decode(try run(["expected"], folder)) }

    private static func decode(_ output: [UInt8]) throws -> Tags { try JSONDecoder().decode(Tags.self, from: Data(output)) }

    private static func run(_ words: [String], _ folder: TemporaryFolder) throws -> [UInt8] {
        guard let script = Bundle.module.url(forResource: "tags", withExtension: "py", subdirectory: "Resources") else {
            throw MissingProgram(name: "tags.py")
        }
        let run = try ProgramRun(python, [script.path] + words, folder: folder.url)
        guard run.exitCode == 0 else { throw MissingProgram(name: "python3-mutagen: \(run.errorText)") }
        return run.output
    }
}
