// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Testing

@Suite struct UnplayedAudioTests {
    @Test("Audio that pauses discard is written again, in order and once, also after a pause meanwhile")
    func pauses() {
        var audio = UnplayedAudio()
        audio.write(0..<100, waitingByteCount: 100)
        audio.write(100..<150, waitingByteCount: 90)
        audio.discard(waitingByteCount: 70)
        #expect(audio.discarded == Array(80..<150))
        audio.write(audio.discarded.prefix(40), waitingByteCount: 40)
        #expect(audio.discarded == Array(120..<150))
        audio.discard(waitingByteCount: 10)
        #expect(audio.discarded == Array(110..<150))
        audio.write(audio.discarded, waitingByteCount: 40)
        audio.write(150..<160, waitingByteCount: 20)
        #expect(audio.discarded.isEmpty)
        audio.discard(waitingByteCount: 0)
        #expect(audio.discarded.isEmpty)
    }
}
