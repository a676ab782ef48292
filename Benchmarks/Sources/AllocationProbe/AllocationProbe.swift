// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Only encodes or decodes a number of frames, for counting allocations or instructions.
///
///     AllocationProbe encode|decode fast|balanced|best CHANNELS FRAMES [lc|he|hev2|xhe|xhe-sbr|xhe-mps]
///
/// Scripts/Check/allocations runs it with two frame counts and compares the results.
@main
struct AllocationProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let channelCount = Int(arguments[3]), let frames = Int(arguments[4]),
            let effort = efforts[arguments[2]], let (profile, rate) = profiles[arguments.count > 5 ? arguments[5] : "lc"]
        else {
            print("usage: AllocationProbe encode|decode fast|balanced|best CHANNELS FRAMES [lc|he|hev2|xhe|xhe-sbr|xhe-mps]")
            exit(2)
        }
        var configuration = AACEncoderConfiguration(
            sampleRate: 48_000, channelCount: channelCount, rateControl: .average(bitRate: rate * channelCount), effort: effort)
        configuration.profile = profile
        let encoder = try AACEncoder(configuration)
        let signal = noiseAndTones(channelCount: channelCount)
        if arguments[1] == "encode" {
            try encode(signal, with: encoder, frames: frames)
        } else {
            try decode(signal, with: encoder, frames: frames)
        }
    }

    /// Profiles with their bit rates per channel, in bits per second.
    ///
    /// At the HE-AAC rates, pairs use coupling.
    static let profiles: [String: (AACProfile, Int)] = [
        "lc": (.lowComplexity, 64_000), "he": (.highEfficiency, 20_000), "hev2": (.highEfficiencyV2, 14_000),
        "xhe": (.extendedHighEfficiency, 64_000), "xhe-sbr": (.extendedHighEfficiency, 20_000),
        "xhe-mps": (.extendedHighEfficiency, 9_000),
    ]

    static let efforts: [String: AACEncoderConfiguration.Effort] = ["fast": .fast, "balanced": .balanced, "best": .best]

    /// Returns one second with a decay per quarter, so that all window sequences occur.
    static func noiseAndTones(channelCount: Int) -> PCMBuffer {
        let frameCount = 48 * 1024
        var noise: UInt32 = 1
        let channels: [[Float]] = (0..<channelCount).map { channel in
            (channel * frameCount..<(channel + 1) * frameCount).map { index in
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let level = 0.5 / Float(1 + index % 12_288 / 64)
                let tone = Float(index % 109) / 109 - 0.5
                return 0.2 * tone + level * Float(Int32(bitPattern: noise)) / 2_147_483_648
            }
        }
        return PCMBuffer(channels: channels, sampleRate: 48_000)
    }

    static func encode(_ signal: PCMBuffer, with encoder: AACEncoder, frames: Int) throws {
        var one = PCMBuffer(sampleRate: 48_000, channelCount: signal.channelCount, frameCapacity: 1024)
        var byteCount = 0
        for frame in 0..<frames {
            for channel in 0..<signal.channelCount {
                let source = signal[channel: channel]
                var target = one.mutableChannel(channel)
                for index in 0..<1024 { target[index] = source[frame % 48 * 1024 + index] }
            }
            try encoder.encode(one) { byteCount += $0.payload.count }
        }
        print(byteCount)
    }

    static func decode(_ signal: PCMBuffer, with encoder: AACEncoder, frames: Int) throws {
        let accessUnits = try encoder.encode(signal).map(\.payload)
        let decoder = try AACDecoder(encoder.audioSpecificConfig)
        var output = PCMBuffer(sampleRate: 48_000, channelCount: decoder.channelCount, frameCapacity: decoder.framesPerPacket)
        var sum: Float = 0
        for frame in 0..<frames {
            let accessUnit = accessUnits[frame % accessUnits.count]
            _ = decoder.decode(accessUnit.span, into: &output)
            sum += output[channel: 0][frame % 1024]
        }
        print(sum)
    }
}
