// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// Every sample rate, channel count and rate control, verified by the strict checker and decoded by FFmpeg and faad2.
@Suite struct ConfigurationMatrixTests {
    /// The signal length, in sample frames.
    static let frameCount = 12 * 1024

    /// All sample rates; a selection in debug builds, which encode a hundred times slower.
    static var sampleRates: [Int] {
        #if DEBUG
        [48_000, 16_000]
        #else
        AACEncoderConfiguration.sampleRates
        #endif
    }

    /// The sample rates with each channel count.
    static var cases: [(Int, Int)] {
        sampleRates.flatMap { rate in AACEncoderConfiguration.channelCounts.map { (rate, $0) } }
    }

    /// Returns the rate controls to test; a single one in debug builds.
    static func modes(sampleRate: Int, channelCount: Int) -> [AACEncoderConfiguration.RateControl] {
        let range = AACEncoderConfiguration.bitRates(sampleRate: sampleRate, channelCount: channelCount)
        let usual = min(max(sampleRate * channelCount * 5 / 4, range.lowerBound), range.upperBound)
        let modes: [AACEncoderConfiguration.RateControl] = [
            .constant(bitRate: usual), .average(bitRate: usual), .variable(quality: 60),
        ]
        #if DEBUG
        return [modes[channelCount % 3]]
        #else
        return modes
        #endif
    }

    /// The LFE channel in WAV order, if any.
    static func lowFrequencyChannel(channelCount: Int) -> Int? { channelCount == 6 || channelCount == 8 ? 3 : nil }

    /// Returns a different tone for each channel, in hertz.
    ///
    /// The LFE tone is within its twelve lines.
    static func tones(sampleRate: Int, channelCount: Int) -> [Double] {
        (0..<channelCount).map { channel in
            let isLow = channel == lowFrequencyChannel(channelCount: channelCount)
            return Double(sampleRate) * (isLow ? 5.0 / 2048 : 0.02 + 0.011 * Double(channel))
        }
    }

    /// Returns one channel for each tone.
    static func signal(sampleRate: Int, tones: [Double]) -> [[Float]] {
        tones.map { tone in
            (0..<frameCount).map { 0.2 * Float(sin(2 * Double.pi * tone * Double($0) / Double(sampleRate))) }
        }
    }

    /// Returns the power of a tone in the middle of the samples, with a Hann window.
    static func power(of tone: Double, in samples: [Float], sampleRate: Int) -> Double {
        var real = 0.0
        var imaginary = 0.0
        let range = 4096..<12_288
        for index in range {
            let window = 1 - cos(2 * Double.pi * (Double(index - range.lowerBound) + 0.5) / Double(range.count))
            let angle = 2 * Double.pi * tone * Double(index) / Double(sampleRate)
            real += window * Double(samples[index]) * cos(angle)
            imaginary += window * Double(samples[index]) * sin(angle)
        }
        return (real * real + imaginary * imaginary) / Double(range.count * range.count)
    }

    /// Returns the index of the strongest tone; `nil` unless it is 20 dB above all others.
    static func loudestTone(_ samples: [Float], tones: [Double], sampleRate: Int) -> Int? {
        guard samples.count >= 12_288 else { return nil }
        let powers = tones.map { power(of: $0, in: samples, sampleRate: sampleRate) }
        guard let loudest = powers.indices.max(by: { powers[$0] < powers[$1] }), powers[loudest] > 1e-4 else { return nil }
        let isClear = powers.indices.allSatisfy { $0 == loudest || powers[$0] < powers[loudest] / 100 }
        return isClear ? loudest : nil
    }

    @Test(
        "Tones stay in their channels, the syntax is valid, and other decoders agree on the length",
        arguments: cases.selectedCases)
    func everyConfiguration(sampleRate: Int, channelCount: Int) throws {
        let tones = Self.tones(sampleRate: sampleRate, channelCount: channelCount)
        let signal = Self.signal(sampleRate: sampleRate, tones: tones)
        let streams = try Self.modes(sampleRate: sampleRate, channelCount: channelCount).map { mode in
            try EncodedStream(
                signal, AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount, rateControl: mode))
        }
        let decodings = try ReferenceDecoding.byFFmpeg(streams.map(\.adts), channelCount: channelCount)
        for (stream, decoded) in zip(streams, decodings) {
            let mode = stream.configuration.rateControl
            #expect(stream.accessUnits.count == (2112 + Self.frameCount + 1023) / 1024)
            try Self.expectCleanSyntax(stream)
            #expect(decoded.messages.isEmpty, "\(mode): \(decoded.messages)")
            #expect(decoded.frameCount == 1024 * stream.accessUnits.count, "\(mode)")
            for channel in 0..<channelCount {
                let tone = Self.loudestTone(decoded.channels[channel], tones: tones, sampleRate: sampleRate)
                #expect(tone == channel, "\(mode), channel \(channel)")
            }
            // faad2 rejects 7350 Hz and does not support configuration 12.
            if sampleRate != 7_350, channelCount != 8 {
                let decoded = try ReferenceDecoding.byFAAD(stream.adts, channelCount: channelCount)
                #expect(decoded.messages.isEmpty, "\(mode): \(decoded.messages)")
                // faad2 drops the first frame, doubles rates up to 24 kHz (possible SBR) and decodes mono to stereo.
                let length = 1024 * (stream.accessUnits.count - 1) * (sampleRate <= 24_000 ? 2 : 1) * (channelCount == 1 ? 2 : 1)
                #expect(decoded.frameCount == length, "\(mode)")
            }
        }
    }

    @Test("Encodes a tone next to bands that are exactly zero", arguments: [5.0, 100, 700])
    func silenceBesideTone(line: Double) throws {
        // A tone at the boundary of two lines, with an integral number of half periods per block: all other coefficients vanish.
        let signal = Self.signal(sampleRate: 48_000, tones: [48_000 * line / 2048]).map { $0.map { 4 * $0 } }
        let stream = try EncodedStream(
            signal, AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1, rateControl: .average(bitRate: 64_000)))
        let decoded = try ReferenceDecoding.byFFmpeg(stream.adts, channelCount: 1)
        let power = Self.power(of: 48_000 * line / 2048, in: decoded.channels[0], sampleRate: 48_000)
        // An amplitude of 0.8 has a power of 0.16 in this measure; the tolerance is half a decibel.
        #expect(abs(10 * log10(power / 0.16)) < 0.5)
    }

    /// Expects that every access unit conforms to the standard's syntax.
    static func expectCleanSyntax(_ stream: EncodedStream) throws {
        let frequencyIndex = try #require(SamplingFrequencyIndex(hertz: stream.configuration.sampleRate)).rawValue
        let channelCount = stream.configuration.channelCount
        var checker = try StrictSyntaxChecker(frequencyIndex: frequencyIndex, channelConfiguration: channelCount == 8 ? 7 : channelCount)
        for (index, accessUnit) in stream.accessUnits.enumerated() {
            #expect(throws: Never.self, "unit \(index), \(stream.configuration.rateControl)") { try checker.check(accessUnit) }
        }
    }
}
