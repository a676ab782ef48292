// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// The choice of SBR by trial in xHE-AAC.
@Suite struct BandReplicationTrialTests {
    private static let sampleRate = 48_000

    /// Encodes a second in stereo, and returns whether the file has SBR.
    private func hasSBR(
        bitRate: Int, outputRate: Int? = nil, bandwidth: Int? = nil, threadCounts: [Int] = [1],
        _ sample: (_ frame: Int, _ channel: Int) -> Float
    ) throws -> Bool {
        let folder = try TemporaryFolder()
        let samples: [UInt8] = (0..<2 * Self.sampleRate).flatMap { index in
            let value = UInt16(bitPattern: Int16(20_000 * sample(index / 2, index % 2)))
            return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
        }
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: Self.sampleRate, channelCount: 2)
        configuration.settings.profile = .extendedHighEfficiency
        configuration.settings.rateControl = .average(bitRate: bitRate)
        configuration.settings.effort = .fast
        configuration.sampleRate = outputRate
        configuration.settings.bandwidth = bandwidth
        configuration.overwrites = true
        let input = try folder.write(samples, to: "in.pcm")
        let results: [[UInt8]] = try threadCounts.map { threadCount in
            configuration.threadCount = threadCount
            try FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration).run()
            return try bytes(ofFile: folder.path("out.m4a"))
        }
        #expect(Set(results).count == 1)
        return try ProbeSummary(contentsOf: folder.path("out.m4a"), decodes: true).hasSBR
    }

    /// Two detuned sawtooths in each channel.
    private func saws(_ frame: Int, _ channel: Int) -> Float {
        let frequencies = channel == 0 ? [300, 301.3] : [302, 299.0]
        return frequencies.reduce(-1) { $0 + Float(($1 * Double(frame) / 48_000).truncatingRemainder(dividingBy: 1)) } / 2
    }

    @Test("Sawtooths get SBR at medium rates, with any number of threads")
    func saws() throws { #expect(try hasSBR(bitRate: 64_000, threadCounts: [1, 3], saws)) }

    @Test("Fast pulses get SBR at medium rates, because their levels are better although their noise is higher")
    func fastPulses() throws { #expect(try hasSBR(bitRate: 64_000) { frame, _ in frame % 240 == 0 ? 1 : 0 }) }

    @Test("Pulses have no SBR at low rates, with and without a conversion of the sample rate", arguments: [nil, 44_100])
    func pulses(outputRate: Int?) throws {
        #expect(try !hasSBR(bitRate: 48_000, outputRate: outputRate) { frame, _ in frame % 1200 == 0 ? 1 : 0 })
    }

    @Test("Noise has SBR at the rates at which it is usual")
    func usual() throws {
        var random = SeededRandom(seed: 60)
        let noise = (0..<2 * Self.sampleRate).map { _ in random.float(in: -0.5...0.5) }
        #expect(try hasSBR(bitRate: 48_000) { noise[2 * $0 + $1] })
    }

    @Test("With a given bandwidth or at high rates, there is no SBR")
    func fixed() throws {
        #expect(try !hasSBR(bitRate: 64_000, bandwidth: 16_000, saws))
        #expect(try !hasSBR(bitRate: 128_000, saws))
    }
}
