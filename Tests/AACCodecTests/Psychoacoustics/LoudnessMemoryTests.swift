// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Testing

@testable import AACCodec

@Suite struct LoudnessMemoryTests {
    @Test("Steady sound is heard against itself")
    func steady() {
        var memory = LoudnessMemory()
        for _ in 0..<10 { #expect(memory.follow(20) == 20) }
    }

    @Test("An attack is heard against less than itself, what follows it against more")
    func attackAndDecay() {
        var memory = LoudnessMemory()
        _ = memory.follow(20)
        let attack = memory.follow(26)
        #expect(attack < 26 && attack > 20)
        for _ in 0..<20 { _ = memory.follow(26) }
        let after = memory.follow(20)
        #expect(after > 20 && after < 23)
        for _ in 0..<300 { _ = memory.follow(20) }
        #expect(abs(memory.follow(20) - 20) < 0.1)
    }

    @Test("Silence before a sound, and a bang before silence, count only so far")
    func bounds() {
        var memory = LoudnessMemory()
        _ = memory.follow(0)
        #expect(memory.follow(30) > 27)
        #expect(memory.follow(0) < 3)
    }

    @Test("Nothing is left after forgetting")
    func forgetting() {
        var memory = LoudnessMemory()
        _ = memory.follow(30)
        memory.forget()
        #expect(memory.follow(10) == 10)
    }
}
