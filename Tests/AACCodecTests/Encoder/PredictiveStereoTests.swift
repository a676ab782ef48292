// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding
import USACCodec

/// Stereo prediction in xHE-AAC.
@Suite struct PredictiveStereoTests {
    /// Lines of two channels that are mostly one signal with a gain per band, for each direction and window length.
    private static let cases: [(gains: ClosedRange<Float>, isReversed: Bool, isShort: Bool)] = [
        (0.1...0.6, false, false), (-0.6 ... -0.1, true, false), (0.1...0.6, false, true), (-0.6 ... -0.1, true, true),
    ]

    @Test("Panned lines are predicted, and the decoder's formula restores left and right", arguments: 0..<cases.count)
    func restoresLines(index: Int) {
        let (gains, isReversed, isShort) = Self.cases[index]
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        if isShort {
            layout.setShort(lengths: SIMD8(3, 5, 0, 0, 0, 0, 0, 0), groupCount: 2, bands: bands, bandCount: 13)
        } else {
            layout.setLong(.onlyLong, bands: bands, bandCount: 40)
        }
        var random = SeededRandom(seed: UInt64(index))
        var left = ChannelSpectrum(frameLength: 1024)
        var right = ChannelSpectrum(frameLength: 1024)
        for band in 0..<layout.count {
            let gain = Float.random(in: gains, using: &random)
            for line in layout.lines(band) {
                left.lines[line] = Float.random(in: -1000...1000, using: &random)
                right.lines[line] = gain * left.lines[line] + Float.random(in: -9...9, using: &random)
            }
            (left.noiseTargets[band], right.noiseTargets[band]) = (5e4, 2e4)
        }
        let wanted = (0..<1024).map { (left.lines[$0], right.lines[$0]) }
        var prediction = PredictiveStereo()
        prediction.startFrame(left, right)
        let usesMidSide = [Bool](repeating: false, count: BandLayout.maximumCount)
        prediction.decide(&left, &right, usesMidSide: usesMidSide.span, noiseScale: 1, layout: layout)
        let found = (prediction.isUsed, prediction.choice.isReversed)
        #expect(found == (true, isReversed))
        for band in 0..<layout.count {
            let coefficient = Float(prediction.choice.coefficients[band]) / 10
            for line in layout.lines(band) {
                let (downmix, other) = (left.lines[line], right.lines[line] - coefficient * left.lines[line])
                let decoded = (downmix + other, isReversed ? other - downmix : downmix - other)
                #expect(abs(decoded.0 - wanted[line].0) < 0.01 && abs(decoded.1 - wanted[line].1) < 0.01, "line \(line)")
            }
        }
    }

    @Test("Equal channels stay mid and side")
    func keepsMidSide() {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024), bandCount: 40)
        var random = SeededRandom(seed: 7)
        var mid = ChannelSpectrum(frameLength: 1024)
        var side = ChannelSpectrum(frameLength: 1024)
        for line in 0..<1024 { mid.lines[line] = Float.random(in: -1000...1000, using: &random) }
        mid.noiseTargets.fill(3e4)
        side.noiseTargets.fill(3e4)
        var prediction = PredictiveStereo()
        prediction.startFrame(mid, side)
        // The targets of mid and side are those of equal left and right.
        mid.noiseTargets.fill(1.8e4)
        side.noiseTargets.fill(1.8e4)
        let usesMidSide = [Bool](repeating: true, count: BandLayout.maximumCount)
        prediction.decide(&mid, &side, usesMidSide: usesMidSide.span, noiseScale: 1, layout: layout)
        let isUsed = prediction.isUsed
        #expect(!isUsed)
    }

    @Test("A stream of panned sources uses prediction and decodes to the input")
    func stream() throws {
        var random = SeededRandom(seed: 3)
        var samples: [Int16] = []
        for frame in 0..<48_000 {
            // Bursts of noise at the left, and a chord at the right.
            let burst = frame % 9000 < 3000 ? Float.random(in: -4000...4000, using: &random) : 0
            let chord = Float((frame * 7 % 200) + (frame * 11 % 300) - 250) * 16
            samples.append(Int16(0.9 * burst + 0.2 * chord))
            samples.append(Int16(0.3 * burst + 0.8 * chord))
        }
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 160_000))
        configuration.profile = .extendedHighEfficiency
        configuration.settings.accessPointInterval = 0.3
        let encoder = try AACEncoder(configuration)
        let decoder = try USACDecoder(AudioSpecificConfig(parsing: encoder.audioSpecificConfig.serialized()))
        var (output, predictedCount, frameCount): ([Float], Int, Int) = ([], 0, 0)
        func take(_ unit: AccessUnit) throws {
            frameCount += 1
            if encoder.elements[0].core.prediction.isUsed { predictedCount += 1 }
            let buffer = try decoder.decode(unit)
            for frame in 0..<buffer.frameCount { output += [buffer.channel(0)[frame], buffer.channel(1)[frame]] }
        }
        for start in stride(from: 0, to: samples.count, by: 2048) {
            let bytes = samples[start..<min(start + 2048, samples.count)].flatMap {
                [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
            }
            for unit in try encoder.encode(bytes.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { try take(unit) }
        }
        for unit in encoder.finish().accessUnits { try take(unit) }
        #expect(predictedCount > frameCount / 2, "\(predictedCount) of \(frameCount) frames")
        let wanted = samples.map { Float($0) / 32_768 }
        #expect(signalToNoise(wanted, Array(output.dropFirst(2 * 2112).prefix(wanted.count))) > 9)
    }
}
