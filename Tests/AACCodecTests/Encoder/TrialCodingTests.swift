// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct TrialCodingTests {
    /// Returns half a second of signal: a tone, noise common to both channels, and attacks.
    private func buffer(channelCount: Int) -> PCMBuffer {
        var random = SeededRandom(seed: 4)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: channelCount, frameCapacity: 24_000)
        buffer.frameCount = 24_000
        for frame in 0..<24_000 {
            let noise = Float.random(in: -1...1, using: &random) * (frame % 6000 < 300 ? 0.5 : 0.03)
            let tone = 0.2 * Float(CircularFunctions.sinePi(Double(frame) * 0.037))
            for channel in 0..<channelCount {
                buffer.samples[frame * channelCount + channel] = noise + (channel == 0 ? tone : 0.4 * tone)
            }
        }
        return buffer
    }

    private func accessUnits(_ encoder: AACEncoder, channelCount: Int) throws -> [[UInt8]] {
        var accessUnits: [[UInt8]] = []
        try encoder.encode(buffer(channelCount: channelCount)) { accessUnits.append($0.payload) }
        _ = encoder.finish { accessUnits.append($0.payload) }
        return accessUnits
    }

    /// Returns a configuration with best effort.
    private func configuration(channelCount: Int, profile: AACProfile = .lowComplexity) -> AACEncoderConfiguration {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: channelCount)
        configuration.profile = profile
        configuration.rateControl = .average(bitRate: 48_000 * channelCount)
        configuration.settings.effort = .best
        return configuration
    }

    @Test(
        "AAC-LC and xHE-AAC without SBR are encoded on trial, except at fast effort",
        arguments: [
            (AACProfile.lowComplexity, 96_000, true), (.highEfficiency, 96_000, false), (.extendedHighEfficiency, 96_000, true),
            (.extendedHighEfficiency, 32_000, false),
        ])
    func efforts(profile: AACProfile, bitRate: Int, isTried: Bool) throws {
        for effort in [AACEncoderConfiguration.Effort.fast, .balanced, .best] {
            var configuration = configuration(channelCount: 2, profile: profile)
            configuration.rateControl = .average(bitRate: bitRate)
            configuration.settings.effort = effort
            let setup = try EncoderSetup(configuration)
            #expect(setup.usesAnalysisBySynthesis == (isTried && effort != .fast))
            let predictsErrors = setup.usesAnalysisBySynthesis && setup.searchEffort.predictsErrors
            #expect(predictsErrors == (isTried && effort != .fast && profile == .extendedHighEfficiency))
        }
    }

    @Test(
        "Short windows are encoded on trial, and unless errors are predicted the long ones after them and one of four long windows",
        arguments: [
            (4, [true, false, false, true, true, true, false, false, false, true]),
            (nil, [false, false, false, true, true, false, false, false, false, false]),
        ])
    func trialInterval(interval: Int?, expected: [Bool]) throws {
        let trial = ElementAnalysisBySynthesis(try EncoderSetup(configuration(channelCount: 1)))
        let isShort = [false, false, false, true, true, false, false, false, false, false]
        let tried = isShort.map { isShort in
            trial.startFrame(isShort: isShort, interval: interval)
            return trial.isRunning
        }
        #expect(tried == expected)
    }

    @Test("Output is identical after a reset", arguments: [1, 2, 6], [AACEncoderConfiguration.Effort.balanced, .best])
    func reset(channelCount: Int, effort: AACEncoderConfiguration.Effort) throws {
        var configuration = configuration(channelCount: channelCount)
        configuration.settings.effort = effort
        let encoder = try AACEncoder(configuration)
        let first = try accessUnits(encoder, channelCount: channelCount)
        encoder.reset()
        #expect(try accessUnits(encoder, channelCount: channelCount) == first)
    }

    @Test("The trial error equals a decoder's error")
    func error() throws {
        // One channel with a long window, quantized with a step of one.
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        let setup = try EncoderSetup(configuration(channelCount: 1))
        var decoder = AnalysisBySynthesisDecoder(setup)
        var stream = IndividualChannelStream(frameLength: 1024)
        stream.info.windowSequence = .onlyLong
        stream.info.groupCount = 1
        stream.info.maxSFB = 20
        var coefficients = ContiguousArray<Float>(repeating: 0, count: 1024)
        for line in 0..<Int(bands.longOffsets[20]) {
            stream.quantized[line] = Int16(line % 3)
            coefficients[line] = line % 3 == 2 ? 2.519_842 : Float(line % 3)
        }
        for band in 0..<20 {
            stream.codebooks[band] = 5
            stream.scaleFactors[band] = 100
        }
        var trial = ChannelAnalysisBySynthesis(frameLength: 1024)
        for line in 0..<1024 { trial.coefficients[line] = coefficients[line] }
        decoder.decode(&stream, channel: 0)
        #expect(decoder.maximumError(trial, channel: 0) < 1e-4)
        trial.coefficients[7] += 3
        #expect(abs(decoder.maximumError(trial, channel: 0) - 3) < 1e-4)
    }
}

extension AnalysisBySynthesisDecoder {
    /// Returns the maximum difference of a decoded channel from its coefficients.
    fileprivate mutating func maximumError(_ trial: borrowing ChannelAnalysisBySynthesis, channel: Int) -> Float {
        var largest: Float = 0
        for line in 0..<1024 { largest = max(largest, (spectrum[channel * 1024 + line] - trial.coefficients[line]).magnitude) }
        return largest
    }
}
