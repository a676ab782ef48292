// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import TestSupport
import Testing

@testable import AACCodec

@Suite struct RateControllerTests {
    @Test("At a constant rate the reservoir never runs dry or over, whatever frames take", arguments: 1...10 as ClosedRange<UInt64>)
    func reservoir(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var rate = RateController(
            mode: .constant(bitRate: 128_000), bitRate: 128_000, sampleRate: 48_000, channelCount: 2, startLevel: 0)
        let nominal = 128_000.0 * 1024 / 48_000
        let size = 2 * 6144 - nominal
        var fill = size / 2
        for _ in 0..<2000 {
            #expect(rate.smallestFrame <= rate.largestFrame)
            // A frame takes what it likes within what it is allowed.
            let wanted = Int.random(in: 0...9000, using: &random)
            let bits = min(max(wanted, rate.smallestFrame), rate.largestFrame)
            rate.advance(bits: bits)
            fill += nominal - Double(bits)
            #expect(fill >= -1 && fill <= size + 1, "seed \(seed)")
        }
    }

    @Test("Quality falls when frames take too much, and rises when they take too little")
    func direction() {
        for mode in [AACEncoderConfiguration.RateControl.constant(bitRate: 96_000), .average(bitRate: 96_000)] {
            var spender = RateController(mode: mode, bitRate: 96_000, sampleRate: 48_000, channelCount: 2, startLevel: -3)
            var saver = spender
            let start = spender.quality
            for _ in 0..<20 {
                spender.advance(bits: min(2400, spender.largestFrame))
                saver.advance(bits: max(1600, saver.smallestFrame))
            }
            #expect(spender.quality > start && saver.quality < start)
        }
    }

    @Test("Variable quality stays where it is")
    func variable() {
        var rate = RateController(mode: .variable(quality: 50), bitRate: nil, sampleRate: 48_000, channelCount: 2, startLevel: -3)
        let start = rate.quality
        rate.advance(bits: 9000)
        #expect(rate.quality == start && rate.largestFrame == 2 * 6144 && rate.smallestFrame == 0)
    }
}
