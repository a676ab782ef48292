// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct LowDelayTests {
    static let rateControls: [AACEncoderConfiguration.RateControl] = [
        .constant(bitRate: 128_000), .average(bitRate: 128_000), .variable(quality: 60),
    ]

    /// Returns a configuration at 48 kHz with low delay.
    private static func configuration(
        _ rateControl: AACEncoderConfiguration.RateControl, channelCount: Int = 2
    ) -> AACEncoderConfiguration {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: channelCount, rateControl: rateControl)
        configuration.settings.lowDelay = true
        return configuration
    }

    @Test("An access unit is complete with the last sample of its window", arguments: rateControls)
    func pace(rateControl: AACEncoderConfiguration.RateControl) throws {
        let encoder = try AACEncoder(Self.configuration(rateControl))
        let samples = StreamSegmentsTests.sound(20_000, from: 0, seed: 1)
        let format = PCMFormat(.int16, channelCount: 2)
        var times: [Int64] = []
        var taken = 0
        for count in [1023, 1, 1023, 1, 1024, 2048, 5000] {
            let part = Array(samples[2 * taken..<2 * (taken + count)])
            try encoder.encode(part.span.bytes, format: format) { times.append($0.presentationTime.value) }
            taken += count
            #expect(times.count == taken / 1024, "after \(taken) frames")
        }
        #expect(times == times.indices.map { 1024 * Int64($0) - 1024 })
        #expect(encoder.delay == 1024)
    }

    @Test("The delay is exactly 1024 frames, and the gapless length equals the input length")
    func delay() throws {
        for frameCount in [1, 1023, 1024, 1025, 30_000] {
            let samples = StreamSegmentsTests.sound(frameCount, from: 0, seed: 2)
            let encoder = try AACEncoder(Self.configuration(.variable(quality: 90)))
            let decoder = try AACDecoder(encoder.audioSpecificConfig)
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 1024)
            var decoded: [Float] = []
            func decode(_ accessUnit: AccessUnit) {
                #expect(decoder.decode(accessUnit.payload.span, into: &buffer).damage == nil)
                decoded += (0..<buffer.frameCount).map { buffer.samples[$0] }
            }
            try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: 2), decode)
            let gapless = encoder.finish(decode)
            #expect(gapless.primingFrames == 1024 && gapless.validFrames == frameCount && gapless.totalFrames == decoded.count)
            guard frameCount > 10_000 else { continue }
            let left = (0..<frameCount).map { Float(samples[2 * $0]) / 32_768 }
            let products: [Float] = (1020...1028).map { delay in zip(left, decoded.dropFirst(delay)).reduce(0) { $0 + $1.0 * $1.1 } }
            let energy: Float = left.reduce(0) { $0 + $1 * $1 }
            #expect(products[4] == products.max() && products[4] > 0.95 * energy, "\(products), \(energy)")
        }
    }

    @Test(
        "At a constant bit rate, every access unit has its nominal size for any signal",
        arguments: [32_000, 96_000, 128_000, 256_000])
    func share(bitRate: Int) throws {
        let encoder = try AACEncoder(Self.configuration(.constant(bitRate: bitRate)))
        var samples = StreamSegmentsTests.sound(100_000, from: 0, seed: 3)
        // Silence, and full-scale noise.
        for index in 60_000..<90_000 { samples[index] = 0 }
        var random = SeededRandom(seed: 4)
        for index in 90_000..<120_000 { samples[index] = Int16.random(in: -32_768...32_767, using: &random) }
        var (bits, accessUnits) = (0, 0)
        try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { accessUnit in
            bits += 8 * accessUnit.payload.count
            accessUnits += 1
            let due = bitRate * 1024 * accessUnits / 48_000
            #expect(bits <= due && bits > due - 16, "unit \(accessUnits): \(bits) bits in all, \(due) due")
        }
        #expect(accessUnits == 97)
    }

    @Test("An encoder that starts at a segment matches one that started earlier", arguments: StreamSegmentsTests.seeds)
    func segments(seed: UInt64) throws {
        let format = PCMFormat(.int16, channelCount: 2)
        let before = try AACEncoder(Self.configuration(.variable(quality: 50)))
        let border = before.segments.length
        let first = before.start(atUnit: border - StreamSegmentsTests.margin)
        let count = (border + StreamSegmentsTests.margin) * 1024 - first
        let samples = StreamSegmentsTests.sound(count, from: first, seed: seed)
        var (whole, part): ([[UInt8]], [[UInt8]]) = ([], [])
        try before.encode(samples.span.bytes, format: format) { whole.append($0.payload) }
        let at = try AACEncoder(Self.configuration(.variable(quality: 50)))
        let rest = Array(samples.dropFirst(2 * (at.start(atUnit: border) - first)))
        try at.encode(rest.span.bytes, format: format) { part.append($0.payload) }
        #expect(!part.isEmpty && part == Array(whole.dropFirst(StreamSegmentsTests.margin)))
    }

    @Test("Low delay throws for HE-AAC and makes the automatic profile AAC-LC")
    func profiles() throws {
        var configuration = Self.configuration(.average(bitRate: 32_000))
        for profile in [AACProfile.highEfficiency, .highEfficiencyV2] {
            configuration.profile = profile
            #expect(throws: CodecError.lowDelayProfile(profile)) { try AACEncoder(configuration) }
        }
        configuration.profile = .automatic
        #expect(try AACEncoder(configuration).profile == .lowComplexity)
    }
}
