// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct WindowDecisionTests {
    /// Feeds four blocks.
    private static func detector(_ sample: (Int) -> Float) -> TransientDetector {
        var detector = TransientDetector(blockLength: 1024)
        for block in 0..<4 {
            let samples = (-4..<1024).map { block == 0 && $0 < 0 ? 0 : sample(block * 1024 + $0) }
            detector.append(samples.span)
        }
        return detector
    }

    /// Feeds four blocks and returns the pre-echo excess of the window over the last two.
    private static func preEchoExcess(followsShort: Bool = false, _ sample: (Int) -> Float) -> Float {
        var detector = detector(sample)
        return detector.preEchoExcess(followsShort: followsShort).total
    }

    /// Feeds four blocks and returns the pre-echo excess of the short windows in the second and third.
    private static func onsetPreEchoExcesses(_ sample: (Int) -> Float) -> SIMD8<Float> {
        var detector = detector(sample)
        return detector.onsetPreEchoExcesses()
    }

    /// A click of 200 samples in silence.
    private static func click(at position: Int) -> (Int) -> Float {
        { $0 >= position && $0 < position + 200 ? Float(($0 * 7919) % 16_000) - 8000 : 0 }
    }

    @Test("A click after silence has a pre-echo excess wherever short windows can separate it", arguments: 0..<8)
    func click(index: Int) {
        // Steps 11 to 24 of the window, which starts with the third block.
        let position = 2048 + (11 + index * 13 / 8) * 64 + 20
        #expect(Self.preEchoExcess(Self.click(at: position)) > 200)
    }

    @Test("A click in the last preceding short window needs no further short windows, a later one does")
    func clickAfterShortWindows() {
        // Short windows end, and a following long one starts, at sample 576 of the window, which starts with the third block.
        let early = Self.click(at: 2048 + 240)
        #expect(Self.preEchoExcess(early) > 60)
        #expect(Self.preEchoExcess(followsShort: true, early) == 0)
        #expect(Self.preEchoExcess(followsShort: true, Self.click(at: 2048 + 1000)) > 200)
    }

    @Test("Short windows that end in a click have a pre-echo excess by their quiet part", arguments: 0..<8)
    func onsets(window: Int) {
        // The frame to encode starts with the second block. The click is in the third quarter of the window.
        let start = 1024 + 448 + 128 * window
        let preEchoExcesses = Self.onsetPreEchoExcesses(Self.click(at: start + 130))
        #expect(preEchoExcesses[window] > 4)
        for other in 0..<8 where other < window - 1 || other > window + 1 { #expect(preEchoExcesses[other] < 0.1, "window \(other)") }
    }

    @Test("Steady and fading short windows have no pre-echo excess")
    func noOnsets() {
        var random = SeededRandom(seed: 7)
        let steady = Self.onsetPreEchoExcesses { _ in Float.random(in: -8000...8000, using: &random) }
        let fading = Self.onsetPreEchoExcesses { Float.random(in: -8000...8000, using: &random) * PortableMath.exp2(-Float($0) / 500) }
        for window in 0..<8 { #expect(steady[window] < 1.5 && fading[window] < 1.5, "window \(window)") }
    }

    @Test("Steady tones and noise have no pre-echo excess")
    func steady() {
        var random = SeededRandom(seed: 5)
        #expect(Self.preEchoExcess { _ in Float.random(in: -8000...8000, using: &random) } < 40)
        for period in [37, 101, 240] {
            let preEchoExcess = Self.preEchoExcess { 9000 * Float(CircularFunctions.sinePi(2 * Double($0 % period) / Double(period))) }
            #expect(preEchoExcess < 40, "period \(period)")
        }
        #expect(Self.preEchoExcess { _ in 0 } == 0)
    }

    @Test("Window sequences are legal for any order of transients", arguments: 1...5 as ClosedRange<UInt64>)
    func legalSequences(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var planner = WindowPlanner()
        var previous = WindowSequence.onlyLong
        for _ in 0..<2000 {
            let next = planner.advance(attackAhead: Int.random(in: 0..<5, using: &random) == 0)
            #expect(previous.fallsShort == next.risesShort, "seed \(seed): \(next) after \(previous)")
            previous = next
        }
    }

    @Test("Short windows follow one frame after the call that signals the transient")
    func lookAhead() {
        var planner = WindowPlanner()
        #expect(planner.advance(attackAhead: false) == .onlyLong)
        #expect(planner.advance(attackAhead: true) == .longStart)
        #expect(planner.advance(attackAhead: false) == .eightShort)
        #expect(planner.advance(attackAhead: false) == .longStop)
        #expect(planner.advance(attackAhead: false) == .onlyLong)
    }

    @Test("Windows between two transients are short")
    func betweenTransients() {
        var planner = WindowPlanner()
        let sequences = [true, false, true, false].map { planner.advance(attackAhead: $0) }
        #expect(sequences == [.longStart, .eightShort, .eightShort, .eightShort])
    }
}
