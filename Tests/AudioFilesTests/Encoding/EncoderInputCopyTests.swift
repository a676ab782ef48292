// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct EncoderInputCopyTests {
    private let folder: TemporaryFolder
    /// Stereo chords and noise, in AAC.
    private let encoded: String

    init() throws {
        folder = try TemporaryFolder()
        encoded = folder.path("in.m4a")
        let sound = try folder.write(ParallelFileEncodingTests.sound(6 * 48_000), to: "in.pcm")
        _ = try encode(sound, to: encoded) { $0.raw = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2) }
    }

    @discardableResult
    private func encode(
        _ input: String, to output: String, bitRate: Int = 96_000, _ change: (inout FileConverterConfiguration) -> Void = { _ in }
    ) throws -> ConversionSummary {
        var configuration = FileConverterConfiguration()
        configuration.settings.rateControl = .average(bitRate: bitRate)
        configuration.overwrites = true
        change(&configuration)
        return try FileEncoder(input: input, output: output, configuration: configuration).run()
    }

    @Test(
        "Decoded AAC is encoded like a file with its samples",
        arguments: [
            (nil, .automatic), (nil, .extendedHighEfficiency), (.seconds(1)..<Duration.milliseconds(4321), .lowComplexity),
        ] as [(Range<Duration>?, AACProfile)])
    func samples(range: Range<Duration>?, profile: AACProfile) throws {
        let samples = folder.path("samples.wav")
        var decoding = FileConverterConfiguration()
        decoding.encoding = .float32
        _ = try FileConverter(decoding: encoded, output: samples, configuration: decoding).run()
        let outputs = try [encoded, samples].map { input in
            let output = folder.path("out.m4a")
            let summary = try encode(input, to: output, bitRate: 48_000) {
                $0.range = range
                $0.settings.profile = profile
            }
            #expect(summary.framesRead == (range == nil ? 6 * 48_000 : 159_408))
            return try bytes(ofFile: output)
        }
        #expect(outputs[0] == outputs[1])
    }

    @Test("A short resampled file has the requested average rate", arguments: [16_000, 24_000, 32_000])
    func averageRate(sampleRate: Int) throws {
        let sound = try folder.write(ParallelFileEncodingTests.sound(3 * 48_000), to: "short.pcm")
        let summary = try encode(sound, to: folder.path("out.m4a"), bitRate: 32_000) {
            $0.raw = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
            $0.sampleRate = sampleRate
            $0.settings.profile = .lowComplexity
        }
        #expect(abs(summary.averageBitRate / 32_000 - 1) < 0.02, "\(summary.averageBitRate)")
        #expect(summary.gapless.validFrames == 3 * sampleRate)
        #expect(summary.input.sampleRate == 48_000 && summary.framesRead == 3 * 48_000)
    }

    @Test("Resampled output does not depend on the number of threads")
    func threads() throws {
        let outputs = try [1, 3].map { threadCount in
            let output = folder.path("out.m4a")
            try encode(encoded, to: output) {
                $0.threadCount = threadCount
                $0.sampleRate = 44_100
                $0.settings.rateControl = .variable(quality: 20)
            }
            return try bytes(ofFile: output)
        }
        #expect(outputs[0] == outputs[1])
    }

    @Test("An existing output is refused before the input is copied")
    func existingOutput() throws {
        let output = try folder.write([1, 2, 3], to: "out.m4a")
        let error = #expect(throws: AudioFileError.self) {
            try FileEncoder(input: encoded, output: output).run {
                Issue.record("\($0.framesRead) frames read")
                return true
            }
        }
        #expect(error?.code == .outputExists)
        #expect(try bytes(ofFile: output) == [1, 2, 3])
    }

    @Test("Cancelling during the copy leaves no output")
    func cancellation() throws {
        let output = folder.path("cancelled.m4a")
        let error = #expect(throws: AudioFileError.self) {
            try FileEncoder(input: encoded, output: output).run { $0.framesRead > 0 }
        }
        #expect(error?.code == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: output))
    }
}
