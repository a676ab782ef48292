// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// HE-AAC v2 streams, decoded by this package and by others.
@Suite struct ParametricStereoStreamTests {
    /// Returns an HE-AAC v2 configuration.
    private static func configuration(
        _ sampleRate: Int, _ rateControl: AACEncoderConfiguration.RateControl
    ) -> AACEncoderConfiguration {
        var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: 2, rateControl: rateControl)
        configuration.profile = .highEfficiencyV2
        return configuration
    }

    /// Decodes with this package and a configuration without SBR and parametric stereo signaling, as in ADTS.
    private static func decode(_ stream: EncodedStream) throws -> [[Float]] {
        let core = AudioSpecificConfig(
            sampleRate: stream.configuration.sampleRate / 2, channelConfiguration: ChannelConfiguration(channelCount: 1))
        let decoder = try AACDecoder(core)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
        var channels: [[Float]] = [[], []]
        for accessUnit in stream.accessUnits {
            #expect(decoder.decode(accessUnit.span, into: &buffer).damage == nil)
            #expect(buffer.channelCount == 2)
            for channel in 0..<2 { channels[channel] += buffer.channel(channel) }
        }
        return channels
    }

    /// Returns the output of both decoders.
    private static func decodings(_ stream: EncodedStream) throws -> [[[Float]]] {
        let decoded = try ReferenceDecoding.byFFmpeg(stream.adts, channelCount: 2)
        #expect(decoded.messages.isEmpty, "\(decoded.messages)")
        return [try decode(stream), decoded.channels]
    }

    @Test("The output has a delay of exactly 6148 samples and is complete", arguments: [1, 2_047, 2_048, 2_049, 6_147, 9_001])
    func length(length: Int) throws {
        let signal = TestSignal.softNoise(length, seed: 8).map { $0 * 0.5 }
        let stream = try EncodedStream([signal, signal], Self.configuration(44_100, .average(bitRate: 40_000)))
        #expect(stream.gapless.primingFrames == 6_148 && stream.gapless.validFrames == length)
        #expect(stream.gapless.totalFrames == 2_048 * stream.accessUnits.count && stream.gapless.remainderFrames < 2_048)
        for channels in try Self.decodings(stream) {
            #expect(channels[0].count == 2_048 * stream.accessUnits.count)
            guard length > 5_000 else { continue }
            for channel in channels {
                func correlation(_ delay: Int) -> Float { (0..<length).reduce(0) { $0 + channel[$1 + delay] * signal[$1] } }
                let best = (6_140..<6_157).filter { $0 + length <= channel.count }.max { correlation($0) < correlation($1) }
                #expect(best == 6_148)
            }
        }
    }

    @Test("Noise bursts keep their side and time")
    func sides() throws {
        var random = SeededRandom(seed: 9)
        var (left, right) = ([Float](repeating: 0, count: 60_000), [Float](repeating: 0, count: 60_000))
        let bursts = (0..<8).map { (start: 4_000 + 6_900 * $0, isLeft: $0 % 2 == 0) }
        for burst in bursts {
            for index in burst.start..<burst.start + 2_000 {
                let value = Float.random(in: -0.3...0.3, using: &random)
                if burst.isLeft { left[index] = value } else { right[index] = value }
            }
        }
        let stream = try EncodedStream([left, right], Self.configuration(48_000, .average(bitRate: 40_000)))
        for channels in try Self.decodings(stream) {
            for burst in bursts {
                let first = burst.start + stream.gapless.primingFrames
                func energy(_ channel: Int, _ range: Range<Int>) -> Double {
                    channels[channel][range].reduce(0) { $0 + Double($1) * Double($1) }
                }
                let (near, far) = burst.isLeft ? (0, 1) : (1, 0)
                let range = first + 600..<first + 2_000
                #expect(energy(near, range) > 10 * energy(far, range), "burst at \(burst.start)")
                // Nearly all energy around the burst is within its time.
                let around = energy(near, first - 2_000..<first + 4_000)
                #expect(energy(near, first - 200..<first + 2_400) > 0.9 * around, "burst at \(burst.start)")
            }
        }
    }

    @Test(
        "Other decoders decode every sample rate to stereo without messages",
        arguments: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000])
    func everyRate(sampleRate: Int) throws {
        let left = TestSignal.changing(14_000, sampleRate: sampleRate, seed: 10)
        let right = TestSignal.changing(14_000, sampleRate: sampleRate, seed: 11)
        let modes = [16_000, 24_000, 32_000, 64_000].flatMap { nominal in
            let rate = nominal * sampleRate / 48_000
            return [AACEncoderConfiguration.RateControl.average(bitRate: rate), .constant(bitRate: rate), .variable(quality: 30)]
        }
        let streams = try modes.map { try EncodedStream([left, right], Self.configuration(sampleRate, $0)) }
        for (stream, decoded) in zip(streams, try ReferenceDecoding.byFFmpeg(streams.map(\.adts), channelCount: 2)) {
            let mode = stream.configuration.rateControl
            #expect(decoded.messages.isEmpty, "\(mode): \(decoded.messages)")
            #expect(decoded.frameCount == 2_048 * stream.accessUnits.count, "\(mode)")
        }
        let stream = try EncodedStream([left, right], Self.configuration(sampleRate, .variable(quality: 40)))
        let decoded = try ReferenceDecoding.byFAAD(stream.adts, channelCount: 2)
        #expect(decoded.messages.isEmpty, "\(decoded.messages)")
    }

    @Test("The configuration signals SBR and parametric stereo as requested")
    func signaling() throws {
        var configuration = Self.configuration(44_100, .average(bitRate: 32_000))
        for signaling in [AudioSpecificConfig.ExtensionSignaling.backwardCompatible, .hierarchical] {
            configuration.signaling = signaling
            let config = try AACEncoder(configuration).audioSpecificConfig
            let read = try AudioSpecificConfig(parsing: config.serialized())
            #expect(read == config && read.extensionConfig.signaling == signaling)
            #expect(read.sampleRate == 22_050 && read.outputSampleRate == 44_100 && read.channelCount == 1)
            #expect(read.profileName == "HE-AAC v2")
        }
    }

    @Test("Parametric stereo requires two channels; others throw the supported profiles")
    func refusals() {
        for channelCount in [1, 3, 6] {
            let mono: [AACProfile] = channelCount == 1 ? [.extendedHighEfficiency, .lowDelay, .enhancedLowDelay] : []
            #expect(
                throws: CodecError.unsupportedProfile(
                    .highEfficiencyV2, channelCount: channelCount, allowed: [.lowComplexity, .highEfficiency] + mono)
            ) {
                var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: channelCount)
                configuration.profile = .highEfficiencyV2
                _ = try AACEncoder(configuration)
            }
        }
    }

    @Test("The output does not depend on input block sizes or a previous reset")
    func reproducible() throws {
        let left = TestSignal.changing(20_000, sampleRate: 48_000, seed: 12)
        let right = TestSignal.softNoise(20_000, seed: 13)
        let configuration = Self.configuration(48_000, .average(bitRate: 28_000))
        let whole = try EncodedStream([left, right], configuration)
        let pieces = try EncodedStream(configuration) { encoder, body in
            try encoder.encode(EncodedStream.buffer([right, left], sampleRate: 48_000)) { _ in }
            encoder.reset()
            for first in stride(from: 0, to: 20_000, by: 777) {
                let range = first..<min(20_000, first + 777)
                try encoder.encode(EncodedStream.buffer([Array(left[range]), Array(right[range])], sampleRate: 48_000), body)
            }
        }
        #expect(whole.accessUnits == pieces.accessUnits)
    }
}
