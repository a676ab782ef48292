// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Tones of constant level.
@Suite struct SteadyToneTests {
    /// Frequencies in hertz: some that were once lost in one frame of twenty, because noise shaping moved them to the next band, and random
    /// ones.
    static let frequencies: [Double] = {
        var random = SeededRandom(seed: 12)
        return [8_000, 9_618, 14_005, 5_942] + (0..<4).map { _ in Double.random(in: 1_000...15_000, using: &random) }
    }()

    @Test("A steady tone keeps its level and signal-to-noise ratio in every block", arguments: frequencies)
    func tone(frequency: Double) throws {
        let length = 60 * 1024
        let tone = (0..<length).map { 0.5 * Float(sin(2 * Double.pi * frequency * Double($0) / 48_000)) }
        let configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 64_000))
        let stream = try EncodedStream([tone, tone], configuration)
        let decoder = try AACDecoder(AACEncoder(configuration).audioSpecificConfig)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 1024)
        var decoded: [Float] = []
        for accessUnit in stream.accessUnits {
            _ = decoder.decode(accessUnit.span, into: &buffer)
            decoded += buffer.samples[0..<1024]
        }
        let delay = 2112
        for block in 4..<56 {
            var (energy, error) = (0.0, 0.0)
            for index in block * 1024..<(block + 1) * 1024 {
                energy += Double(tone[index] * tone[index])
                error += pow(Double(tone[index] - decoded[index + delay]), 2)
            }
            #expect(10 * log10(energy / error) > 12, "\(frequency) Hz, block \(block)")
        }
    }
}
