// SPDX-License-Identifier: Apache-2.0

import BatchEncoding
import TestSupport
import Testing

@Suite struct CSVReaderTests {
    private func records(_ text: String) throws -> [[String]] {
        var reader = CSVReader(Array(text.utf8))
        var records: [[String]] = []
        while let record = try reader.next() { records.append(record.fields) }
        return records
    }

    @Test(
        "Parses fields, quotation marks and line ends",
        arguments: [
            ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]), ("a\n\n\nb", [["a"], ["b"]]),
            ("\"a,\"\"b\"\"\nc\",d\n", [["a,\"b\"\nc", "d"]]), ("\"a\",\"\"\r\n,\n", [["a", ""], ["", ""]]), ("", []), ("\"é\"", [["é"]]),
        ] as [(String, [[String]])])
    func fields(text: String, expected: [[String]]) throws { #expect(try records(text) == expected) }

    @Test("A misplaced quotation mark throws; reading continues on the next line", arguments: ["a\"b\nc", "\"a\"b\nc"])
    func quotationMarks(text: String) throws {
        var reader = CSVReader(Array(text.utf8))
        #expect(throws: ManifestProblem.quotationMark) { try reader.next() }
        #expect(try reader.next() == CSVReader.Record(line: 2, fields: ["c"]))
    }

    @Test("An unclosed quotation mark and invalid UTF-8 throw")
    func damage() {
        #expect(throws: ManifestProblem.quotationMark) { try records("\"abc\nd") }
        var reader = CSVReader([0xFF] + Array(",a\nb".utf8))
        #expect(throws: ManifestProblem.notUTF8) { try reader.next() }
        // The rest of the line is no record.
        #expect((try? reader.next()) == CSVReader.Record(line: 2, fields: ["b"]))
    }

    @Test("Random records survive the round trip")
    func roundTrip() throws {
        var random = SeededRandom(seed: 5)
        for round in 0..<200 {
            let rows = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                (0..<3).map { _ in String((0..<4).compactMap { _ in "ab,\"\n\ré".randomElement(using: &random) }) }
            }
            let text = rows.map { $0.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") }.joined(
                separator: "\r\n")
            #expect(try records(text) == rows, "seed 5, round \(round)")
        }
    }

    @Test("Random bytes never trap, and reading terminates")
    func randomBytes() {
        var random = SeededRandom(seed: 6)
        for _ in 0..<5000 {
            var reader = CSVReader((0..<20).map { _ in [0x22, 0x2C, 0x0A, 0x0D, 0x61, 0xC3][Int.random(in: 0..<6, using: &random)] })
            for _ in 0..<30 {
                do { if try reader.next() == nil { break } } catch { continue }
            }
        }
    }
}
