// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import LiveAudio
import TestSupport

/// A simulated device that hears one pulse per second of host time, with its own clock, latency and jitter.
struct SimulatedSource {
    let rate: Int
    /// The speed of the clock.
    let speed: Double
    /// The host time of the first frame, in seconds.
    let start: Double
    /// The time from a frame to its arrival, without jitter.
    let latency: Double
    /// Whether host times are reported, with jitter to both sides, instead of reliable arrivals.
    let reportsTime: Bool
    /// Host times at which the device delivers nothing.
    var gap: Range<Double>?

    private var timeline: CaptureTimeline
    private var random: SeededRandom
    private var position = 0
    private var followsBreak = false

    init(
        _ rate: Int, speed: Double = 1, start: Double = 1000, latency: Double = 0.03, reportsTime: Bool = false, gap: Range<Double>? = nil,
        seed: UInt64
    ) {
        (self.rate, self.speed, self.start, self.latency, self.reportsTime, self.gap) = (rate, speed, start, latency, reportsTime, gap)
        random = SeededRandom(seed: seed)
        let format = CaptureFormat(
            sampleRate: rate, pcm: PCMFormat(.float32, channelCount: 1), bufferFrames: rate / 50, device: "d", deviceName: "d")
        timeline = CaptureTimeline(format: format, policy: .fill, detectsUnreportedLoss: !reportsTime)
    }

    private func hostTime(ofFrame frame: Int) -> Double { start + Double(frame) / (Double(rate) * speed) }

    /// The host time at which the next buffer arrives, without jitter.
    var nextArrival: Double { hostTime(ofFrame: position + rate / 50) + latency }

    /// Returns the captured audio that the next buffer completes.
    mutating func next() -> [CapturedAudio] {
        let frames = rate / 50
        let first = hostTime(ofFrame: position)
        let arrival = nextArrival + jitter()
        defer { position += frames }
        var output: [CapturedAudio] = []
        let emit = { (item: CaptureTimeline.Output) in if case .audio(let audio) = item { output.append(audio) } }
        if let gap, gap.contains(first) {
            if !followsBreak { timeline.startGap(now: Int64(arrival * 1e9), isCertain: true, emit: emit) }
            timeline.fillGap(now: Int64(arrival * 1e9), emit: emit)
            followsBreak = true
            return output
        }
        let reported = reportsTime ? first + Double.random(in: -0.002...0.002, using: &random) : first + 0.05
        let samples = PulseTrain.samples(at: first, rate: Double(rate) * speed, count: frames)
        let chunk = AudioRingBuffer.Chunk(
            bytes: samples.withUnsafeBytes { Array($0) }, gapByteCount: 0, lostByteCount: 0, hostTime: Int64(reported * 1e9),
            writeTime: Int64(arrival * 1e9), followsBreak: followsBreak)
        followsBreak = false
        timeline.accept(chunk, emit: emit)
        return output
    }

    /// Usually small, sometimes as on a busy machine.
    private mutating func jitter() -> Double {
        Double.random(in: 0...1, using: &random) < 0.95
            ? Double.random(in: 0...0.001, using: &random) : Double.random(in: 0...0.012, using: &random)
    }

    /// Returns the captured audio that the end of the capture completes.
    mutating func end() -> [CapturedAudio] {
        var output: [CapturedAudio] = []
        timeline.finish(at: Int64(nextArrival * 1e9)) { if case .audio(let audio) = $0 { output.append(audio) } }
        return output
    }
}
