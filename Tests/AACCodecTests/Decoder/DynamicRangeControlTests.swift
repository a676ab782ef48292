// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// Dynamic range control and reference level: streams of the encoder with fill elements added.
@Suite struct DynamicRangeControlTests {
    /// A stream of two tones per channel, below and above 3 kHz.
    private struct Stream {
        let configuration: AudioSpecificConfig
        var accessUnits: [[UInt8]] = []

        init(_ profile: AACProfile = .lowComplexity, channelCount: Int = 2, frameCount: Int = 24) throws {
            let (rate, count) = (48_000, frameCount * (profile == .lowComplexity ? 1024 : 2048))
            var configuration = AACEncoderConfiguration(sampleRate: rate, channelCount: channelCount)
            configuration.settings.profile = profile
            let encoder = try AACEncoder(configuration)
            self.configuration = encoder.audioSpecificConfig
            let channels = (0..<channelCount).map { channel in
                (0..<count).map { frame in
                    let time = 2 * Double.pi * Double(frame) / Double(rate)
                    return Float(0.1 * sin(Double(997 + 100 * channel) * time) + 0.1 * sin(Double(5003 + 200 * channel) * time))
                }
            }
            accessUnits = try encoder.encode(PCMBuffer(channels: channels, sampleRate: rate)).map(\.payload)
        }

        /// Decodes the stream with gains for each access unit.
        func decoded(
            _ boost: Double = 1, _ cut: Double = 1, level: Double? = nil, _ payloads: (Int) -> [DynamicRangePayload]
        ) throws -> [[Float]] {
            var options = AACDecoderOptions()
            (options.dynamicRangeBoost, options.dynamicRangeCut, options.referenceLevel) = (boost, cut, level)
            let decoder = try AACDecoder(configuration, options: options)
            var result: [[Float]] = []
            for (index, unit) in accessUnits.enumerated() {
                let buffer = try decoder.decode(AccessUnit(DynamicRangePayload.insert(payloads(index), into: unit)))
                if result.isEmpty { result = Array(repeating: [], count: buffer.channelCount) }
                for channel in result.indices { result[channel] += buffer.channel(channel) }
            }
            return result
        }
    }

    /// The factor of a gain in steps of 0.25 dB.
    private static func factor(_ gain: Double) -> Float { Float(exp2(gain / 24)) }

    /// The largest difference from samples times a factor, relative to the peak.
    private static func error(_ found: ArraySlice<Float>, _ plain: ArraySlice<Float>, _ factor: Float) -> Float {
        let peak = plain.reduce(Float.leastNormalMagnitude) { max($0, abs($1)) }
        return zip(found, plain).reduce(0) { max($0, abs($1.0 - $1.1 * factor)) } / (factor * peak)
    }

    /// The level of a tone in the third quarter of a signal.
    private static func level(_ samples: [Float], _ frequency: Int) -> Double {
        let part = samples[samples.count / 2..<samples.count * 3 / 4]
        let (c, s) = part.enumerated().reduce((0.0, 0.0)) { sum, sample in
            let window = 1 - cos(2 * Double.pi * Double(sample.offset) / Double(part.count))
            let phase = 2 * Double.pi * Double(frequency) * Double(sample.offset) / 48_000
            return (sum.0 + window * Double(sample.element) * cos(phase), sum.1 + window * Double(sample.element) * sin(phase))
        }
        return 10 * log10(c * c + s * s)
    }

    @Test(
        "A gain in each access unit scales the output of every profile",
        arguments: [AACProfile.lowComplexity, .highEfficiency, .highEfficiencyV2])
    func constant(profile: AACProfile) throws {
        let stream = try Stream(profile)
        let plain = try stream.decoded { _ in [] }
        for gain in [-127, -24, 1, 40] {
            let found = try stream.decoded { _ in [DynamicRangePayload([gain])] }
            for channel in plain.indices {
                // The output of SBR starts after its delay, and with it the transition from 0 dB.
                let start = profile == .lowComplexity ? 0 : 6144
                let error = Self.error(found[channel][start...], plain[channel][start...], Self.factor(Double(gain)))
                #expect(error < 2e-6, "\(gain) in channel \(channel)")
            }
        }
        #expect(try stream.decoded(0, 0) { _ in [DynamicRangePayload([-24])] } == plain)
    }

    @Test("Boost and cut weight gains above and below 0 dB")
    func weights() throws {
        let stream = try Stream(channelCount: 1)
        let plain = try stream.decoded { _ in [] }[0]
        for (gain, boost, cut, used) in [(24, 0.5, 0.0, 12.0), (24, 0, 1, 0), (-24, 1, 0, 0), (-24, 0, 0.25, -6), (-24, .nan, 7, -24)] {
            let found = try stream.decoded(boost, cut) { _ in [DynamicRangePayload([gain])] }[0]
            #expect(Self.error(found[...], plain[...], Self.factor(used)) < 2e-6, "\(gain) with \(boost) and \(cut)")
        }
    }

    @Test("Gains of several access units follow the overlap of their windows, and hold until the next ones")
    func blocks() throws {
        let stream = try Stream(channelCount: 1, frameCount: 60)
        let plain = try stream.decoded { _ in [] }[0]
        let gains = [0: 0, 4: -40, 5: 12, 8: 12]
        let found = try stream.decoded { unit in gains[unit].map { [DynamicRangePayload([$0])] } ?? [] }[0]
        func error(_ frames: Range<Int>, _ gain: Double) -> Float {
            let range = 1024 * frames.lowerBound..<1024 * frames.upperBound
            return Self.error(found[range], plain[range], Self.factor(gain))
        }
        #expect(error(0..<4, 0) < 2e-6)
        // Output frame n overlaps access units n - 1 and n.
        #expect(error(4..<5, 0) > 0.1 && error(5..<6, 12) > 0.1)
        #expect(error(6..<39, 12) < 2e-6)
        // 32 access units after the last gain, it expires.
        #expect(error(41..<60, 0) < 2e-6)
    }

    @Test("Excluded channels, other programs and channels with gains of their own")
    func channels() throws {
        let stream = try Stream()
        let plain = try stream.decoded { _ in [] }
        var (first, second) = (DynamicRangePayload([-20]), DynamicRangePayload([8]))
        (first.excluded, second.excluded) = ([1], [0, 9])
        for (payloads, gains) in [([first], [-20.0, 0]), ([second], [0, 8]), ([first, second], [-20, 8])] {
            let found = try stream.decoded { _ in payloads }
            for channel in 0..<2 { #expect(Self.error(found[channel][...], plain[channel][...], Self.factor(gains[channel])) < 2e-6) }
        }
    }

    @Test("Bands have their own gains", arguments: [AACProfile.lowComplexity, .highEfficiency])
    func bands(profile: AACProfile) throws {
        let stream = try Stream(profile, channelCount: 1)
        let plain = try stream.decoded { _ in [] }[0]
        // 3 kHz is line 128 of 24 kHz in 1024 lines, or line 256 of the core of SBR.
        let top = profile == .lowComplexity ? 31 : 63
        let found = try stream.decoded { _ in [DynamicRangePayload([-24, 12], tops: [top, 255])] }[0]
        #expect(abs(Self.level(found, 997) - Self.level(plain, 997) + 24 * 0.250_86) < 0.02)
        #expect(abs(Self.level(found, 5003) - Self.level(plain, 5003) - 12 * 0.250_86) < 0.02)
        // Lines above the last band, and bands without lines.
        let partial = try stream.decoded { _ in [DynamicRangePayload([-24, 99], tops: [top, top])] }[0]
        #expect(abs(Self.level(partial, 5003) - Self.level(plain, 5003)) < 0.02)
    }

    @Test("With SBR a gain changes when its audio does", arguments: [(0, 0.5), (1, 0), (5, 0.5), (8, 0.875), (15, 0.5)])
    func transition(scheme: Int, part: Double) throws {
        let stream = try Stream(.highEfficiency, channelCount: 1)
        let plain = try stream.decoded { _ in [] }[0]
        var low = DynamicRangePayload([-48], tops: [255])
        low.scheme = scheme
        let found = try stream.decoded { unit in [unit < 10 ? DynamicRangePayload([0]) : low] }[0]
        let half = (1 + Self.factor(-48)) / 2
        let ratio = found.indices.map { abs(plain[$0]) < 0.02 ? .infinity : found[$0] / plain[$0] }
        let first = try #require(ratio.firstIndex { $0 < half })
        // Access unit 10 starts at 20480, plus the delay of SBR; a slot has 64 samples.
        #expect(abs(Double(first) - (20_480 + 962 + part * 2048)) < 128)
    }

    @Test("The program reference level becomes the requested level", arguments: [AACProfile.lowComplexity, .highEfficiency])
    func referenceLevel(profile: AACProfile) throws {
        let stream = try Stream(profile)
        var payload = DynamicRangePayload([-24])
        payload.referenceLevel = 92
        let plain = try stream.decoded(0, 0) { _ in [payload] }
        // -23 dB to -31 dB.
        let found = try stream.decoded(0, 0, level: -31) { _ in [payload] }
        for channel in 0..<2 { #expect(Self.error(found[channel][...], plain[channel][...], Float(pow(10, -0.4))) < 2e-6) }
        #expect(try stream.decoded(0, 0, level: -31) { _ in [] } == plain, "without a level")
    }

    @Test("Damaged gains neither trap nor reach the samples of other access units")
    func mutations() throws {
        let stream = try Stream(channelCount: 2, frameCount: 6)
        var options = AACDecoderOptions()
        (options.dynamicRangeBoost, options.dynamicRangeCut, options.referenceLevel) = (1, 1, -10)
        for seed in UInt64(0)..<60 {
            var random = SeededRandom(seed: seed)
            let decoder = try AACDecoder(stream.configuration, options: options)
            var buffer = AACDecoderTests.emptyBuffer
            for unit in stream.accessUnits {
                let bandCount = Int.random(in: 1...16, using: &random)
                var payload = DynamicRangePayload((0..<bandCount).map { _ in .random(in: -127...127, using: &random) })
                payload.tops = (0..<bandCount).map { _ in .random(in: 0...255, using: &random) }
                payload.scheme = .random(in: 0...15, using: &random)
                payload.excluded = [Int.random(in: 0...40, using: &random)]
                let bytes = random.damaged(payload.bytes, among: [payload.bytes])
                _ = decoder.decode(DynamicRangePayload.insert([Array(bytes.prefix(269))], into: unit).span, into: &buffer)
                #expect(buffer.hasOnlyNumbers, "seed \(seed)")
            }
        }
    }
}
