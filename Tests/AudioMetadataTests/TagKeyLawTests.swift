// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import TestSupport
import Testing

@Suite struct TagKeyLawTests {
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func `Keys are equal regardless of ASCII case`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // ß, ı and ſ change their length or letter in other case foldings than ASCII.
        let letters = Array("aAbBß\u{131}\u{17F}")
        let keys = (0..<50).map { _ in
            AudioTags.Key(String((0..<Int.random(in: 0...2, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }))
        }
        let violations = ValueLaws.hashViolations(keys)
        #expect(violations.isEmpty, "seed \(seed): \(violations.prefix(3))")
        #expect(AudioTags.Key("aB") == AudioTags.Key("Ab") && AudioTags.Key("ß") != AudioTags.Key("SS"))
    }
}
