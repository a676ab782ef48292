// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import Testing

struct ReplayGainNumberTests {
    @Test("Parses up to nine decimal places like the standard library")
    func numbersAreThoseOfTheStandardLibrary() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let digits = Int.random(in: 0...9, using: &generator)
            let fraction = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            let text = "\(Int.random(in: -999...999, using: &generator))" + (digits > 0 ? "." + fraction : "")
            #expect(AudioTags.ReplayGain.number(text) == Double(text), "\(text)")
        }
    }

    @Test(
        "Accepts signs, spaces and units and nothing else",
        arguments: [
            ("-6.45 dB", -6.45), ("+1.5 dB", 1.5), ("  0.998", 0.998), (".5", 0.5), ("-.25", -0.25), ("7.", 7), ("0", 0),
            ("1000", nil), ("99999999999999999999999999", nil), ("", nil), ("-", nil), (".", nil), ("dB", nil), ("nan", nil), ("- 1", nil),
        ] as [(String, Double?)])
    func textsAreNumbersOrNot(_ text: String, _ expected: Double?) { #expect(AudioTags.ReplayGain.number(text) == expected) }
}
