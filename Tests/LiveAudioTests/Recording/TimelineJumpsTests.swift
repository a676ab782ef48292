// SPDX-License-Identifier: Apache-2.0

import LiveAudio
import TestSupport
import Testing

@Suite struct TimelineJumpsTests {
    @Test("Offsets match a model that searches all jumps", arguments: [1, 2, 3] as [UInt64])
    func offsets(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var jumps = TimelineJumps()
        var all: [(frame: Int, length: Int)] = []
        var recorded = 0
        var start = -2112
        for _ in 0..<2000 {
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                let length = Int.random(in: 1...100_000, using: &random)
                jumps.append(length: length, at: recorded)
                all.append((recorded, length))
            }
            recorded += Int.random(in: 0...4096, using: &random)
            // Access units lag behind the recorded audio.
            while start + 4096 < recorded {
                let expected = all.filter { start >= $0.frame }.reduce(0) { $0 + $1.length }
                #expect(jumps.offset(at: start) == expected, "seed \(seed)")
                start += 1024
            }
        }
    }
}
