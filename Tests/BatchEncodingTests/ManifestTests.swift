// SPDX-License-Identifier: Apache-2.0

import BatchEncoding
import TestSupport
import Testing

@Suite struct ManifestTests {
    private func manifest(_ text: String, _ name: String) throws -> Manifest {
        let folder = try TemporaryFolder()
        return try Manifest(path: try folder.write(Array(text.utf8), to: name))
    }

    @Test("CSV and JSON lines yield the same entries")
    func entries() throws {
        let expected = [
            ManifestEntry(line: 2, input: "a.wav", output: "x/a.m4a", settings: [.init(name: "bitrate", value: "64k")]),
            ManifestEntry(line: 3, input: "b, c.wav", settings: [.init(name: "low-delay", value: "")]),
        ]
        let csv = try manifest("bitrate,input,output,low-delay\n64k,a.wav,x/a.m4a,\n,\"b, c.wav\",,true\n", "m.csv")
        #expect(csv.errors.isEmpty)
        #expect(csv.entries[0] == expected[0])
        #expect(csv.entries[1].settings == [.init(name: "low-delay", value: "true")])
        let lines = try manifest(
            """

            {"input": "a.wav", "output": "x/a.m4a", "bitrate": "64k"}
            {"input": "b, c.wav", "low-delay": true, "mpeg2": false, "title": null}
            """, "m.jsonl")
        #expect(lines.entries == expected && lines.errors.isEmpty)
    }

    @Test("Text files have a path per line, and playlists also comments", arguments: ["m.txt", "m.m3u"])
    func paths(name: String) throws {
        let list = try manifest("#EXTM3U\na b.wav\r\n\n/c.flac\n", name)
        #expect(list.entries == [ManifestEntry(line: 2, input: "a b.wav"), ManifestEntry(line: 4, input: "/c.flac")])
        #expect(list.errors.isEmpty)
    }

    @Test("A byte order mark is not part of the first line", arguments: ["a.wav", "input\na.wav", "{\"input\": \"a.wav\"}"])
    func byteOrderMark(text: String) throws {
        let name = text.hasPrefix("{") ? "m.jsonl" : text.hasPrefix("input") ? "m.csv" : "m.txt"
        let list = try manifest("\u{FEFF}" + text, name)
        #expect(list.entries.map(\.input) == ["a.wav"] && list.errors.isEmpty)
    }

    @Test("Invalid lines are errors with their line number; the others are read")
    func errors() throws {
        let lines = try manifest(
            "{\"input\": \"a\"}\n{\n[1]\n{\"output\": \"b\"}\n{\"input\": \"c\", \"x\": []}\n{\"input\": \"d\"}\n", "m.jsonl")
        #expect(lines.entries.map(\.input) == ["a", "d"])
        #expect(Self.lines(of: lines) == [2, 3, 4, 5])
        let csv = try manifest("input,bitrate\na,1\nb\n,2\nc\"d,1\ne,3\n", "m.csv")
        #expect(csv.entries.map(\.input) == ["a", "e"])
        #expect(Self.lines(of: csv) == [3, 4, 5])
        // Empty lines and line ends in fields count.
        let sparse = try manifest("input,bitrate\n\n\nb\n\"a\nb\",1\n\n\"c\n\"d,1\n", "m.csv")
        #expect(sparse.entries.map(\.line) == [5])
        #expect(Self.lines(of: sparse) == [4, 8])
    }

    /// Returns the lines of a list's errors.
    private static func lines(of list: Manifest) -> [Int] {
        list.errors.map { error in if case .invalidManifest(_, let line, _) = error { line } else { 0 } }
    }

    @Test("A list without an input column and a missing file throw")
    func header() throws {
        #expect(throws: BatchError.self) { try manifest("output\na\n", "m.csv") }
        #expect(throws: BatchError.self) { try Manifest(path: "/none.csv") }
    }
}
