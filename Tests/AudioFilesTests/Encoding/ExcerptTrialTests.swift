// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import Foundation
import MPEG4Audio
import PCMFiles
import TestSupport
import Testing

/// The choices by trial: SBR in xHE-AAC, and tools in AAC-LC.
@Suite struct ExcerptTrialTests {
    private static let sampleRate = 48_000

    /// Encodes a second in stereo, and returns whether the file has SBR.
    private func hasSBR(
        bitRate: Int, outputRate: Int? = nil, bandwidth: Int? = nil, threadCounts: [Int] = [1],
        _ sample: (_ frame: Int, _ channel: Int) -> Float
    ) throws -> Bool {
        let folder = try TemporaryFolder()
        var configuration = FileConverterConfiguration()
        configuration.settings.profile = .extendedHighEfficiency
        configuration.settings.rateControl = .average(bitRate: bitRate)
        configuration.settings.effort = .fast
        configuration.sampleRate = outputRate
        configuration.settings.bandwidth = bandwidth
        try encode(sample, frameCount: Self.sampleRate, configuration, threadCounts: threadCounts, in: folder)
        return try ProbeSummary(contentsOf: folder.path("out.m4a"), decodes: true).hasSBR
    }

    /// Encodes stereo to `out.m4a`, to the same bytes with each number of threads.
    private func encode(
        _ sample: (_ frame: Int, _ channel: Int) -> Float, frameCount: Int, _ configuration: FileConverterConfiguration,
        threadCounts: [Int], in folder: borrowing TemporaryFolder
    ) throws {
        let samples: [UInt8] = (0..<2 * frameCount).flatMap { index in
            let value = UInt16(bitPattern: Int16(20_000 * sample(index / 2, index % 2)))
            return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
        }
        var configuration = configuration
        configuration.raw = AudioFormat(.int16, sampleRate: Self.sampleRate, channelCount: 2)
        configuration.overwrites = true
        let input = try folder.write(samples, to: "in.pcm")
        let results: [[UInt8]] = try threadCounts.map { threadCount in
            configuration.threadCount = threadCount
            try FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration).run()
            return try bytes(ofFile: folder.path("out.m4a"))
        }
        #expect(Set(results).count == 1)
    }

    /// Two detuned sawtooths in each channel.
    private func saws(_ frame: Int, _ channel: Int) -> Float {
        let frequencies = channel == 0 ? [300, 301.3] : [302, 299.0]
        return frequencies.reduce(-1) { $0 + Float(($1 * Double(frame) / 48_000).truncatingRemainder(dividingBy: 1)) } / 2
    }

    @Test("Sawtooths get SBR at medium rates, with any number of threads")
    func saws() throws { #expect(try hasSBR(bitRate: 64_000, threadCounts: [1, 3], saws)) }

    @Test("Fast pulses get SBR at medium rates, because their levels are better although their noise is higher")
    func fastPulses() throws { #expect(try hasSBR(bitRate: 60_000) { frame, _ in frame % 200 == 0 ? 1 : 0 }) }

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

    /// Encodes stereo samples by frame with AAC-LC, and returns the fractions of channels with short windows and with PNS.
    private func tools(
        _ samples: [[Float]], effort: AACEncoderConfiguration.Effort = .best, bitRate: Int = 64_000
    ) throws -> (short: Double, noise: Double) {
        let folder = try TemporaryFolder()
        var configuration = FileConverterConfiguration()
        configuration.settings.effort = effort
        configuration.settings.rateControl = .average(bitRate: bitRate)
        try encode({ samples[$0][$1] }, frameCount: samples.count, configuration, threadCounts: [1], in: folder)
        var channels: [ChannelTools] = []
        _ = try ProbeSummary(of: .file(folder.path("out.m4a")), .tools) { channels += $0.tools.flatMap(\.channels) }
        let share = { (count: Int) in Double(count) / Double(channels.count) }
        return (share(channels.count { $0.windowSequence == .eightShort }), share(channels.count { $0.noiseBandCount > 0 }))
    }

    @Test("best codes the lines of a voice with vibrato, which balanced replaces by noise")
    func vibrato() throws {
        var phase = 0.0
        let partials = (1..<60).map { (number: Double($0), amplitude: pow(Double($0), -0.8)) }
        let samples: [[Float]] = (0..<Self.sampleRate).map { frame in
            let time = Double(frame) / Double(Self.sampleRate)
            phase += 290 * (1 + 0.03 * sin(12 * .pi * time)) / Double(Self.sampleRate)
            return (0..<2).map { channel -> Float in
                let sum = partials.reduce(0.0) { $0 + $1.amplitude * cos($1.number * (2 * .pi * phase + Double(channel) * $1.number)) }
                return Float(sum / 20)
            }
        }
        #expect(try tools(samples, effort: .balanced).noise > 0.3)
        #expect(try tools(samples).noise == 0)
    }

    @Test("best replaces noise at low rates, as balanced does")
    func noise() throws {
        var random = SeededRandom(seed: 59)
        let samples = (0..<Self.sampleRate).map { _ in [random.float(in: -0.5...0.5), random.float(in: -0.5...0.5)] }
        #expect(try tools(samples).noise > 0.8)
    }

    @Test("best uses more short windows than balanced for cymbals over a bass")
    func cymbals() throws {
        var random = SeededRandom(seed: 60)
        let noise = (0..<2 * Self.sampleRate + 2).map { _ in random.float(in: -1...1) }
        let samples: [[Float]] = (0..<Self.sampleRate).map { frame in
            let bass = (1..<8).reduce(Float(0)) { sum, number in
                let partial = Float(number)
                return sum + sin(2 * .pi * 55 * partial * Float(frame) / Float(Self.sampleRate) + partial)
                    / (partial * partial.squareRoot())
            }
            let decay = exp(-Float(frame % 6000) / 500)
            return (0..<2).map { 0.3 * bass + 0.1 * decay * (noise[2 * frame + $0 + 2] - noise[2 * frame + $0]) }
        }
        let usual = try tools(samples, effort: .balanced, bitRate: 128_000).short
        #expect(try tools(samples, bitRate: 128_000).short > usual, "usual: \(usual)")
    }

    @Test("best keeps the tools of balanced in silence")
    func silence() throws { #expect(try tools(Array(repeating: [0, 0], count: Self.sampleRate)) == (0, 0)) }
}
