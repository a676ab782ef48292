// SPDX-License-Identifier: Apache-2.0

import AACCodec
import MPEG4Audio
import TestSupport
import Testing

/// The rate control of AAC-LC.
@Suite struct RateControlTests {
    static let sampleRate = 44_100
    #if DEBUG
    static let length = sampleRate
    static let constantRates = [64_000, 500_000]
    #else
    static let constantRates = [32_000, 64_000, 128_000, 256_000, 500_000]
    static let length = 20 * sampleRate
    #endif

    /// Silence, a changing signal and loud noise, so that the reservoir fills and drains.
    static let signal: [[Float]] = (0..<2).map { channel in
        var samples = TestSignal.changing(length, sampleRate: sampleRate, seed: UInt64(channel))
        for index in 0..<length / 8 { samples[index] = 0 }
        var random = SeededRandom(seed: 9)
        for index in length / 2..<length * 5 / 8 { samples[index] = Float.random(in: -0.9...0.9, using: &random) }
        return samples
    }

    @Test("The decoder buffer neither underflows nor overflows at a constant rate", arguments: constantRates)
    func reservoir(bitRate: Int) throws {
        let configuration = AACEncoderConfiguration(
            sampleRate: Self.sampleRate, channelCount: 2, rateControl: .constant(bitRate: bitRate))
        let stream = try EncodedStream(Self.signal, configuration)
        var reservoir = ReservoirModel(bitRate: bitRate, sampleRate: Self.sampleRate, channelCount: 2)
        for (index, accessUnit) in stream.accessUnits.enumerated() {
            let isWithinBuffer = reservoir.add(bitCount: 8 * accessUnit.count)
            #expect(isWithinBuffer, "unit \(index): \(reservoir.range), \(reservoir.capacity)")
        }
        try ConfigurationMatrixTests.expectCleanSyntax(stream)
    }

    @Test(
        "Reaches an average rate within 2 %, or 5 % for twenty seconds of silence and noise",
        .enabled(if: length > 400_000, "needs a release build"), arguments: [64_000, 128_000, 192_000])
    func average(bitRate: Int) throws {
        let even = (0..<2).map { TestSignal.changing(Self.length, sampleRate: Self.sampleRate, seed: UInt64($0)) }
        for (signal, bound) in [(even, 0.02), (Self.signal, 0.05)] {
            let configuration = AACEncoderConfiguration(
                sampleRate: Self.sampleRate, channelCount: 2, rateControl: .average(bitRate: bitRate))
            let stream = try EncodedStream(signal, configuration)
            let bits = Double(8 * stream.accessUnits.reduce(0) { $0 + $1.count })
            let rate = bits * Double(Self.sampleRate) / Double(1024 * stream.accessUnits.count)
            #expect(abs(rate / Double(bitRate) - 1) < bound, "\(rate)")
        }
    }

    @Test("Higher quality uses more bits")
    func variable() throws {
        let signal = (0..<2).map { TestSignal.changing(Self.sampleRate / 2, sampleRate: Self.sampleRate, seed: UInt64($0)) }
        let sizes = try [10, 40, 70, 100].map { quality in
            let configuration = AACEncoderConfiguration(
                sampleRate: Self.sampleRate, channelCount: 2, rateControl: .variable(quality: Double(quality)))
            return try EncodedStream(signal, configuration).adts.count
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count, "\(sizes)")
    }

    @Test("The lowest and highest bit rates produce valid access units", arguments: [(8_000, 1), (44_100, 2), (96_000, 6)])
    func ends(sampleRate: Int, channelCount: Int) throws {
        let range = AACEncoderConfiguration.bitRates(sampleRate: sampleRate, channelCount: channelCount)
        let signal = (0..<channelCount).map { TestSignal.changing(6_000, sampleRate: sampleRate, seed: UInt64($0)) }
        for bitRate in [range.lowerBound, range.upperBound] {
            for mode in [AACEncoderConfiguration.RateControl.constant(bitRate: bitRate), .average(bitRate: bitRate)] {
                let configuration = AACEncoderConfiguration(
                    sampleRate: sampleRate, channelCount: channelCount, rateControl: mode)
                try ConfigurationMatrixTests.expectCleanSyntax(EncodedStream(signal, configuration))
            }
        }
    }
}
