// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct ResamplerTests {
    @Test(
        "A tone keeps its place, its level and its pitch at another rate, whatever the sizes of the buffers",
        arguments: [(44_100, 48_000), (48_000, 44_100), (16_000, 48_000), (96_000, 48_000), (48_000, 8_000)])
    func tone(from: Int, to: Int) throws {
        var random = SeededRandom(seed: UInt64(from + to))
        let resampler = try Resampler(from: from, to: to, channelCount: 2)
        let total = from
        var output: [[Float]] = [[], []]
        func take(_ buffer: PCMBuffer) { for channel in 0..<2 { output[channel] += buffer.channel(channel) } }
        var position = 0
        while position < total {
            let count = min(Int.random(in: 1...5000, using: &random), total - position)
            var buffer = PCMBuffer(sampleRate: from, channelCount: 2, frameCapacity: count + 7, frameCount: count)
            for frame in 0..<count {
                let angle = Double(position + frame) * 2 * .pi * 997 / Double(from)
                buffer.samples[frame] = Float(0.5 * sin(angle))
                buffer.samples[buffer.frameCapacity + frame] = Float(0.25 * cos(angle))
            }
            take(try resampler.process(buffer))
            position += count
        }
        take(try resampler.finish())
        #expect(abs(output[0].count - to) <= 1)
        var noise = 0.0
        for frame in 500..<to - 500 {
            let angle = Double(frame) * 2 * .pi * 997 / Double(to)
            let left = Double(output[0][frame]) - 0.5 * sin(angle)
            let right = Double(output[1][frame]) - 0.25 * cos(angle)
            noise += left * left + right * right
        }
        let power = Double(to - 1000) * (0.125 + 0.031_25)
        #expect(10 * log10(power / noise) > 100)
    }

    @Test(arguments: [1, 999]) func `A source rate below 1 kHz is converted to no other rate`(rate: Int) throws {
        let error = #expect(throws: AudioFileError.self) { _ = try Resampler(from: rate, to: 44_100, channelCount: 1) }
        #expect(error?.code == .unsupportedSampleRates(from: rate, to: 44_100))
        #expect(error?.description.hasSuffix("sample rates below 1000 Hz are not converted") == true)
        _ = try Resampler(from: rate, to: rate, channelCount: 1)
        _ = try Resampler(from: 1000, to: 44_100, channelCount: 1)
    }
}
