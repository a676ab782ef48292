// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// HE-AAC streams, decoded by this package and by others.
@Suite struct HighEfficiencyTests {
    /// The decoders.
    enum Decoder: CaseIterable {
        case own
        case ffmpeg

        /// Returns the first of two channels.
        ///
        /// Both decoders decode mono to stereo, because of possible parametric stereo.
        func decode(_ stream: EncodedStream) throws -> [Float] {
            switch self {
            case .own: return try HighEfficiencyTests.decode(stream)
            case .ffmpeg:
                let decoded = try ReferenceDecoding.byFFmpeg(stream.adts, channelCount: 2)
                #expect(decoded.messages.isEmpty, "\(decoded.messages)")
                return decoded.channels[0]
            }
        }
    }

    /// Decodes with this package and a configuration without SBR signaling.
    static func decode(_ stream: EncodedStream) throws -> [Float] {
        let core = AudioSpecificConfig(
            sampleRate: stream.configuration.sampleRate / 2,
            channelConfiguration: ChannelConfiguration(channelCount: stream.configuration.channelCount))
        let decoder = try AACDecoder(core)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
        var samples: [Float] = []
        for accessUnit in stream.accessUnits {
            let outcome = decoder.decode(accessUnit.span, into: &buffer)
            #expect(outcome.damage == nil)
            samples += buffer.samples[..<buffer.frameCount]
        }
        return samples
    }

    private static func configuration(
        _ sampleRate: Int, _ channelCount: Int, _ rateControl: AACEncoderConfiguration.RateControl
    ) -> AACEncoderConfiguration {
        var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl)
        configuration.profile = .highEfficiency
        return configuration
    }

    /// Returns the signal after a 127-tap low-pass filter without delay.
    ///
    /// `cutoff` is relative to the sample rate.
    private static func lowPassed(_ samples: [Float], cutoff: Double) -> [Float] {
        let taps = (-63...63).map { n in
            let window = 0.5 + 0.5 * cos(Double.pi * Double(n) / 64)
            return Float(n == 0 ? 2 * cutoff : window * sin(2 * Double.pi * cutoff * Double(n)) / (Double.pi * Double(n)))
        }
        return samples.indices.map { index in
            var sum: Float = 0
            for tap in max(0, 63 - index)..<min(127, samples.count + 63 - index) { sum += taps[tap] * samples[index + tap - 63] }
            return sum
        }
    }

    /// Returns the energy centroid around an index, relative to it.
    private static func centre(_ samples: [Float], around center: Int) -> Double {
        var energy = 0.0
        var moment = 0.0
        for index in center - 600..<center + 600 {
            let square = Double(samples[index]) * Double(samples[index])
            energy += square
            moment += square * Double(index - center)
        }
        return moment / energy
    }

    @Test("The high band of a click is aligned with its low band", arguments: Decoder.allCases)
    func alignment(decoder: Decoder) throws {
        var signal = [Float](repeating: 0, count: 18_000)
        let clicks = [5_000, 9_333, 13_777]
        for click in clicks { signal[click] = 0.8 }
        let stream = try EncodedStream([signal], Self.configuration(48_000, 1, .average(bitRate: 40_000)))
        let decoded = try decoder.decode(stream)
        let low = Self.lowPassed(decoded, cutoff: 0.1)
        let high = zip(decoded, Self.lowPassed(decoded, cutoff: 0.22)).map { $0 - $1 }
        for click in clicks {
            #expect(abs(Self.centre(low, around: click + 5_186)) < 32)
            // Less than a time slot of 128 samples, the finest resolution of the time-frequency grid.
            #expect(abs(Self.centre(high, around: click + 5_186)) < 64)
        }
    }

    /// Returns the energies of bands of 1500 Hz.
    private static func energies(_ samples: ArraySlice<Float>) -> [Double] {
        var energies = [Double](repeating: 0, count: 16)
        let tables = (0..<256).map { (cos(2 * Double.pi * Double($0) / 256), sin(2 * Double.pi * Double($0) / 256)) }
        for start in stride(from: samples.startIndex, to: samples.endIndex - 256, by: 256) {
            for bin in 0..<128 {
                var (real, imaginary) = (0.0, 0.0)
                for n in 0..<256 {
                    let window = 1 - tables[n].0
                    real += window * Double(samples[start + n]) * tables[bin * n & 255].0
                    imaginary += window * Double(samples[start + n]) * tables[bin * n & 255].1
                }
                energies[bin / 8] += real * real + imaginary * imaginary
            }
        }
        return energies
    }

    @Test("Noise keeps its energy in every SBR band", arguments: Decoder.allCases)
    func energies(decoder: Decoder) throws {
        var random = SeededRandom(seed: 5)
        // The level falls by 12 dB, so that the quantization error of envelopes (steps of 1.5 dB) varies.
        let signal = (0..<24_000).map { index in
            Float.random(in: -0.3...0.3, using: &random) * Float(exp2(-Double(index) / 12_000))
        }
        let stream = try EncodedStream([signal], Self.configuration(48_000, 1, .average(bitRate: 48_000)))
        let decoded = try decoder.decode(stream)
        let before = Self.energies(signal[4_000..<20_000])
        let after = Self.energies(decoded[9_186..<25_186])
        // 12 to 15 and 15 to 18 kHz. The estimates vary by 0.2 dB.
        for band in [8, 10] {
            let change = 10 * log10((after[band] + after[band + 1]) / (before[band] + before[band + 1]))
            #expect(abs(change) < 0.5, "\(band)")
        }
    }

    @Test("The output has a delay of exactly 5186 samples and is complete", arguments: [1, 2_048, 5_185])
    func length(length: Int) throws {
        let signal = TestSignal.softNoise(length, seed: 6)
        let stream = try EncodedStream([signal, signal], Self.configuration(44_100, 2, .average(bitRate: 80_000)))
        #expect(stream.gapless.primingFrames == 5_186 && stream.gapless.validFrames == length)
        #expect(stream.gapless.totalFrames == 2_048 * stream.accessUnits.count && stream.gapless.remainderFrames < 2_048)
        for decoder in Decoder.allCases {
            let decoded = try decoder.decode(stream)
            #expect(decoded.count == 2_048 * stream.accessUnits.count)
            guard length > 5_000 else { continue }
            let low = Self.lowPassed(decoded, cutoff: 0.1)
            let expected = Self.lowPassed(signal, cutoff: 0.1)
            /// Returns the squared error at a delay.
            func error(_ delay: Int) -> Float {
                (0..<length).reduce(0) { $0 + (low[$1 + delay] - expected[$1]) * (low[$1 + delay] - expected[$1]) }
            }
            #expect(error(5_186) < error(5_185) && error(5_186) < error(5_187))
        }
    }

    @Test(
        "Other decoders decode every configuration without a message",
        arguments: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000].selectedCases)
    func everyConfiguration(sampleRate: Int) throws {
        for (channelCount, perChannel) in [(1, 40_000), (2, 18_000), (6, 30_000)] {
            let noise = TestSignal.softNoise(5_000, seed: UInt64(channelCount))
            let signal = (0..<channelCount).map { channel in noise.map { $0 / Float(channel + 1) } }
            let rate = perChannel * sampleRate / 48_000 * channelCount
            let mode: AACEncoderConfiguration.RateControl =
                channelCount == 1 ? .constant(bitRate: rate) : channelCount == 2 ? .average(bitRate: rate) : .variable(quality: 40)
            let stream = try EncodedStream(signal, Self.configuration(sampleRate, channelCount, mode))
            // They decode mono to stereo, because of possible parametric stereo.
            let outputCount = max(channelCount, 2)
            let decoded = try ReferenceDecoding.byFFmpeg(stream.adts, channelCount: outputCount)
            #expect(decoded.messages.isEmpty, "\(channelCount): \(decoded.messages)")
            #expect(decoded.frameCount == 2_048 * stream.accessUnits.count, "\(channelCount)")
            #expect(try ReferenceDecoding.byFAAD(stream.adts, channelCount: outputCount).messages.isEmpty, "\(channelCount)")
        }
    }

    /// The HE-AAC sample rates.
    private static let outputRates = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]

    @Test("Unsupported profiles and bit rates throw the supported ones")
    func refusals() {
        #expect(throws: CodecError.unsupportedProfileRate(.highEfficiency, sampleRate: 12_000, allowed: Self.outputRates)) {
            var configuration = AACEncoderConfiguration(sampleRate: 12_000, channelCount: 2)
            configuration.profile = .highEfficiency
            _ = try AACEncoder(configuration)
        }
        let range = AACEncoderConfiguration.bitRates(sampleRate: 48_000, channelCount: 2, profile: .highEfficiency)
        #expect(throws: CodecError.unsupportedBitRate(5_000, allowed: range)) {
            _ = try AACEncoder(Self.configuration(48_000, 2, .average(bitRate: 5_000)))
        }
    }

    @Test("The bit rate determines the automatic profile")
    func automatic() throws {
        for (rate, profile) in [
            (24_000, AACProfile.highEfficiencyV2), (48_000, .highEfficiency), (72_000, .highEfficiency), (80_000, .lowComplexity),
        ] {
            var configuration = AACEncoderConfiguration(
                sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: rate))
            configuration.profile = .automatic
            #expect(try AACEncoder(configuration).profile == profile)
        }
        for (rate, profile) in [(52_000, AACProfile.highEfficiency), (56_000, .lowComplexity)] {
            var configuration = AACEncoderConfiguration(
                sampleRate: 48_000, channelCount: 1, rateControl: .average(bitRate: rate))
            configuration.profile = .automatic
            #expect(try AACEncoder(configuration).profile == profile)
        }
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 40_000))
        configuration.profile = .automatic
        configuration.isNearlyMono = true
        #expect(try AACEncoder(configuration).profile == .highEfficiencyV2)
        // The only profile with a configurable bandwidth.
        configuration.settings.bandwidth = 8_000
        #expect(try AACEncoder(configuration).profile == .lowComplexity)
    }
}
