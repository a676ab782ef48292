// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct WholeFileSearchTests {
    /// Encodes the first frames of the signal of ``ParallelFileEncodingTests``.
    private static func encode(
        _ frameCount: Int, in folder: TemporaryFolder, profile: AACProfile = .lowComplexity, bitRate: Int, isLogged: Bool = false
    ) throws -> ConversionSummary {
        let input = try folder.write(ParallelFileEncodingTests.sound(frameCount), to: "in.pcm")
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        configuration.settings.rateControl = .average(bitRate: bitRate)
        configuration.settings.profile = profile
        configuration.overwrites = true
        var encoder = FileEncoder(input: input, output: folder.path(isLogged ? "logged.m4a" : "out.m4a"), configuration: configuration)
        if isLogged { encoder.converter.log = { _ in } }
        return try encoder.run()
    }

    @Test(
        "One second reaches its bit rate within 0.7 access units, ten seconds within 0.5 %",
        .enabled(if: ParallelFileEncodingTests.isFast, "needs a release build"), arguments: [64_000, 128_000, 192_000])
    func accuracy(bitRate: Int) throws {
        let folder = try TemporaryFolder()
        for (frameCount, tolerance) in [(48_000, 0.71 / 49), (480_000, 0.005)] {
            let summary = try Self.encode(frameCount, in: folder, bitRate: bitRate)
            #expect(summary.gapless.validFrames == frameCount)
            #expect(abs(summary.averageBitRate / Double(bitRate) - 1) < tolerance, "\(frameCount) frames: \(summary.averageBitRate)")
        }
    }

    @Test(
        "The first pass's output equals that of a separate pass",
        .enabled(if: ParallelFileEncodingTests.isFast, "needs a release build"),
        arguments: [AACProfile.lowComplexity, .highEfficiency, .highEfficiencyV2], [1, 48_000, 600_000])
    func kept(profile: AACProfile, frameCount: Int) throws {
        let folder = try TemporaryFolder()
        let kept = try Self.encode(frameCount, in: folder, profile: profile, bitRate: 48_000)
        let logged = try Self.encode(frameCount, in: folder, profile: profile, bitRate: 48_000, isLogged: true)
        #expect(kept.gapless == logged.gapless && kept.gapless.validFrames == frameCount)
        #expect(try bytes(ofFile: folder.path("out.m4a")) == bytes(ofFile: folder.path("logged.m4a")))
    }

    @Test(
        "The automatic profile yields the same file as the profile that it chooses",
        .enabled(if: ParallelFileEncodingTests.isFast, "needs a release build"),
        arguments: [(AACProfile.lowComplexity, 128_000), (.highEfficiency, 64_000)])
    func automaticProfile(chosen: AACProfile, bitRate: Int) throws {
        let folder = try TemporaryFolder()
        #expect(try Self.encode(48_000, in: folder, profile: .automatic, bitRate: bitRate).profile == chosen)
        let automatic = try bytes(ofFile: folder.path("out.m4a"))
        _ = try Self.encode(48_000, in: folder, profile: chosen, bitRate: bitRate)
        #expect(try bytes(ofFile: folder.path("out.m4a")) == automatic)
    }

    @Test("Silence, which reaches the rate at no level, is encoded")
    func silence() throws {
        let folder = try TemporaryFolder()
        let input = try folder.write([UInt8](repeating: 0, count: 4 * 30_000), to: "in.pcm")
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        configuration.settings.rateControl = .average(bitRate: 128_000)
        let summary = try FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration).run()
        #expect(summary.gapless.validFrames == 30_000)
    }

    @Test(
        "Other decoders accept a low delay file without messages, at its length",
        .enabled(if: ParallelFileEncodingTests.isFast, "needs a release build"))
    func lowDelay() throws {
        let folder = try TemporaryFolder()
        let input = try folder.write(ParallelFileEncodingTests.sound(100_000), to: "in.pcm")
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        configuration.settings.lowDelay = true
        configuration.overwrites = true
        for rateControl in [AACEncoderConfiguration.RateControl.constant(bitRate: 96_000), .average(bitRate: 96_000)] {
            configuration.settings.rateControl = rateControl
            let summary = try FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration).run()
            #expect(summary.gapless.primingFrames == 1024 && summary.gapless.validFrames == 100_000)
            let commands = "ffmpeg -v error -nostdin -y -i out.m4a -f s16le out.pcm && wc -c <out.pcm && faad -q -o faad.wav out.m4a"
            let run = try ProgramRun.shell(commands, folder: folder.url)
            #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
            // FFmpeg removes the priming but keeps the padding: 98 of 99 access units.
            #expect(run.text.split(separator: "\n").first == "401408", "\(run.text)")
        }
    }
}
