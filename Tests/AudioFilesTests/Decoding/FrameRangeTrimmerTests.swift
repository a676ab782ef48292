// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import TestSupport
import Testing

@Suite struct FrameRangeTrimmerTests {
    /// Returns the frames that remain of numbered frames in buffers of random sizes.
    private func kept(_ range: FrameRangeTrimmer, of count: Int, _ random: inout SeededRandom) -> [Float] {
        var range = range
        var result: [Float] = []
        var position = 0
        while position < count, !range.isFinished {
            let size = min(Int.random(in: 1...40, using: &random), count - position)
            var buffer = PCMBuffer(sampleRate: 1, channelCount: 2, frameCapacity: size)
            for frame in 0..<size {
                buffer.samples[frame] = Float(position + frame)
                buffer.samples[size + frame] = -Float(position + frame)
            }
            range.apply(to: &buffer)
            #expect(buffer.channel(1) == buffer.channel(0).map { -$0 })
            result += buffer.channel(0)
            position += size
        }
        return result
    }

    @Test func keepsTheRangesForAnyBufferSizes() {
        var random = SeededRandom(seed: 12)
        for _ in 0..<200 {
            let start = Int.random(in: 0...100, using: &random)
            let end = Bool.random(using: &random) ? nil : Int.random(in: 0...300, using: &random)
            var omitted: [Range<Int>] = []
            var place = Int.random(in: 0...80, using: &random)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let length = Int.random(in: 0...50, using: &random)
                omitted.append(place..<place + length)
                place += length + Int.random(in: 0...50, using: &random)
            }
            let all = (0..<250).filter { frame in frame >= start && frame < end ?? 250 && !omitted.contains { $0.contains(frame) } }
            var range = FrameRangeTrimmer(start: start, end: end, omitted: omitted)
            #expect(kept(range, of: 250, &random) == all.map(Float.init))
            let first = Int.random(in: 0...120, using: &random)
            let last = first + Int.random(in: 1...120, using: &random)
            range.limit(from: first, to: last)
            #expect(kept(range, of: 250, &random) == all.prefix(last).dropFirst(first).map(Float.init))
        }
    }

    @Test func anUnboundedRangeKeepsEverything() {
        var random = SeededRandom(seed: 13)
        var range = FrameRangeTrimmer(start: 0, end: nil)
        range.limit(from: 0, to: Int.max)
        #expect(kept(range, of: 100, &random).count == 100)
        #expect(FrameRangeTrimmer(start: 5, end: 5).isFinished)
    }
}
