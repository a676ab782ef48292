// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Encodes and decodes signals that are hard for a coder, for counting the instructions of each access unit.
///
///     FrameCosts SETTING
///
/// It calls `frame_encode` and `frame_decode` once per access unit, and prints a line for each call: the direction and the signal.
/// Scripts/Check/frame-costs runs it.
@main
enum FrameCosts {
    /// The number of access units per signal.
    ///
    /// The first ones of a signal overlap with the signal before.
    private static let unitCount = 10

    static func main() throws {
        guard CommandLine.arguments.count == 2, let configuration = configuration(CommandLine.arguments[1]) else {
            print("usage: FrameCosts \(settings.keys.sorted().joined(separator: "|"))")
            exit(2)
        }
        let encoder = try AACEncoder(configuration)
        let decoder = try AACDecoder(encoder.audioSpecificConfig)
        var output = PCMBuffer(
            sampleRate: decoder.sampleRate, channelCount: decoder.channelCount, frameCapacity: decoder.framesPerPacket)
        var generator = Generator()
        // All of them first: the counts include everything between two calls.
        let frames = Signal.allCases.flatMap { signal in
            (0..<unitCount).map { _ in (signal, generator.frame(of: signal, configuration, frameCount: encoder.framesPerPacket)) }
        }
        let damage = (0..<unitCount).map { _ in
            // A start that selects the stream's element, and random bytes.
            [configuration.channelCount == 1 ? 0 : 0x20] + (0..<700).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 11) }
        }
        for (signal, frame) in frames {
            let units = try frameEncode(encoder, frame)
            print("encode", signal)
            for unit in units {
                frameDecode(decoder, unit.payload, &output)
                print("decode", signal)
            }
        }
        for bytes in damage {
            frameDecode(decoder, bytes, &output)
            print("decode damage")
        }
    }

    private static let settings:
        [String: (AACProfile, AACEncoderConfiguration.Effort, rate: Int, channels: Int, AACEncoderConfiguration.RateControl)] = [
            "lc-fast": (.lowComplexity, .fast, 48_000, 2, .average(bitRate: 128_000)),
            "lc-balanced": (.lowComplexity, .balanced, 48_000, 2, .constant(bitRate: 96_000)),
            "lc-best": (.lowComplexity, .best, 44_100, 1, .average(bitRate: 64_000)),
            "lc-quality": (.lowComplexity, .balanced, 8_000, 1, .variable(quality: 90)),
            "lc-surround": (.lowComplexity, .fast, 32_000, 6, .constant(bitRate: 160_000)),
            "he": (.highEfficiency, .balanced, 48_000, 2, .average(bitRate: 48_000)),
            "he-v2": (.highEfficiencyV2, .balanced, 44_100, 2, .average(bitRate: 32_000)),
            "eld": (.enhancedLowDelay, .balanced, 48_000, 2, .constant(bitRate: 64_000)),
        ]

    private static func configuration(_ name: String) -> AACEncoderConfiguration? {
        guard let (profile, effort, rate, channels, control) = settings[name] else { return nil }
        var configuration = AACEncoderConfiguration(sampleRate: rate, channelCount: channels, rateControl: control, effort: effort)
        configuration.profile = profile
        return configuration
    }
}

/// Not inlined or specialized, so that it has one symbol.
@_silgen_name("frame_encode") @inline(never) @_optimize(none)
func frameEncode(_ encoder: AACEncoder, _ buffer: PCMBuffer) throws -> [AccessUnit] { try encoder.encode(buffer) }

@_silgen_name("frame_decode") @inline(never) @_optimize(none)
func frameDecode(_ decoder: AACDecoder, _ payload: [UInt8], _ output: inout PCMBuffer) {
    _ = decoder.decode(payload.span, into: &output)
}

/// The signals, in order.
private enum Signal: CaseIterable {
    /// Decaying tones and noise, with which the others are compared.
    case music
    case silence
    case noise
    /// A full-scale square wave.
    case squares
    /// One full-scale sample in 700.
    case impulses
    /// 16 random bits per sample.
    case randomBits
    /// Frames of silence and of full scale.
    case switching
}

private struct Generator {
    private var seed: UInt32 = 1
    private var position = 0

    mutating func next() -> UInt32 {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return seed
    }

    mutating func frame(of signal: Signal, _ configuration: AACEncoderConfiguration, frameCount: Int) -> PCMBuffer {
        var buffer = PCMBuffer(
            sampleRate: configuration.sampleRate, channelCount: configuration.channelCount, frameCapacity: frameCount)
        let start = position
        position += buffer.frameCapacity
        for channel in 0..<buffer.channelCount {
            var target = buffer.mutableChannel(channel)
            for index in 0..<target.count { target[index] = sample(signal, start + index, channel, frame: start / target.count) }
        }
        return buffer
    }

    /// Returns a sample between -1 and 1.
    private mutating func sample(_ signal: Signal, _ time: Int, _ channel: Int, frame: Int) -> Float {
        let noise = Float(Int32(bitPattern: next())) / 2_147_483_648
        switch signal {
        case .music:
            let tones = Float(time % 109) / 109 + Float(time % (67 + 10 * channel)) / 67 - 1
            return 0.2 * tones + 0.5 / Float(1 + time % 12_288 / 64) * noise
        case .silence: return 0
        case .noise: return 0.1 * noise
        case .squares: return time / 50 % 2 == 0 ? 1 : -1
        case .impulses: return time % 700 == 0 ? 1 : 0
        case .randomBits: return Float(Int16(truncatingIfNeeded: seed >> 16)) / 32_768
        case .switching: return frame % 2 == 0 ? 0 : noise
        }
    }
}
