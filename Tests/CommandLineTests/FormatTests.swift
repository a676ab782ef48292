// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import LinnetCommand
import Testing

/// Numbers, JSON and spelling suggestions.
@Suite struct FormatTests {
    @Test("Fixed numbers are rounded as C does", arguments: [0, 0.05, 0.5, 1, 1.005, 9.9951, 12_345.6789, -0.001, -2.345])
    func fixed(value: Double) {
        for digits in 0...3 {
            let expected = String(format: "%.\(digits)f", value)
            let difference = (Double(Format.fixed(value, digits: digits)) ?? .nan) - (Double(expected) ?? .nan)
            // Halves can round either way, because binary fractions are inexact.
            #expect(abs(difference) <= pow(10, -Double(digits)) * 1.000_001)
            let text = Format.fixed(value, digits: digits).drop { $0 == "-" }
            #expect(text.split(separator: ".").map(\.count).dropFirst() == (digits == 0 ? [] : [digits]))
        }
    }

    @Test("Clocks, speeds and rates have their usual form")
    func others() {
        #expect(Format.clock(0) == "0:00")
        #expect(Format.clock(59.6) == "1:00")
        #expect(Format.clock(3723) == "1:02:03")
        #expect(Format.clock(.infinity) == "-:--")
        #expect(Format.speed(9.94) == "9.9x")
        #expect(Format.speed(212.4) == "212x")
        #expect(Format.bitRate(127_960) == "128.0 kb/s")
        #expect(Format.fixed(.nan, digits: 1) == "-")
        #expect(Format.fixed(9e14, digits: 6) == "-" && Format.fixed(-9e11, digits: 6) == "-900000000000.000000")
    }

    @Test("Numbers of the command line are decimal")
    func decimal() {
        #expect(["1", "-1.5", "+.5", "0012."].map { Double(decimal: $0) } == [1, -1.5, 0.5, 12])
        for text in ["", "-", ".", "1.2.3", "0x10", "1e3", "nan", "inf", " 1", "1,5", "٣"] {
            #expect(Double(decimal: text) == nil, "\(text)")
        }
        #expect(TimeRange.parse("0x1-5") == nil && TimeRange.parse("1-5.5") == 1..<5.5)
    }

    @Test("Texts of files are one line without control characters")
    func lines() {
        #expect(Format.line("a\u{1B}[31mb\nc\u{2028}d\u{9B}e\u{202E}f") == "a [31mb c d e f")
        #expect(Format.line("Für 👩‍🚀, می‌خواهم, \u{10FF80}") == "Für 👩‍🚀, می‌خواهم, \u{10FF80}")
    }

    @Test("Foundation reads the JSON text back")
    func json() throws {
        let text = "quote \" slash \\ line \n tab \t bell \u{7} umlaut ü emoji 🎵"
        let value = JSONValue.object([
            ("text", .string(text)), ("numbers", .array([.integer(1), .number(0.25), .rounded(1.23456, digits: 2), .number(.nan)])),
            ("empty", .object([])), ("nested", .array([.object([("a", .bool(true)), ("b", .null)])])),
        ])
        for source in [value.text(), value.line] {
            let parsed = try #require(try JSONSerialization.jsonObject(with: Data(source.utf8)) as? [String: Any])
            #expect(parsed["text"] as? String == text)
            #expect((parsed["numbers"] as? [Any])?.prefix(3).map { $0 as? Double } == [1, 0.25, 1.23])
            #expect((parsed["nested"] as? [[String: Any]])?.first?["a"] as? Bool == true)
        }
        #expect(!value.line.contains("\n"))
    }

    @Test("Suggests the nearest word, and nothing for nonsense")
    func suggestions() {
        let names = ["encode", "probe", "decode", "record"]
        #expect(SpellingSuggestion.nearest(to: "encdoe", among: names) == "encode")
        #expect(SpellingSuggestion.nearest(to: "dcode", among: names) == "decode")
        #expect(SpellingSuggestion.nearest(to: "PROBE", among: names) == "probe")
        #expect(SpellingSuggestion.nearest(to: "xyzzy", among: names) == nil)
        #expect(SpellingSuggestion.distance("ab", "ba") == 1)
        #expect(SpellingSuggestion.distance("", "abc") == 3)
    }
}
