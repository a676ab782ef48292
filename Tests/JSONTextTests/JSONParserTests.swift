// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

@Suite struct JSONParserTests {
    @Test(
        "Values of each kind are read",
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("-0", .integer(0)), ("42", .integer(42)),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("-1.5e3", .number(-1500)),
            (#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#, .string("a\"\\/\u{8}\u{C}\n\r\té😀é")), ("[]", .array([])), ("{}", .object([])),
            ("[1, [2], {\"a\": 3}]", .array([.integer(1), .array([.integer(2)]), .object([("a", .integer(3))])])),
        ] as [(String, JSONValue)])
    func values(text: String, value: JSONValue) throws { #expect(try JSONValue(parsing: text.utf8) == value) }

    @Test(
        "Text that is no JSON is an error at its place",
        arguments: [
            ("", 0), ("[1,]", 3), ("{\"a\" 1}", 5), ("tru", 0), ("01", 0), ("1.", 2), ("1e999", 0), ("\"a", 2), ("\"\n\"", 1), ("1 2", 2),
            (#""\x""#, 2), (#""\u12g4""#, 5), (#""\ud800""#, 7), ("{1: 2}", 1), ("nul", 0), ("-", 0), ("]", 0),
        ] as [(String, Int)])
    func errors(text: String, offset: Int) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
        #expect(error.offset == offset, "\(text): \(error)")
    }

    @Test("Bytes that are no UTF-8, and too many levels, are errors")
    func limits() throws {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: String(repeating: "[", count: 100_000).utf8) }
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(try JSONValue(parsing: deep.utf8).line == deep)
    }

    @Test("Random values come back from their text, on one line and on several")
    func roundTrip() throws {
        var random = SeededRandom(seed: 17)
        for round in 0..<500 {
            let value = randomValue(depth: 0, &random)
            #expect(try JSONValue(parsing: value.line.utf8) == value, "seed 17, round \(round)")
            #expect(try JSONValue(parsing: value.text().utf8) == value, "seed 17, round \(round)")
        }
    }

    @Test("Random bytes never trap")
    func randomBytes() {
        var random = SeededRandom(seed: 18)
        let alphabet = Array(#"{}[]",:\u0123e.-tfn "#.utf8) + [0xC3, 0xA9, 0xFF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            _ = try? JSONValue(parsing: bytes)
        }
    }

    /// Returns a value of any kind.
    private func randomValue(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0...(depth < 4 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer(Int.random(in: .min ... .max, using: &random))
        case 3: .number(Double.random(in: -1e6...1e6, using: &random))
        case 4, 5: .string(String((0..<5).map { _ in "a\"\\\n\u{1}é😀/".randomElement(using: &random) ?? "a" }))
        case 6: .array((0..<3).map { _ in randomValue(depth: depth + 1, &random) })
        default: .object((0..<3).map { ("m\($0)", randomValue(depth: depth + 1, &random)) })
        }
    }
}
