// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import USACCodec

/// xHE-AAC with MPEG Surround 2-1-2: stereo from one core channel.
@Suite struct SurroundEncodingTests {
    private struct Stream {
        let units: [AccessUnit]
        let gapless: GaplessInfo
        let configuration: AudioSpecificConfig

        init(_ channels: [[Float]], sampleRate: Int = 48_000, bitRate: Int = 18_000, interval: Double = 2) throws {
            var configuration = AACEncoderConfiguration(
                sampleRate: sampleRate, channelCount: 2, rateControl: .average(bitRate: bitRate), effort: .fast)
            configuration.profile = .extendedHighEfficiency
            configuration.settings.accessPointInterval = interval
            let encoder = try AACEncoder(configuration)
            self.configuration = encoder.audioSpecificConfig
            var units = try encoder.encode(PCMBuffer(channels: channels, sampleRate: sampleRate))
            gapless = encoder.finish { units.append($0) }
            self.units = units
        }

        /// Decodes from an access unit on.
        func decoded(from first: Int = 0) throws -> [[Float]] {
            let decoder = try USACDecoder(AudioSpecificConfig(parsing: configuration.serialized()))
            var channels: [[Float]] = [[], []]
            for unit in units[first...] {
                let buffer = try decoder.decode(unit)
                for channel in 0..<2 { channels[channel] += buffer.channel(channel) }
            }
            return channels
        }
    }

    private static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return random.samples(count, amplitude: 0.3)
    }

    private static func energy(_ samples: some Sequence<Float>) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }

    @Test("The configuration has one core channel and states both, and the delay is exactly 6148", arguments: [24_000, 44_100, 48_000])
    func delay(sampleRate: Int) throws {
        let signal = Self.noise(12_000, seed: 8)
        let stream = try Stream([signal, signal], sampleRate: sampleRate, bitRate: sampleRate * 2 / 5)
        let usac = try #require(stream.configuration.usac)
        #expect(usac.elements[1].stereoConfigIndex == 1 && usac.elements[1].coreChannelCount == 1 && usac.channelCount == 2)
        #expect(stream.gapless.primingFrames == 6_148 && stream.gapless.validFrames == 12_000)
        let output = try stream.decoded()
        for channel in output {
            #expect(channel.count == stream.gapless.totalFrames)
            let best = (6_140..<6_157).max { a, b in
                func correlation(_ delay: Int) -> Float { zip(channel.dropFirst(delay), signal).reduce(0) { $0 + $1.0 * $1.1 } }
                return correlation(a) < correlation(b)
            }
            #expect(best == 6_148)
        }
        // The highest frequencies are not coded.
        #expect(abs(10 * log10(Self.energy(output[0]) / Self.energy(signal))) < 2.5)
        #expect(signalToNoise(output[0], output[1]) > 60)
    }

    @Test(
        "A panned tone keeps its level difference, within a step of the quantizer",
        arguments: [-16.0, -9, -3, 0, 1, 5, 12], [500.0, 5_000, 13_000])
    func panning(decibels: Double, frequency: Double) throws {
        let gain = Float(pow(10, decibels / 20))
        let left = (0..<30_000).map { Float(0.2 * sin(2 * .pi * frequency / 48_000 * Double($0))) * min(1, gain) }
        let right = left.map { $0 / gain }
        let output = try Stream([left, right]).decoded().map { Self.energy($0[14_000..<28_000]) }
        let found = 10 * log10(output[0] / output[1])
        #expect(abs(found - decibels) < 1.6, "\(found)")
        let total = 10 * log10((output[0] + output[1]) / (Self.energy(left[8_000..<22_000]) + Self.energy(right[8_000..<22_000])))
        #expect(abs(total) < 1.5, "\(total)")
    }

    @Test("Independent channels keep their energies, and one of two channels stays on its side")
    func energies() throws {
        let silence = [Float](repeating: 0, count: 40_000)
        let (first, second) = (Self.noise(40_000, seed: 1), Self.noise(40_000, seed: 2).map { $0 / 2 })
        for channels in [[first, second], [first, silence], [silence, second], [first, first.map { -$0 }]] {
            let output = try Stream(channels).decoded()
            for channel in 0..<2 {
                let wanted = Self.energy(channels[channel][8_000..<30_000])
                let found = Self.energy(output[channel][14_148..<36_148])
                if wanted == 0 {
                    #expect(found < 0.001 * Self.energy(output[1 - channel][14_148..<36_148]))
                } else {
                    // The highest frequencies are not coded.
                    #expect((0.5...1.1).contains(found / wanted), "\(found / wanted)")
                }
            }
        }
    }

    @Test("Silence stays below -80 dB and needs few bits")
    func silence() throws {
        let silence = [Float](repeating: 0, count: 30_000)
        let stream = try Stream([silence, silence])
        #expect(try stream.decoded().joined().allSatisfy { abs($0) < 1e-4 })
        #expect(stream.units[5...].allSatisfy { $0.payload.count < 24 })
    }

    @Test("Decoding can start at each access point, with almost the samples of the whole stream")
    func accessPoints() throws {
        let input = chordBytes(sampleRate: 48_000, channelCount: 2, frameCount: 60_000)
        let samples = stride(from: 0, to: input.count, by: 2).map {
            Float(Int16(truncatingIfNeeded: Int(input[$0]) | Int(input[$0 + 1]) << 8)) / 32_768
        }
        let channels = (0..<2).map { channel in stride(from: channel, to: samples.count, by: 2).map { samples[$0] } }
        let stream = try Stream(channels, interval: 0.25)
        let points = stream.units.indices.filter { stream.units[$0].payload[0] & 0xC0 == 0xC0 }
        #expect(points == Array(stride(from: 0, to: stream.units.count, by: 5)))
        let whole = try stream.decoded()
        for first in points.dropFirst() {
            let part = try stream.decoded(from: first)
            for channel in 0..<2 {
                // The noise differs.
                #expect(signalToNoise(Array(whole[channel].suffix(part[channel].count)), part[channel]) > 20, "from \(first)")
            }
        }
    }

    @Test("A stream keeps its number of core channels when the bit rate changes")
    func bitRates() throws {
        func encoder(_ bitRate: Int) throws -> AACEncoder {
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitRate: bitRate))
            configuration.profile = .extendedHighEfficiency
            return try AACEncoder(configuration)
        }
        let surround = try encoder(16_000)
        #expect(surround.bitRates.lowerBound == 10_500 && surround.audioSpecificConfig.usac?.elements[1].surround != nil)
        try surround.setBitRate(surround.bitRates.upperBound)
        let next = surround.bitRates.upperBound + 1
        #expect(throws: CodecError.unsupportedBitRate(next, allowed: surround.bitRates)) { try surround.setBitRate(next) }
        let pair = try encoder(next)
        #expect(pair.bitRates == next...57_999 && pair.audioSpecificConfig.usac?.elements[1].surround == nil)
    }
}
