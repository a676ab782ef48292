// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct NoiseToMaskPictureTests {
    private func picture(noiseFrom start: Int, decibels: Double) -> String {
        let original = noise(decibels: -20, frames: 48_000, seed: 30)
        var test = original
        for (index, value) in noise(decibels: decibels, frames: 48_000 - start, seed: 31).enumerated() { test[start + index] += value }
        let measure = NoiseToMaskRatio(reference: sound(original), test: sound(test))
        return NoiseToMaskPicture(measure, title: "a<b & c", subtitle: "1 > 0").svg
    }

    @Test("Pictures are well-formed and escape names")
    func wellFormed() {
        let text = picture(noiseFrom: 0, decibels: -30)
        #expect(XMLParser(data: Data(text.utf8)).parse())
        #expect(text.contains("a&lt;b &amp; c") && text.contains("1 &gt; 0"))
        for label in ["1 kHz", "15 kHz", "0.50 s", "-10 dB", "0 dB"] { #expect(text.contains(">\(label)<"), "\(label)") }
    }

    @Test("Draws noise at its position in the color of its level")
    func colors() throws {
        // Cells end on the right where the plot does, and the quiet half is the background's color.
        #expect(!picture(noiseFrom: 0, decibels: -200).contains("<path fill"))
        let text = picture(noiseFrom: 24_000, decibels: 0)
        let red = try #require(text.split(separator: "\n").first { $0.hasPrefix("<path fill=\"#b91c1c\"") })
        let starts = red.split(separator: "M").dropFirst().compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        #expect(!starts.isEmpty && starts.allSatisfy { $0 >= 64 + 960 / 2 - 20 })
    }
}
