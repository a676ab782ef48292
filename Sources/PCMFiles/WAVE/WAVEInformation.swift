// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The texts of a `LIST` chunk of type `INFO` in a WAV file.
struct WAVEInformation {
    /// The texts that this package knows.
    var tags = PCMFileTags()

    /// The most bytes of a chunk that is read.
    static let largestByteCount = 65_534

    /// Creates the information of tags.
    init(_ tags: PCMFileTags) { self.tags = tags }

    /// Reads the body of a `LIST` chunk; one of another type, and texts that are cut off, are ignored.
    init(list body: [UInt8]) {
        guard body.starts(with: Array("INFO".utf8)) else { return }
        var rest = body.dropFirst(4)
        while rest.count > 8 {
            let id = String(decoding: rest.prefix(4), as: UTF8.self)
            let length = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(8)
            guard length <= rest.count else { return }
            let text = Self.text(rest.prefix(length))
            rest = rest.dropFirst(length + length & 1)
            guard !text.isEmpty else { continue }
            switch id {
            case "INAM": tags.title = text
            case "IART": tags.artist = text
            case "IPRD": tags.album = text
            case "ICRD": tags.date = text
            default: break
            }
        }
    }

    /// The `LIST` chunk with its head, of even length; empty without tags.
    var chunk: [UInt8] {
        guard !tags.isEmpty else { return [] }
        var body = Array("INFO".utf8)
        for (id, text) in [("INAM", tags.title), ("IART", tags.artist), ("IPRD", tags.album), ("ICRD", tags.date)] {
            // A reader skips chunks that are much longer.
            guard let text = text?.utf8.prefix(8192) else { continue }
            body += Array(id.utf8)
            body.appendLittleEndian(text.count + 1, byteCount: 4)
            body += Array(text) + [UInt8](repeating: 0, count: 2 - text.count & 1)
        }
        var chunk = Array("LIST".utf8)
        chunk.appendLittleEndian(body.count, byteCount: 4)
        return chunk + body
    }

    /// Returns a text up to its zero: UTF-8, or Latin 1 if it isn't valid.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = bytes.prefix { $0 != 0 }
        return String(validating: text, as: UTF8.self) ?? String(String.UnicodeScalarView(text.map { UnicodeScalar($0) }))
    }
}

extension PCMFileTags {
    /// Adds the tags that others have and these do not.
    mutating func merge(_ other: PCMFileTags) {
        title = title ?? other.title
        artist = artist ?? other.artist
        album = album ?? other.album
        date = date ?? other.date
    }
}

extension [UInt8] {
    /// Appends the low bytes of an integer, the lowest first.
    mutating func appendLittleEndian(_ value: Int, byteCount: Int) {
        for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
