// SPDX-License-Identifier: Apache-2.0

import SystemFiles
import TestSupport
import Testing

@Suite struct PathNameTests {
    @Test(
        "The extension is taken from the last component, in lower case; a leading or trailing dot alone is not one",
        arguments: [
            ("a.wav", "wav"), ("/a.b/c.M4A", "m4a"), ("a.b.flac", "flac"), ("/a.wav/c", nil), ("out", nil), ("out.", nil), (".out", nil),
            (".a.caf", "caf"), ("", nil), ("-", nil),
        ] as [(String, String?)])
    func fileExtension(path: String, expected: String?) {
        #expect(PathName.fileExtension(path) == expected)
    }

    @Test("Replaces or appends an extension")
    func replacing() {
        for (path, expected) in [("a.wav", "a.x"), ("/a.b/c", "/a.b/c.x"), (".out", ".out.x"), ("a.tar.gz", "a.tar.x")] {
            #expect(PathName.replacingExtension(of: path, by: "x") == expected)
        }
    }

    @Test("Inserts text before the extension, or appends it")
    func inserting() {
        for (path, expected) in [
            ("a.wav", "a-2.wav"), ("/a.b/c", "/a.b/c-2"), (".out", ".out-2"), ("a.M4A", "a-2.M4A"), ("out.", "out-2."),
        ] {
            #expect(PathName.inserting("-2", beforeExtensionOf: path) == expected)
        }
    }

    @Test("Splits a path into folder and last component")
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

    @Test("A name that starts with a combining mark is a component")
    func combiningMark() {
        let path = "a/\u{301}b.wav"
        #expect(PathName.parent(path) == "a" && PathName.lastComponent(path) == "\u{301}b.wav")
        #expect(PathName.fileExtension("a.b/\u{301}c") == nil)
    }

    @Test("Any bytes survive the round trip through a string; valid UTF-8 is unchanged")
    func bytes() {
        for seed in 0..<2000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                // Single bytes, parts of multi-byte sequences, and complete characters.
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.append(UInt8.random(in: 1...255, using: &random))
                case 1: bytes += [0xF0, 0x9F, 0x8E].prefix(Int.random(in: 1...3, using: &random))
                default: bytes += Array(random.element(of: ["é", "a", "/", "🎵", "日"]).utf8)
                }
            }
            let path =
                (bytes.map { CChar(truncatingIfNeeded: $0) } + [0]).withUnsafeBufferPointer { $0.baseAddress.map(PathName.decoding) } ?? ""
            #expect(PathName.bytes(path).dropLast().map { UInt8(truncatingIfNeeded: $0) } == bytes, "seed \(seed)")
            // On a command line, the string arrives as UTF-8.
            #expect(path.withCString { PathName.decoding($0) } == path, "seed \(seed)")
            if let valid = String(validating: bytes, as: UTF8.self) { #expect(path == valid, "seed \(seed)") }
        }
    }

    @Test("Forms of one path have the same absolute form")
    func absolute() {
        for (path, expected) in [
            ("a", "/f/g/a"), ("./a//b/", "/f/g/a/b"), ("a/../b", "/f/g/b"), ("../../../a", "/a"), ("/a/./b", "/a/b"), ("..", "/f"),
            ("/", "/"), ("", "/f/g"), ("a/...", "/f/g/a/..."), ("a/\u{301}b", "/f/g/a/\u{301}b"),
        ] {
            #expect(PathName.absolute(path, in: "/f/g") == expected, "\(path)")
        }
    }
}
