// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing

/// The encoder's output depends only on the input and the configuration.
@Suite struct ReproducibilityTests {
    static let sampleRate = 44_100
    #if DEBUG
    static let length = 5_000
    static let threadCount = 2
    #else
    static let length = 24_000
    static let threadCount = 8
    #endif
    /// Two channels of 16-bit samples.
    static let signal: [[Int16]] = (0..<2).map { channel in
        TestSignal.changing(length, sampleRate: sampleRate, seed: UInt64(channel)).map { Int16(($0 * 16_384).rounded()) }
    }
    /// The signal as floats from -1 to 1.
    static let floats = signal.map { $0.map { Float($0) / 32_768 } }

    static func configuration(_ effort: AACEncoderConfiguration.Effort = .balanced) -> AACEncoderConfiguration {
        AACEncoderConfiguration(sampleRate: sampleRate, channelCount: 2, rateControl: .average(bitRate: 96_000), effort: effort)
    }

    @Test("Access units do not depend on input block sizes", arguments: [1, 2, 3] as [UInt64])
    func chunking(seed: UInt64) throws {
        let whole = try EncodedStream(Self.floats, Self.configuration())
        var random = SeededRandom(seed: seed)
        let parts = try EncodedStream(Self.configuration()) { encoder, body in
            var first = 0
            while first < Self.length {
                let largest = [1, 7, 300, 1024, 5000].randomElement(using: &random) ?? 1
                let count = min(Int.random(in: 0...largest, using: &random), Self.length - first)
                let part = Self.floats.map { Array($0[first..<first + count]) }
                try encoder.encode(EncodedStream.buffer(part, sampleRate: Self.sampleRate), body)
                first += count
            }
        }
        #expect(parts.accessUnits == whole.accessUnits, "seed \(seed)")
        #expect(parts.gapless == whole.gapless)
    }

    @Test("16-bit and equal float samples produce the same access units", arguments: [true, false])
    func sampleFormats(isInterleaved: Bool) throws {
        let whole = try EncodedStream(Self.floats, Self.configuration())
        let samples =
            isInterleaved
            ? zip(Self.signal[0], Self.signal[1]).flatMap { [$0.littleEndian, $1.littleEndian] } : Array(Self.signal.joined())
        let integers = try EncodedStream(Self.configuration()) { encoder, body in
            let format = PCMFormat(.int16, channelCount: 2, isInterleaved: isInterleaved)
            try encoder.encode(samples.span.bytes, format: format, body)
        }
        #expect(integers.accessUnits == whole.accessUnits)
    }

    @Test("Encoders on several threads, and after a reset, produce the same bits", arguments: AACEncoderConfiguration.Effort.allCases)
    func threads(effort: AACEncoderConfiguration.Effort) async throws {
        let expected = try EncodedStream(Self.floats, Self.configuration(effort)).hash
        try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<Self.threadCount {
                group.addTask { try EncodedStream(Self.floats, Self.configuration(effort)).hash }
            }
            for try await hash in group {
                #expect(hash == expected)
            }
        }
        let encoder = try AACEncoder(Self.configuration(effort))
        var accessUnits: [[UInt8]] = []
        for _ in 0..<2 {
            accessUnits.removeAll()
            encoder.reset()
            try encoder.encode(EncodedStream.buffer(Self.floats, sampleRate: Self.sampleRate)) { accessUnits.append($0.payload) }
            _ = encoder.finish { accessUnits.append($0.payload) }
        }
        #expect(accessUnits == (try EncodedStream(Self.floats, Self.configuration(effort)).accessUnits))
    }
}
