// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveAudio
import TestSupport
import Testing

/// Blocks of speech from buffers with chosen times.
@Suite struct SpeechAssemblerTests {
    /// A capture with a click every half second of its host clock.
    private struct Capture {
        /// The host time of position 0, in nanoseconds.
        static let origin: Int64 = 7_000_000_000_000
        /// The seconds of the device's clock per second of the host clock: 300 ppm slow.
        static let clockRate = 0.9997

        /// The seconds of the device's clock so far.
        var seconds = 0.0
        var random = SeededRandom(seed: 57)

        static func hostTime(ofSeconds seconds: Double) -> Int64 { origin + Int64(seconds / clockRate * 1e9) }

        /// Returns the next buffer, with its position and host time.
        mutating func next(sampleRate: Int, channelCount: Int = 1) -> (buffer: PCMBuffer, seconds: Double, hostTime: Int64) {
            let count = Int.random(in: 1...1500, using: &random)
            var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: count)
            let start = seconds
            // One after conversion to 16 kHz.
            let level = max(1, Float(sampleRate) / 16_000)
            for frame in 0..<count {
                let step = Capture.clockRate / 2 * Double(sampleRate)
                let position = (start * Double(sampleRate)).rounded() + Double(frame)
                let click = (position / step).rounded()
                if abs(position - click * step) <= 0.5 {
                    for channel in 0..<channelCount { buffer.samples[channel * count + frame] = level }
                }
            }
            seconds += Double(count) / Double(sampleRate)
            return (buffer, start, Self.hostTime(ofSeconds: start))
        }
    }

    /// The host times of clicks, relative to the nearest half second, in seconds.
    private func clickOffsets(_ blocks: [SpeechBlock], sampleRate: Int) -> [Double] {
        blocks.flatMap { block in
            block.samples.indices.compactMap { index -> Double? in
                let value = block.samples[index]
                let before = index > 0 ? block.samples[index - 1] : 0
                let after = index + 1 < block.samples.count ? block.samples[index + 1] : 0
                guard value > 0.45, value >= before, value > after else { return nil }
                let time = Double(block.hostTime - Capture.origin) / 1e9 + Double(index) / Double(sampleRate)
                return time - (time * 2).rounded() / 2
            }
        }
    }

    /// Expects blocks of one length, without a gap in their numbers and times.
    private func expectContinuity(_ blocks: [SpeechBlock], length: Int) {
        #expect(blocks.allSatisfy { $0.samples.count == length })
        #expect(blocks.map(\.number) == Array(0..<blocks.count))
        for (block, next) in zip(blocks, blocks.dropFirst()) {
            #expect(next.time == block.time.advanced(byFrames: length) && next.hostTime > block.hostTime)
        }
    }

    @Test("A click appears at its host time, at every sample rate", arguments: [8000, 16_000, 44_100, 48_000, 96_000])
    func clicks(sampleRate: Int) throws {
        let assembler = SpeechAssembler(blockDuration: .milliseconds(32), sampleRate: 16_000)
        var capture = Capture()
        var blocks: [SpeechBlock] = []
        while capture.seconds < 6 {
            let (buffer, seconds, hostTime) = capture.next(sampleRate: sampleRate, channelCount: 2)
            blocks += try assembler.accept(buffer, at: seconds, hostTime: hostTime)
        }
        blocks += try assembler.finish()
        expectContinuity(blocks, length: 512)
        #expect(blocks.count == Int((capture.seconds * 16_000 / 512).rounded(.up)))
        let offsets = clickOffsets(blocks, sampleRate: 16_000)
        #expect(offsets.count >= 11 && offsets.allSatisfy { abs($0) < 0.0002 }, "\(offsets)")
    }

    @Test("Times stay exact when the sample rate of the device changes")
    func rateChanges() throws {
        let assembler = SpeechAssembler(blockDuration: .milliseconds(20), sampleRate: 16_000)
        var capture = Capture()
        var blocks: [SpeechBlock] = []
        for rate in [48_000, 16_000, 44_100, 11_025, 96_000, 48_000] {
            let end = capture.seconds + 1.234
            while capture.seconds < end {
                // The timeline counts in frames of the new rate.
                capture.seconds = (capture.seconds * Double(rate)).rounded() / Double(rate)
                let (buffer, seconds, hostTime) = capture.next(sampleRate: rate)
                blocks += try assembler.accept(buffer, at: seconds, hostTime: hostTime)
            }
        }
        blocks += try assembler.finish()
        expectContinuity(blocks, length: 320)
        #expect(abs(blocks.count - Int((capture.seconds * 50).rounded(.up))) <= 1)
        let offsets = clickOffsets(blocks, sampleRate: 16_000)
        #expect(offsets.count >= 13 && offsets.allSatisfy { abs($0) < 0.0005 }, "\(offsets)")
    }

    @Test("A skipped gap ends its block with silence, and the next block has its own time", arguments: [0.01, 0.08, 0.25, 3.0])
    func gaps(seconds: Double) throws {
        let assembler = SpeechAssembler(blockDuration: .milliseconds(100), sampleRate: 16_000)
        let buffer = PCMBuffer(channels: [[Float](repeating: 0.25, count: 4800 + 960)], sampleRate: 48_000)
        var blocks = try assembler.accept(buffer, at: 0, hostTime: 1_000_000_000)
        let second = 0.12 + seconds
        blocks += try assembler.accept(buffer, at: second, hostTime: 1_000_000_000 + Int64(second * 1e9))
        blocks += try assembler.finish()
        // 20 ms of the second block precede the gap.
        let silence = min(1280, Int((seconds * 16_000).rounded()))
        #expect(blocks[1].time.value == 1600 && blocks[1].samples[320..<320 + silence].allSatisfy { $0 == 0 })
        #expect(blocks[1].samples[100] > 0.24)
        let third = seconds < 0.1 ? 3200 : Int((second * 16_000).rounded())
        #expect(blocks[2].time.value == third && blocks[2].samples[400] > 0.24)
        for block in blocks { #expect(abs(Double(block.hostTime) - 1e9 - block.time.duration / .seconds(1) * 1e9) < 100) }
        #expect(blocks.allSatisfy { $0.samples.count == 1600 } && blocks.map(\.number) == Array(0..<blocks.count))
    }

    @Test("Samples are the mean of the channels, unchanged at the same rate")
    func samples() throws {
        let assembler = SpeechAssembler(blockDuration: .milliseconds(10), sampleRate: 16_000)
        let left = (0..<400).map { Float($0) / 512 }
        let right = [Float](repeating: 0.5, count: 400)
        let blocks = try assembler.accept(PCMBuffer(channels: [left, right], sampleRate: 16_000), at: 2, hostTime: 5) + assembler.finish()
        #expect(blocks.count == 3 && blocks[0].time == MediaTime(value: 32_000, timescale: 16_000) && blocks[0].hostTime == 5)
        let expected = left.map { ($0 + 0.5) / 2 } + [Float](repeating: 0, count: 80)
        #expect(zip(blocks.flatMap(\.samples), expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
}
