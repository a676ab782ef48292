// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import TestSupport
import Testing

/// Gaps of known length in a simulated device, whose audio is mostly late and only sometimes on time.
@Suite struct GapLengthTests {
    private static let rate = 48_000
    private static let second: Int64 = 1_000_000_000

    /// The output of a timeline for the device's audio.
    private struct Result {
        var gaps: [Int] = []
        var frames = 0
        var lastPosition: Int64 = 0
    }

    /// A device that counts frames from time 0, with its timeline.
    private struct Device {
        var random: SeededRandom
        var timeline = CaptureTimeline(
            format: CaptureFormat(
                sampleRate: rate, pcm: PCMFormat(.int16, channelCount: 1), bufferFrames: 480, device: "d", deviceName: "d"),
            policy: .fill)
        var frame = 0
        var latestArrival: Int64 = 0
        var result = Result()

        /// Advances time without capturing.
        mutating func skip(frames: Int) { frame += frames }

        /// Delivers audio in groups of up to twelve runs.
        ///
        /// The last run arrives within 10 µs, the others up to `delay` late.
        mutating func play(frames count: Int, delay: Int64, afterBreak: Bool, hostError: Int64 = 0) {
            var isFirst = afterBreak
            let end = frame + count
            while frame < end {
                var lengths: [Int] = []
                for _ in 0..<Int.random(in: 1...12, using: &random) { lengths.append(Int.random(in: 1...960, using: &random)) }
                let groupEnd = time(ofFrame: min(frame + lengths.reduce(0, +), end))
                for length in lengths where frame < end {
                    let frames = min(length, end - frame)
                    frame += frames
                    let heard = time(ofFrame: frame)
                    let late = Int64.random(in: 0...(heard == groupEnd ? 10_000 : delay), using: &random)
                    // Runs never overtake each other.
                    latestArrival = max(latestArrival, min(heard + late, groupEnd + 10_000))
                    give(frames: frames, hostTime: heard + hostError, followsBreak: isFirst)
                    isFirst = false
                }
            }
        }

        private func time(ofFrame frame: Int) -> Int64 { 5 * second + Int64(frame) * second / Int64(rate) }

        private mutating func give(frames: Int, hostTime: Int64, followsBreak: Bool) {
            let chunk = AudioRingBuffer.Chunk(
                bytes: [UInt8](repeating: 1, count: frames * 2), gapByteCount: 0, lostByteCount: 0, hostTime: hostTime,
                writeTime: latestArrival, followsBreak: followsBreak)
            accept { $0.accept(chunk, emit: $1) }
        }

        mutating func finish() {
            let now = latestArrival
            accept { $0.finish(at: now, emit: $1) }
        }

        private mutating func accept(_ body: (inout CaptureTimeline, (CaptureTimeline.Output) -> Void) -> Void) {
            var result = result
            body(&timeline) { output in
                switch output {
                case .audio(let audio):
                    result.frames += audio.frameCount
                    result.lastPosition = audio.time.value + Int64(audio.frameCount)
                case .discontinuity(let frames): result.gaps.append(frames)
                case .overrun: break
                }
            }
            self.result = result
        }
    }

    @Test(
        "Gap length matches the device's count within one frame, even if most audio is late",
        arguments: UInt64(1)...20)
    func exact(seed: UInt64) {
        var device = Device(random: SeededRandom(seed: seed))
        var missing: [Int] = []
        device.play(frames: 100_000, delay: 30_000_000, afterBreak: false)
        for _ in 0..<10 {
            let gap = Int.random(in: 200...200_000, using: &device.random)
            missing.append(gap)
            device.skip(frames: gap)
            device.play(frames: Int.random(in: 48_000...150_000, using: &device.random), delay: 30_000_000, afterBreak: true)
        }
        device.finish()
        #expect(device.result.gaps.count == missing.count)
        let errors = zip(device.result.gaps, missing).map { $0 - $1 }
        #expect(errors.allSatisfy { abs($0) <= 1 }, "seed \(seed): \(errors)")
        // Errors do not accumulate.
        #expect(abs(device.result.frames - device.frame) <= 1 && device.result.lastPosition == Int64(device.result.frames))
    }

    @Test("Break without a loss adds nothing", arguments: UInt64(1)...20)
    func none(seed: UInt64) {
        var device = Device(random: SeededRandom(seed: seed))
        device.play(frames: 100_000, delay: 30_000_000, afterBreak: false)
        // The server's timing information is wrong by one second.
        for _ in 0..<5 { device.play(frames: 48_000, delay: 30_000_000, afterBreak: true, hostError: Self.second) }
        device.finish()
        #expect(device.result.gaps.isEmpty && device.result.frames == device.frame, "seed \(seed): \(device.result.gaps)")
    }

    @Test("Loss some time after a break is detected")
    func late() {
        var device = Device(random: SeededRandom(seed: 1))
        device.play(frames: 100_000, delay: 5_000_000, afterBreak: false)
        device.play(frames: 2_000, delay: 0, afterBreak: true)
        device.skip(frames: 2_400)
        device.play(frames: 48_000, delay: 5_000_000, afterBreak: false)
        device.finish()
        #expect(abs(device.result.frames - device.frame) <= 1, "\(device.result)")
    }

    @Test("Freezing the program does not lengthen a gap")
    func frozen() {
        var device = Device(random: SeededRandom(seed: 2))
        device.play(frames: 100_000, delay: 5_000_000, afterBreak: false)
        device.skip(frames: 24_000)
        // Three seconds of audio arrive at once, late.
        let thaw = 5 * Self.second + Int64(device.frame) * Self.second / 48_000 + 3 * Self.second
        device.latestArrival = thaw
        device.play(frames: 144_000, delay: 0, afterBreak: true)
        device.play(frames: 48_000, delay: 5_000_000, afterBreak: false)
        device.finish()
        #expect(abs(device.result.frames - device.frame) <= 1, "\(device.result)")
    }

    @Test("Freezing the machine after a gap does not lengthen it", arguments: [0.3, 0.7, 0.9, 1.5])
    func standing(seconds: Double) {
        var device = Device(random: SeededRandom(seed: 3))
        device.play(frames: 100_000, delay: 5_000_000, afterBreak: false)
        device.skip(frames: 24_000)
        device.play(frames: 2_000, delay: 0, afterBreak: true)
        // The audio captured meanwhile arrives at once.
        device.latestArrival += Int64(seconds * 1e9)
        device.play(frames: Int(seconds * 48_000), delay: 0, afterBreak: false)
        device.play(frames: 96_000, delay: 5_000_000, afterBreak: false)
        device.finish()
        #expect(abs(device.result.frames - device.frame) <= 1, "\(device.result)")
    }
}
