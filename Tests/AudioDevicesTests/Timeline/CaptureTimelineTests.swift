// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import TestSupport
import Testing

@Suite struct CaptureTimelineTests {
    private static func format(_ rate: Int) -> CaptureFormat {
        CaptureFormat(
            sampleRate: rate, pcm: PCMFormat(.int16, channelCount: 1), bufferFrames: 480, device: "d", deviceName: "d")
    }

    private static func chunk(
        frames: Int, hostTime: Int64, writeTime: Int64, lost: Int = 0, gapFrameCount: Int = 0, followsBreak: Bool = false
    ) -> AudioRingBuffer.Chunk {
        AudioRingBuffer.Chunk(
            bytes: [UInt8](repeating: 1, count: frames * 2), gapByteCount: gapFrameCount * 2, lostByteCount: lost * 2, hostTime: hostTime,
            writeTime: writeTime, followsBreak: followsBreak)
    }

    @Test("Over ten hours, times are contiguous and host times follow the device", arguments: [1, 2] as [UInt64])
    func drift(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var timeline = CaptureTimeline(format: Self.format(44_100), policy: .fill)
        // The device is 50 ppm fast, and its timing jitters by 5 ms.
        let rate = 44_100.0 * 1.000_05
        let start: Int64 = 1_000_000_000
        var position = 0
        var latest: Int64 = 0
        var worst: Int64 = 0
        var isRight = true
        while position < 44_100 * 36_000 {
            let frames = Int.random(in: 256...22_050, using: &random)
            let heard = start + Int64(Double(position) * 1e9 / rate)
            let measured = heard + Int64.random(in: -5_000_000...5_000_000, using: &random)
            timeline.accept(Self.chunk(frames: frames, hostTime: measured, writeTime: heard + 600_000_000)) { output in
                guard case .audio(let audio) = output else { return isRight = false }
                isRight = isRight && audio.time == MediaTime(value: Int64(position), timescale: 44_100) && audio.hostTime >= latest
                latest = audio.hostTime
                if position > 44_100 * 60 { worst = max(worst, abs(audio.hostTime - heard)) }
            }
            position += frames
            if !isRight { break }
        }
        #expect(isRight, "seed \(seed)")
        #expect(worst < 10_000_000, "\(worst) ns")
    }

    @Test("Gap has the length given by the clock, filled or not", arguments: [CaptureConfiguration.GapPolicy.fill, .report])
    func gap(policy: CaptureConfiguration.GapPolicy) {
        var timeline = CaptureTimeline(format: Self.format(48_000), policy: policy)
        var frames = 0
        var silent = 0
        var gaps: [Int] = []
        var times: [Int64] = []
        let take = { (output: CaptureTimeline.Output) in
            switch output {
            case .audio(let audio):
                times.append(audio.time.value)
                frames += audio.frameCount
                if audio.isFilling { silent += audio.frameCount }
            case .discontinuity(let count): gaps.append(count)
            case .overrun: Issue.record("no overrun")
            }
        }
        let second: Int64 = 1_000_000_000
        timeline.accept(Self.chunk(frames: 480, hostTime: second, writeTime: second + 10_000_000), emit: take)
        timeline.startGap(now: second + 20_000_000, isCertain: true, emit: take)
        // Silence follows during the gap, and the remainder at its end.
        timeline.fillGap(now: 2 * second, emit: take)
        #expect(silent == (policy == .fill ? 23_520 : 0))
        timeline.fillGap(now: 2 * second, emit: take)
        timeline.accept(Self.chunk(frames: 480, hostTime: 3 * second, writeTime: 3 * second + 10_000_000), emit: take)
        timeline.finish(at: 4 * second, emit: take)
        #expect(gaps == [95_520])
        #expect(silent == (policy == .fill ? 95_520 : 0))
        #expect(frames == 960 + silent)
        #expect(times.last == 96_000)
        #expect(times.max() == times.last)
    }

    private static func text(_ output: CaptureTimeline.Output) -> String {
        switch output {
        case .audio(let audio): "\(audio.isFilling ? "silence" : "audio") \(audio.time.value)+\(audio.frameCount)"
        case .discontinuity(let count): "gap \(count)"
        case .overrun(let count): "lost \(count)"
        }
    }

    @Test("Audio in transit when the device stopped continues without a gap")
    func lateSound() {
        var timeline = CaptureTimeline(format: Self.format(48_000), policy: .fill)
        var log: [String] = []
        let take = { (output: CaptureTimeline.Output) in log.append(Self.text(output)) }
        timeline.accept(Self.chunk(frames: 480, hostTime: 1_000_000_000, writeTime: 1_010_000_000), emit: take)
        timeline.startGap(now: 1_030_000_000, isCertain: false, emit: take)
        timeline.accept(Self.chunk(frames: 480, hostTime: 1_013_000_000, writeTime: 1_040_000_000), emit: take)
        timeline.startGap(now: 1_050_000_000, isCertain: false, emit: take)
        timeline.accept(Self.chunk(frames: 480, hostTime: 0, writeTime: 1_130_000_000, followsBreak: true), emit: take)
        #expect(log == ["audio 0+480", "audio 480+480"])
        timeline.finish(at: 1_200_000_000, emit: take)
        #expect(log.dropFirst(2) == ["gap 4800", "silence 960+4800", "audio 5760+480"])
    }

    @Test("Lost or skipped frames keep their time")
    func losses() {
        var timeline = CaptureTimeline(format: Self.format(48_000), policy: .fill)
        var log: [String] = []
        let take = { (output: CaptureTimeline.Output) in log.append(Self.text(output)) }
        timeline.accept(Self.chunk(frames: 100, hostTime: 0, writeTime: 1), emit: take)
        timeline.accept(Self.chunk(frames: 100, hostTime: 0, writeTime: 2, lost: 50), emit: take)
        timeline.accept(Self.chunk(frames: 0, hostTime: 0, writeTime: 3, gapFrameCount: 30), emit: take)
        timeline.accept(Self.chunk(frames: 10, hostTime: 0, writeTime: 4), emit: take)
        timeline.acceptTrailingLoss(byteCount: 40, emit: take)
        #expect(
            log == [
                "audio 0+100", "lost 50", "silence 100+50", "audio 150+100", "gap 30", "silence 250+30", "audio 280+10", "lost 20",
                "silence 290+20",
            ])
    }

    @Test("Invalid timing after a gap does not change its length")
    func nonsense() {
        var timeline = CaptureTimeline(format: Self.format(48_000), policy: .fill)
        let second: Int64 = 1_000_000_000
        var gaps: [Int] = []
        let take = { (output: CaptureTimeline.Output) in if case .discontinuity(let count) = output { gaps.append(count) } }
        timeline.accept(Self.chunk(frames: 480, hostTime: second, writeTime: second + 10_000_000), emit: take)
        // In the future, and one hour ago.
        for (index, nonsense) in [100 * second, -3600 * second].enumerated() {
            let writeTime = Int64(index + 2) * second + Int64(index + 2) * 10_000_000
            timeline.accept(Self.chunk(frames: 480, hostTime: nonsense, writeTime: writeTime, followsBreak: true), emit: take)
        }
        timeline.finish(at: 4 * second, emit: take)
        #expect(gaps == [48_000, 48_000])
    }

    @Test("New sample rate continues at the same time")
    func newRate() {
        var timeline = CaptureTimeline(format: Self.format(48_000), policy: .fill)
        var times: [MediaTime] = []
        let take = { (output: CaptureTimeline.Output) in if case .audio(let audio) = output { times.append(audio.time) } }
        timeline.accept(Self.chunk(frames: 4800, hostTime: 0, writeTime: 1), emit: take)
        timeline.change(to: Self.format(16_000), emit: take)
        timeline.accept(Self.chunk(frames: 16, hostTime: 0, writeTime: 2), emit: take)
        #expect(times.last == MediaTime(value: 1600, timescale: 16_000))
    }
}
