// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import TestSupport
import Testing

@Suite struct HLSDateTests {
    @Test("Formats and parses dates like Foundation, including leap days and year ends")
    func foundation() throws {
        var random = SeededRandom(seed: 81)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // The years 1600 to 9999, and each 1 January and 1 March from 1890 to 2110.
        var milliseconds = (0..<2000).map { _ in Int.random(in: -11_676_096_000_000...253_402_300_799_999, using: &random) }
        for year in 1890...2110 {
            for border in ["01-01", "03-01"] {
                let start = try #require(try? style.parse("\(year)-\(border)T00:00:00.000Z")).timeIntervalSince1970
                milliseconds += [-1, 0, 1, -86_400_000].map { Int(start) * 1000 + $0 }
            }
        }
        for value in milliseconds {
            let text = HLSDate.text(Double(value) / 1000)
            let date = try style.parse(text)
            #expect(Int((date.timeIntervalSince1970 * 1000).rounded()) == value, "\(text)")
            // Foundation rounds down fractions that are not sums of powers of two.
            if value % 125 == 0 { #expect(text == date.formatted(style)) }
            #expect(HLSDate.seconds(Substring(text)) == Double(value) / 1000)
        }
    }

    @Test("Rejects invalid dates")
    func invalid() {
        for text in [
            "", "2026-11-21T12:34:56.789", "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-01-01T24:00:00.000Z",
            "2026-01-01 00:00:00.000Z", "2026-01-00T00:00:00.000Z", "20x6-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000+",
            "2147483647-1-1T1:1:1.1ZZ",
        ] { #expect(HLSDate.seconds(text[...]) == nil, "\(text)") }
        #expect(HLSDate.seconds("2024-02-29T23:59:59.999Z") == 1_709_251_199.999)
    }
}
