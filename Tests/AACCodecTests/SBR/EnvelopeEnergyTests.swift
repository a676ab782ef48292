// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Checks that the decoded high band has the original energy in each envelope band, with any decoder.
@Suite struct EnvelopeEnergyTests {
    /// Signals whose level changes by ±6 dB in five seconds, so that levels are not always rounded in the same direction.
    enum Signal: CaseIterable {
        /// White noise.
        case noise
        /// Noise that decreases by 6 dB per octave.
        case softNoise
        /// Harmonics of a tone near 220 Hz that glides by 3 %. All bands are tonal, including SBR copies.
        case harmonics
        /// Tones in the high band, 20 dB above noise. The copied bands are noise, so that the tones become sinusoids.
        case tones

        static let length = 5 * 48_000

        var samples: [Float] {
            var random = SeededRandom(seed: 3)
            var (phase, past) = (0.0, Float(0))
            return (0..<Self.length).map { index in
                let time = Double(index) / 48_000
                let white = random.float(in: -1...1)
                var value: Float = 0
                switch self {
                case .noise: value = 0.15 * white
                case .softNoise:
                    past += 0.1 * (white - past)
                    value = 0.4 * past
                case .harmonics:
                    let glide = 1 + 0.03 * sin(2 * Double.pi * 0.4 * time)
                    phase += 2 * Double.pi * 220 * glide / 48_000
                    for number in 1...100 { value += Float(0.08 * sin(Double(number) * phase + Double(number * number)) / Double(number)) }
                case .tones:
                    value = 0.01 * white
                    for frequency in [9_187.0, 12_562, 15_562] { value += Float(0.02 * sin(2 * Double.pi * frequency * time)) }
                }
                return value * Float(exp2(sin(2 * Double.pi * 0.2 * time)))
            }
        }
    }

    /// Subband energies, excluding the first second.
    private static func energies(_ samples: [Float], from first: Int) -> [Double] {
        var bank = QMFAnalysis64(SlotLayout(coreFrameLength: 1024))
        var qmfSlots = SubbandSlots(SlotLayout(coreFrameLength: 1024))
        var energies = [Double](repeating: 0, count: 64)
        for start in stride(from: first + 24_576, to: first + Signal.length - 2_048, by: 2_048) {
            let block = samples[start..<start + 2_048].map { $0 * 32_768 }
            bank.analyze(block.span, into: &qmfSlots)
            for index in 0..<512 {
                for lane in 0..<4 {
                    let (real, imaginary) = (qmfSlots.real[index][lane], qmfSlots.imaginary[index][lane])
                    energies[4 * (index % 16) + lane] += Double(real * real + imaginary * imaginary)
                }
            }
        }
        return energies
    }

    private static func stream(_ samples: [Float], bitRate: Int) throws -> RandomHighEfficiencyStream {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1, rateControl: .average(bitRate: bitRate))
        configuration.profile = .highEfficiency
        let encoder = try AACEncoder(configuration)
        let buffer = PCMBuffer(channels: [samples], sampleRate: 48_000)
        var accessUnits: [[UInt8]] = []
        try encoder.encode(buffer) { accessUnits.append($0.payload) }
        _ = encoder.finish { accessUnits.append($0.payload) }
        return RandomHighEfficiencyStream(accessUnits: accessUnits, channelCount: 1, coreIndex: 6)
    }

    private static func byFFmpeg(_ stream: RandomHighEfficiencyStream) throws -> [Float] {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let path = try folder.write(stream.adts, to: "stream.aac")
        // FFmpeg decodes mono to two equal channels, because parametric stereo might start later.
        let run = try ProgramRun(ffmpeg, ["-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-ac", "2", "-"])
        #expect(run.errorText.isEmpty, "\(run.errorText)")
        let samples = [Float](littleEndian: run.output)
        return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }

    @Test(arguments: selectedCases(Signal.allCases, [16_000, 24_000, 32_000]))
    func `the mean error of each band is within half a decibel`(signal: Signal, bitRate: Int) throws {
        let samples = signal.samples
        let stream = try Self.stream(samples, bitRate: bitRate)
        let tables = try #require(SBRTuning(bitRate: bitRate, sampleRate: 48_000, channelCount: 1, coreFrameLength: 1024)).tables
        let original = Self.energies(samples, from: 0)
        for (decoder, decoded) in [("own", try stream.decoded()[0]), ("FFmpeg", try Self.byFFmpeg(stream))] {
            try #require(decoded.count >= SBRElementEncoder.priming(coreFrameLength: 1024) + Signal.length)
            let energies = Self.energies(decoded, from: SBRElementEncoder.priming(coreFrameLength: 1024))
            for band in 0..<tables.high.count {
                let subbands = tables.high[band]..<tables.high[band + 1]
                let change = 10 * log10(energies[subbands].reduce(0, +) / original[subbands].reduce(0, +))
                #expect(abs(change) < 0.5, "\(decoder), subbands \(subbands): \(change) dB")
            }
        }
    }
}
