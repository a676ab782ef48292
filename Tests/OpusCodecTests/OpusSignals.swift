// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import OpusCodec
import TestSupport

/// Test signals, and measurements of decoded signals.
enum OpusSignals {
    /// Returns a sine in each channel: 400 Hz in the first, and 150 Hz more in each further channel.
    static func tones(sampleRate: Int, channelCount: Int, frameCount: Int, amplitude: Float = 0.3) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: frameCount)
        for channel in 0..<channelCount {
            let frequency = Self.frequency(ofChannel: channel)
            let start = buffer.range(ofChannel: channel).lowerBound
            for frame in 0..<frameCount {
                buffer.samples[start + frame] = amplitude * Float(sin(2 * Double.pi * frequency * Double(frame) / Double(sampleRate)))
            }
        }
        return buffer
    }

    /// The frequency of a channel's tone in hertz.
    static func frequency(ofChannel channel: Int) -> Double { 400 + 150 * Double(channel) }

    /// Returns noise with an envelope that rises and falls five times per second, like syllables.
    static func syllables(sampleRate: Int, channelCount: Int, frameCount: Int, seed: UInt64) -> PCMBuffer {
        var random = SeededRandom(seed: seed)
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: frameCount)
        for channel in 0..<channelCount {
            let start = buffer.range(ofChannel: channel).lowerBound
            var smoothed: Float = 0
            for frame in 0..<frameCount {
                smoothed += 0.3 * (Float.random(in: -1...1, using: &random) - smoothed)
                let time = Double(frame) / Double(sampleRate)
                let pitch = [(140.0, 1.0), (280, 0.6), (840, 0.4)].reduce(Float(0)) { $0 + Float($1.1 * sin(2 * .pi * $1.0 * time)) }
                buffer.samples[start + frame] = Float(0.5 + 0.5 * sin(2 * .pi * 5 * time)) * (0.2 * pitch + 0.05 * smoothed)
            }
        }
        return buffer
    }

    /// Returns the power of a tone, from correlation with a sine and a cosine.
    static func power(of frequency: Double, in samples: [Float], sampleRate: Int) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / Double(sampleRate)
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        let count = Double(max(1, samples.count))
        return 2 * (real * real + imaginary * imaginary) / (count * count)
    }

    /// Returns the ratio of a signal to its difference from another signal, in decibels.
    static func ratio(_ signal: [Float], _ other: [Float]) -> Double {
        let energy = signal.reduce(0) { $0 + Double($1 * $1) }
        let error = zip(signal, other).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
        return 10 * log10(energy / max(error, 1e-12))
    }

    /// Encodes a buffer in pieces of random lengths.
    static func encode(
        _ buffer: PCMBuffer, _ configuration: OpusEncoderConfiguration, seed: UInt64 = 1
    ) throws -> (accessUnits: [AccessUnit], gapless: GaplessInfo, configuration: OpusConfiguration) {
        var random = SeededRandom(seed: seed)
        let encoder = try OpusEncoder(configuration)
        var accessUnits: [AccessUnit] = []
        var start = 0
        while start < buffer.frameCount {
            let count = min(buffer.frameCount - start, Int.random(in: 1...5000, using: &random))
            var piece = PCMBuffer(sampleRate: buffer.sampleRate, channelCount: buffer.channelCount, frameCapacity: count)
            for channel in 0..<buffer.channelCount {
                let first = buffer.range(ofChannel: channel).lowerBound + start
                piece.samples.replaceSubrange(piece.range(ofChannel: channel), with: buffer.samples[first..<first + count])
            }
            try encoder.encode(piece) { accessUnits.append($0) }
            start += count
        }
        let gapless = try encoder.finish { accessUnits.append($0) }
        return (accessUnits, gapless, encoder.opusConfiguration)
    }

    /// Decodes all access units and returns each channel.
    static func decode(
        _ accessUnits: [AccessUnit], _ configuration: OpusConfiguration, options: OpusDecoderOptions = OpusDecoderOptions()
    ) throws -> [[Float]] {
        let decoder = try OpusDecoder(configuration, options: options)
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        var channels = [[Float]](repeating: [], count: decoder.channelCount)
        for accessUnit in accessUnits {
            let outcome = decoder.decode(accessUnit.payload.span, into: &buffer)
            guard outcome.damage == nil else { throw outcome.damage ?? .finished }
            for channel in channels.indices { channels[channel] += buffer.channel(channel) }
        }
        return channels
    }
}
