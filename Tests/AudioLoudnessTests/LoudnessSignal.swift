// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
internal import SystemLibrary
import TestSupport

/// A signal with known loudness or peaks.
struct LoudnessSignal {
    let sampleRate: Int
    var channels: [[Float]]

    /// A sine of the same phase in all channels, faded in and out within 10 ms if it does not begin at 0.
    init(frequency: Double, decibels: Double, seconds: Double, sampleRate: Int = 48_000, channelCount: Int = 2, phase: Double = 0) {
        self.sampleRate = sampleRate
        let amplitude = pow(10, decibels / 20)
        let count = Int(seconds * Double(sampleRate))
        let sine = (0..<count).map { frame in
            let fade = phase == 0 ? 1 : min(1, Double(min(frame, count - 1 - frame)) * 100 / Double(sampleRate))
            return Float(fade * amplitude * sin(2 * Double.pi * frequency * Double(frame) / Double(sampleRate) + phase))
        }
        channels = Array(repeating: sine, count: channelCount)
    }

    /// Noise whose level changes every 0.4 s, with clicks: the loud parts need a limiter.
    init(noiseOf seconds: Double, seed: UInt64, sampleRate: Int = 48_000, channelCount: Int = 2) {
        self.sampleRate = sampleRate
        var random = SeededRandom(seed: seed)
        let count = Int(seconds * Double(sampleRate))
        channels = (0..<channelCount).map { _ in random.samples(count, amplitude: 1) }
        for start in stride(from: 0, to: count, by: sampleRate * 2 / 5) {
            let level = Float.random(in: 0.01...0.5, using: &random)
            for channel in channels.indices {
                for frame in start..<min(count, start + sampleRate * 2 / 5) { channels[channel][frame] *= level }
            }
        }
        for _ in 0..<Int(seconds * 4) {
            let channel = Int.random(in: 0..<channelCount, using: &random)
            channels[channel][Int.random(in: 0..<count, using: &random)] = Float.random(in: -1...1, using: &random)
        }
    }

    var frameCount: Int { channels[0].count }

    /// The samples as 32-bit floating point, interleaved.
    var bytes: [UInt8] {
        (0..<frameCount).flatMap { frame in
            channels.flatMap { channel in withUnsafeBytes(of: channel[frame].bitPattern.littleEndian) { Array($0) } }
        }
    }

    func buffer(_ range: Range<Int>) -> PCMBuffer {
        PCMBuffer(channels: channels.map { Array($0[range]) }, sampleRate: sampleRate)
    }

    func buffers(_ random: inout SeededRandom) -> [PCMBuffer] {
        var (result, start): ([PCMBuffer], Int) = ([], 0)
        while start < frameCount {
            let end = min(frameCount, start + Int.random(in: 1...9000, using: &random))
            result.append(buffer(start..<end))
            start = end
        }
        return result
    }
}
