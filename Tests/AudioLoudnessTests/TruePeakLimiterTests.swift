// SPDX-License-Identifier: Apache-2.0

import AudioLoudness
import AudioPrimitives
import Foundation
import TestSupport
import Testing

@Suite struct TruePeakLimiterTests {
    /// Returns the output for a signal in buffers of random lengths.
    private func run(_ signal: LoudnessSignal, _ setting: TruePeakLimiter.Setting, seed: UInt64 = 3) -> LoudnessSignal {
        var random = SeededRandom(seed: seed)
        let limiter = TruePeakLimiter(setting, sampleRate: signal.sampleRate, channelCount: signal.channels.count)
        var result = signal
        result.channels = signal.channels.map { _ in [] }
        for buffer in signal.buffers(&random).map({ limiter.process($0) }) + [limiter.finish()] {
            for channel in signal.channels.indices { result.channels[channel] += buffer.channel(channel) }
        }
        return result
    }

    /// Returns the largest true peak as FFmpeg's own meter, whose filter is another one, finds it, in dBTP with one decimal.
    private func truePeak(_ signal: LoudnessSignal) throws -> Double {
        let folder = try TemporaryFolder()
        let path = try folder.write(signal.bytes, to: "a.f32")
        return try #require(try FFmpegMeter(path, sampleRate: signal.sampleRate, channelCount: signal.channels.count).number("Peak:"))
    }

    @Test("Limits the true peak and keeps the length", arguments: [8000, 44_100, 48_000, 96_000])
    func limit(sampleRate: Int) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let signal = LoudnessSignal(noiseOf: 2, seed: seed, sampleRate: sampleRate)
            let output = run(signal, .init(gain: 6, limit: -1), seed: seed)
            #expect(output.frameCount == signal.frameCount)
            let meter = LoudnessMeter(sampleRate: sampleRate, channelCount: 2)
            meter.add(output.buffer(0..<output.frameCount))
            #expect(try #require(meter.summary().truePeak) < -0.95, "seed \(seed)")
            // The filters that find peaks between samples differ for the highest frequencies.
            #expect(try truePeak(output) <= -0.6, "seed \(seed)")
            let samples = output.channels.map { $0.reduce(0) { max($0, abs($1)) } }
            #expect((samples.max() ?? 1) <= Float(pow(10, -1.0 / 20)) * 1.000_001, "seed \(seed)")
        }
    }

    @Test("Applies only the gain, exactly, if no peak exceeds the limit")
    func transparency() {
        let signal = LoudnessSignal(noiseOf: 2, seed: 8)
        let quiet = run(signal, .init(gain: -30, limit: -1))
        #expect(quiet.channels == signal.channels.map { $0.map { $0 * Float(pow(10, -30.0 / 20)) } })
        let unlimited = run(signal, .init(gain: 0, limit: nil))
        #expect(unlimited.channels == signal.channels)
    }

    @Test("Reduces the gain only within 41 ms of a peak")
    func extent() throws {
        var signal = LoudnessSignal(frequency: 300, decibels: -20, seconds: 1)
        signal.channels[0][24_000] = 1
        let output = run(signal, .init(gain: 0, limit: -6))
        let changed = signal.channels[1].indices.filter { output.channels[1][$0] != signal.channels[1][$0] }
        let (first, last) = (try #require(changed.first), try #require(changed.last))
        #expect(first > 24_000 - 1_100 && last < 24_000 + 1_100)
        // It is monotonic on both sides of the peak.
        let gains = changed.filter { abs(signal.channels[1][$0]) > 0.01 }.map { ($0, output.channels[1][$0] / signal.channels[1][$0]) }
        for (before, after) in zip(gains, gains.dropFirst()) {
            if after.0 < 23_500 { #expect(after.1 <= before.1 + 1e-5) }
            if before.0 > 24_500 { #expect(after.1 >= before.1 - 1e-5) }
        }
    }

    @Test("Buffer size does not affect the samples")
    func chunks() {
        let signal = LoudnessSignal(noiseOf: 2, seed: 5)
        let setting = TruePeakLimiter.Setting(gain: 4, limit: -2)
        let whole = run(signal, setting, seed: 1)
        for seed in 2...4 as ClosedRange<UInt64> { #expect(run(signal, setting, seed: seed).channels == whole.channels, "seed \(seed)") }
    }

    @Test("A part with enough lead-in equals the whole")
    func parts() {
        let signal = LoudnessSignal(noiseOf: 3, seed: 6)
        let setting = TruePeakLimiter.Setting(gain: 4, limit: -2)
        let whole = run(signal, setting)
        var random = SeededRandom(seed: 12)
        for _ in 0..<20 {
            let frame = Int.random(in: 0..<signal.frameCount, using: &random)
            let limiter = TruePeakLimiter(setting, sampleRate: 48_000, channelCount: 2)
            let start = max(0, frame - limiter.prerollLength)
            limiter.reset(atFrame: start)
            let discarded = frame - limiter.position
            let end = min(signal.frameCount, frame + 10_000)
            let output = limiter.process(signal.buffer(start..<end)).channel(1).dropFirst(discarded)
            #expect(output.elementsEqual(whole.channels[1][frame..<frame + output.count]), "frame \(frame)")
            #expect(end == signal.frameCount || output.count > 10_000 - 2 * limiter.prerollLength)
        }
    }

    @Test("Signals shorter than the window keep their length", arguments: [0, 1, 15, 16, 17, 100, 1000])
    func short(frameCount: Int) {
        var signal = LoudnessSignal(noiseOf: 1, seed: 1)
        for channel in 0..<2 { signal.channels[channel] = Array(signal.channels[channel].prefix(frameCount)) }
        let output = run(signal, .init(gain: 20, limit: -1))
        #expect(output.frameCount == frameCount)
        #expect(output.channels.joined().allSatisfy { abs($0) <= 0.892 })
    }
}
