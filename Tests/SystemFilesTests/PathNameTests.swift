// SPDX-License-Identifier: Apache-2.0

import SystemFiles
import TestSupport
import Testing

@Suite struct PathNameTests {
    @Test(
        "The extension is that of the last name, in lower case; a name that begins or ends with its only dot has none",
        arguments: [
            ("a.wav", "wav"), ("/a.b/c.M4A", "m4a"), ("a.b.flac", "flac"), ("/a.wav/c", nil), ("out", nil), ("out.", nil), (".out", nil),
            (".a.caf", "caf"), ("", nil), ("-", nil),
        ] as [(String, String?)])
    func fileExtension(path: String, expected: String?) {
        #expect(PathName.fileExtension(path) == expected)
    }

    @Test("Another extension takes the place of the old one, or follows the name")
    func replacing() {
        for (path, expected) in [("a.wav", "a.x"), ("/a.b/c", "/a.b/c.x"), (".out", ".out.x"), ("a.tar.gz", "a.tar.x")] {
            #expect(PathName.replacingExtension(of: path, by: "x") == expected)
        }
    }

    @Test("Folder and last name of a path")
    func parts() {
        for (path, expected) in [
            ("/a", "/"), ("a/b/c", "a/b"), ("a", nil), ("a/", nil), ("a//b", "a"), ("a/b//", "a"), ("//a", "/"), ("///", nil), ("", nil),
            ("é/b", "é"),
        ] as [(String, String?)] {
            #expect(PathName.parent(path) == expected, "\(path)")
        }
        #expect(PathName.lastComponent("a/b/") == "b" && PathName.lastComponent("c") == "c")
        #expect(PathName.folder("a") == "a/" && PathName.folder("a/") == "a/")
    }

    @Test("A name that begins with a combining mark is a name of its own")
    func combiningMark() {
        let path = "a/\u{301}b.wav"
        #expect(PathName.parent(path) == "a" && PathName.lastComponent(path) == "\u{301}b.wav")
        #expect(PathName.fileExtension("a.b/\u{301}c") == nil)
    }

    @Test("Paths of any bytes are strings that give the same bytes again; valid UTF-8 stays as it is")
    func bytes() {
        for seed in 0..<2000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                // Bytes on their own, parts of long characters, and whole characters.
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.append(UInt8.random(in: 1...255, using: &random))
                case 1: bytes += [0xF0, 0x9F, 0x8E].prefix(Int.random(in: 1...3, using: &random))
                default: bytes += Array(random.element(of: ["é", "a", "/", "🎵", "日"]).utf8)
                }
            }
            let path =
                (bytes.map { CChar(truncatingIfNeeded: $0) } + [0]).withUnsafeBufferPointer { $0.baseAddress.map(PathName.decoding) } ?? ""
            #expect(PathName.bytes(path).dropLast().map { UInt8(truncatingIfNeeded: $0) } == bytes, "seed \(seed)")
            // As on a command line, where the string comes as bytes of UTF-8.
            #expect(path.withCString { PathName.decoding($0) } == path, "seed \(seed)")
            if let valid = String(validating: bytes, as: UTF8.self) { #expect(path == valid, "seed \(seed)") }
        }
    }
}
