// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import DABPlus
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// DAB+ access units in uncorrectable superframes.
@Suite struct SuperframeUnitTests {
    /// Encodes 1.5 seconds of a chord at 64 kbit/s to access units.
    private static func accessUnits(_ profile: AACProfile) throws -> (configuration: AudioSpecificConfig, payloads: [[UInt8]]) {
        let chord = ChordFile(sampleRate: 48_000, frameCount: 72_000)
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, effort: .fast)
        configuration.settings.profile = profile
        configuration.settings.rateGroup = DABSubchannel(bitRate: 64_000).rateGroup
        let encoder = try AACEncoder(configuration)
        var payloads: [[UInt8]] = []
        try encoder.encode(chord.bytes.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { payloads.append($0.payload) }
        _ = encoder.finish { payloads.append($0.payload) }
        return (encoder.audioSpecificConfig, payloads)
    }

    /// Returns superframes of access units.
    ///
    /// Seven wrong parity bytes in each first code word make it uncorrectable.
    private static func superframes(_ configuration: AudioSpecificConfig, _ payloads: [[UInt8]]) throws -> [UInt8] {
        var writer = try DABWriter(
            to: MemorySink(), configuration, options: DABWriterOptions(subchannel: DABSubchannel(bitRate: 64_000)))
        for payload in payloads {
            try writer.append(AccessUnit(payload: payload, presentationTime: MediaTime(value: 0, timescale: 48_000), duration: 960))
        }
        try writer.finish()
        var bytes = writer.sink.bytes
        for start in stride(from: 0, to: bytes.count, by: 960) {
            for row in 111..<118 { bytes[start + 8 * row] ^= 0xA5 }
        }
        return bytes
    }

    /// Returns the payloads of a stream's access units.
    private static func read(_ bytes: [UInt8]) throws -> (payloads: [[UInt8]], damaged: Int) {
        let reader = try AccessUnitReader(bytes: bytes)
        var result: (payloads: [[UInt8]], damaged: Int) = ([], 0)
        while let event = try reader.next() {
            if case .accessUnit(let unit) = event { result.payloads.append(unit.accessUnit.payload) }
            if case .skipped(let skipped) = event, skipped.reason == .damagedUnit { result.damaged += 1 }
        }
        return result
    }

    @Test("Keeps all intact access units of an uncorrectable superframe", arguments: [AACProfile.lowComplexity, .highEfficiency])
    func intact(profile: AACProfile) throws {
        let (configuration, payloads) = try Self.accessUnits(profile)
        let found = try Self.read(try Self.superframes(configuration, payloads))
        #expect(found.payloads == payloads && found.damaged == 0)
    }

    @Test(
        "Rejects most corrupt access units whose checksum matches by chance (1 in 65 536)",
        arguments: [AACProfile.lowComplexity, .highEfficiency])
    func wrong(profile: AACProfile) throws {
        let (configuration, payloads) = try Self.accessUnits(profile)
        for (wrongByteCount, limit) in [(2, 30), (6, 8), (12, 4)] {
            var (passed, count) = (0, 0)
            for seed in 0..<UInt64(20) {
                var random = SeededRandom(seed: seed)
                // The writer computes matching checksums of corrupt access units.
                let wrong = payloads.map { payload in
                    var payload = payload
                    for _ in 0..<wrongByteCount {
                        payload[Int.random(in: payload.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                    }
                    return payload
                }
                let found = try Self.read(try Self.superframes(configuration, wrong))
                passed += found.payloads.count
                count += wrong.count
            }
            #expect(passed * 100 <= count * limit, "\(wrongByteCount) wrong bytes: \(passed) of \(count)")
            print("\(profile), \(wrongByteCount) wrong bytes: \(passed) of \(count) units pass")
        }
    }
}
