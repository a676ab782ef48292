// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import SystemFiles
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
        #expect(PathName.parent("/a") == "/" && PathName.parent("a/b/c") == "a/b" && PathName.parent("a") == nil)
        #expect(PathName.lastComponent("a/b/") == "b" && PathName.lastComponent("c") == "c")
        #expect(PathName.folder("a") == "a/" && PathName.folder("a/") == "a/")
    }
}
