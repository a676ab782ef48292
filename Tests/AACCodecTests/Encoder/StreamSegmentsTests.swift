// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct StreamSegmentsTests {
    #if DEBUG
    static let seeds: [UInt64] = [1]
    static let efforts: [AACEncoderConfiguration.Effort] = [.fast]
    #else
    static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6]
    static let efforts: [AACEncoderConfiguration.Effort] = [.fast, .balanced, .best]
    #endif

    /// The number of compared access units before and after the boundary.
    static let margin = 24

    /// Tones and noise with level jumps at random positions, mostly near the boundary, so that windows of every kind occur there.
    static func sound(_ frameCount: Int, from first: Int, seed: UInt64) -> [Int16] {
        var random = SeededRandom(seed: seed)
        var level: Float = 3000
        var phase: Float = 0
        var samples: [Int16] = []
        samples.reserveCapacity(2 * frameCount)
        for _ in 0..<frameCount {
            if random.integer(in: 0..<1500) == 0 { level = [40, 300, 3000, 12000].randomElement(using: &random) ?? 0 }
            phase += 0.11
            if phase > 3 { phase -= 6 }
            let (left, right) = (random.float(in: -1...1), random.float(in: -1...1))
            samples.append(Int16(level * (phase / 3 + 0.5 * left)))
            samples.append(Int16(level * (phase / 3 + 0.5 * right)))
        }
        return samples
    }

    @Test(
        "An encoder that starts at a segment matches one that started earlier",
        arguments: [24_000, 64_000], efforts)
    func segments(bitRate: Int, effort: AACEncoderConfiguration.Effort) throws {
        try compare(bitRate: 2 * bitRate, .lowComplexity, effort: effort)
    }

    @Test(
        "HE-AAC, HE-AAC v2 and xHE-AAC encoders that start at a segment match ones that started earlier",
        arguments: [
            (32_000, AACProfile.highEfficiency), (64_000, .highEfficiency), (18_000, .highEfficiencyV2),
            (32_000, .highEfficiencyV2), (96_000, .extendedHighEfficiency), (18_000, .extendedHighEfficiency),
        ])
    func replicated(bitRate: Int, profile: AACProfile) throws {
        for effort in Self.efforts { try compare(bitRate: bitRate, profile, effort: effort) }
    }

    @Test("A long window with more bands than the previous one does not depend on older windows")
    func bandCounts() throws {
        // Equal channels share their bits, and have more bands. Around the boundary the channels differ.
        let different = (Self.margin - 12) * 1024..<(Self.margin + 12) * 1024
        try compare(bitRate: 64_000, .lowComplexity, effort: .balanced) { frameCount, seed in
            var random = SeededRandom(seed: seed)
            return (0..<frameCount).flatMap { frame in
                let (left, right) = (random.float(in: -8_000...8_000), random.float(in: -8_000...8_000))
                return [Int16(left), Int16(different.contains(frame) ? right : left)]
            }
        }
    }

    private func compare(
        bitRate: Int, _ profile: AACProfile, effort: AACEncoderConfiguration.Effort,
        _ sound: (_ frameCount: Int, _ seed: UInt64) -> [Int16] = { Self.sound($0, from: 0, seed: $1) }
    ) throws {
        var configuration = AACEncoderConfiguration(
            sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: bitRate), effort: effort)
        configuration.profile = profile
        let format = PCMFormat(.int16, channelCount: 2)
        for seed in Self.seeds {
            let before = try AACEncoder(configuration)
            before.setFixedNoiseScale(log2: before.typicalLog2NoiseScale)
            let border = before.segments.length
            // Not a boundary: this encoder has a history when it reaches one.
            let first = before.start(atUnit: border - Self.margin)
            let samples = sound((border + Self.margin) * before.framesPerPacket - first, seed)
            var whole: [[UInt8]] = []
            try before.encode(samples.span.bytes, format: format) { whole.append($0.payload) }

            let at = try AACEncoder(configuration)
            at.setFixedNoiseScale(log2: at.typicalLog2NoiseScale)
            let start = at.start(atUnit: border)
            var part: [[UInt8]] = []
            let rest = Array(samples.dropFirst(2 * (start - first)))
            var times: [Int64] = []
            try at.encode(rest.span.bytes, format: format) { accessUnit in
                part.append(accessUnit.payload)
                times.append(accessUnit.presentationTime.value)
            }
            #expect(!part.isEmpty && part == Array(whole.dropFirst(Self.margin)), "seed \(seed)")
            #expect(times.first == Int64(border * at.framesPerPacket - at.delay))
        }
    }

    @Test("Starting at the first access unit resets the encoder")
    func start() throws {
        let configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, effort: .fast)
        let encoder = try AACEncoder(configuration)
        let samples = Self.sound(8_000, from: 0, seed: 9)
        var runs: [[[UInt8]]] = []
        for _ in 0..<2 {
            var accessUnits: [[UInt8]] = []
            try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { accessUnits.append($0.payload) }
            _ = encoder.finish { accessUnits.append($0.payload) }
            runs.append(accessUnits)
            #expect(encoder.start(atUnit: 0) == 0)
        }
        #expect(runs[0] == runs[1])
    }
}
