// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct ParallelFileEncodingTests {
    static let sampleRate = 48_000
    /// The number of frames whose last access unit just fits a segment.
    static let segment = 256 * 1024 - 2112
    #if DEBUG
    static let isFast = false
    #else
    static let isFast = true
    #endif
    static let lengths = [segment - 1, segment, segment + 1, segment + 3000, 2 * segment + 2112, 2 * segment + 2113, 1_700_000]
    static let threadCounts = [2, 3, 8]
    static let channelCount = 2
    static let effort = AACEncoderConfiguration.Effort.balanced

    /// Returns the first frames of the signal as bytes.
    static func sound(_ length: Int) -> [UInt8] { Array(signal[..<(2 * length * channelCount)]) }

    /// Chords, noise, and transients that become denser towards each segment boundary.
    private static let signal: [UInt8] = {
        let length = 130 * sampleRate
        var random = SeededRandom(seed: 5)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * length * channelCount)
        var blow: Float = 0
        for frame in 0..<length {
            let toBorder = abs(frame % (256 * 1024) - 128 * 1024)
            if frame % (128 * 1024 - toBorder + 4000) == 0 { blow = 15_000 }
            blow *= 0.995
            let phase = Float(frame % 109) / 109 + Float(frame % 163) / 163
            let noise = random.float(in: -1...1)
            for channel in 0..<channelCount {
                let sample = Int16(3000 * (phase - 1) + (600 + blow) * (channel == 0 ? noise : 0.5 * noise))
                bytes.append(UInt8(truncatingIfNeeded: sample))
                bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
            }
        }
        return bytes
    }()

    private static func encode(
        _ input: String, to output: String, _ rateControl: AACEncoderConfiguration.RateControl,
        profile: AACProfile = .lowComplexity, frameLength: Int = AACEncoderSettings.defaultFrameLength, threadCount: Int?
    ) throws -> ConversionSummary {
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: sampleRate, channelCount: channelCount)
        configuration.settings.rateControl = rateControl
        configuration.settings.effort = effort
        configuration.settings.profile = profile
        configuration.settings.frameLength = frameLength
        configuration.threadCount = threadCount
        configuration.overwrites = true
        return try FileEncoder(input: input, output: output, configuration: configuration).run()
    }

    @Test(
        "Output does not depend on the number of threads, with or without a first pass",
        .enabled(if: isFast, "needs a release build"), arguments: lengths.selectedCases)
    func threads(length: Int) throws {
        let folder = try TemporaryFolder()
        let input = try folder.write(Self.sound(length), to: "in.pcm")
        for rateControl in [AACEncoderConfiguration.RateControl.variable(quality: 20), .average(bitRate: 64_000 * Self.channelCount)] {
            let output = folder.path("out.m4a")
            let summary = try Self.encode(input, to: output, rateControl, threadCount: 1)
            let expected = try bytes(ofFile: output)
            for threadCount in Self.threadCounts {
                let other = try Self.encode(input, to: output, rateControl, threadCount: threadCount)
                let found = try bytes(ofFile: output)
                #expect(found == expected, "\(length) frames, \(threadCount) threads, \(rateControl)")
                #expect(other.gapless == summary.gapless && other.gapless.validFrames == length)
            }
        }
    }

    @Test(
        "HE-AAC output does not depend on the number of threads", .enabled(if: isFast, "needs a release build"),
        arguments: [AACProfile.highEfficiency, .highEfficiencyV2].selectedCases)
    func replicated(profile: AACProfile) throws {
        let folder = try TemporaryFolder()
        let delay = profile == .highEfficiency ? 5186 : 6148
        let segment = 256 * 2048 - delay
        for length in [segment, segment + 1, 2 * segment + 100_000, 1_100 * 2048] {
            let input = try folder.write(Self.sound(length), to: "in.pcm")
            for rateControl in [AACEncoderConfiguration.RateControl.variable(quality: 20), .average(bitRate: 32_000)] {
                // The first pass encodes only samples of the longest file.
                if length > 3 * segment, rateControl == .variable(quality: 20) { continue }
                let outputs = try [1, 2, 3, 8].map { threadCount in
                    let output = folder.path("\(threadCount).m4a")
                    let summary = try Self.encode(input, to: output, rateControl, profile: profile, threadCount: threadCount)
                    #expect(summary.gapless.validFrames == length && summary.gapless.primingFrames == delay)
                    if case .average(let bitRate) = rateControl {
                        #expect(abs(summary.averageBitRate / Double(bitRate) - 1) < 0.02, "\(summary.averageBitRate)")
                    }
                    return output
                }
                let expected = try bytes(ofFile: outputs[0])
                for output in outputs { #expect(try bytes(ofFile: output) == expected, "\(length) frames, \(output), \(rateControl)") }
                let commands = "ffmpeg -v error -nostdin -i 2.m4a -f null - && faad -q -o faad.wav 2.m4a"
                let run = try ProgramRun.shell(commands, folder: folder.url)
                #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
            }
        }
    }

    @Test("Output with 960-line frames does not depend on the number of threads", .enabled(if: isFast, "needs a release build"))
    func shortFrames() throws {
        let folder = try TemporaryFolder()
        let (frameLength, delay) = (960, 1984)
        let segment = 256 * frameLength - delay
        for length in [segment, segment + 1, 2 * segment + 100_000] {
            let input = try folder.write(Self.sound(length), to: "in.pcm")
            for rateControl in [AACEncoderConfiguration.RateControl.variable(quality: 20), .average(bitRate: 96_000)] {
                let outputs = try Self.threadCounts.map { threadCount in
                    let output = folder.path("\(threadCount).m4a")
                    let summary = try Self.encode(input, to: output, rateControl, frameLength: frameLength, threadCount: threadCount)
                    #expect(summary.gapless.validFrames == length && summary.gapless.primingFrames == delay)
                    return output
                }
                let single = folder.path("1.m4a")
                _ = try Self.encode(input, to: single, rateControl, frameLength: frameLength, threadCount: 1)
                let expected = try bytes(ofFile: single)
                for output in outputs { #expect(try bytes(ofFile: output) == expected, "\(length) frames, \(output), \(rateControl)") }
                #expect(try PCMBuffer(contentsOf: single).frameCount == length)
                let run = try ProgramRun.shell("ffmpeg -v error -nostdin -i 2.m4a -f null -", folder: folder.url)
                #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
            }
        }
    }

    @Test(
        "960-line SBR frames keep the length in every container that supports them",
        .enabled(if: isFast, "needs a release build"), arguments: [AACProfile.highEfficiency, .highEfficiencyV2])
    func shortFramesWithReplication(profile: AACProfile) throws {
        let folder = try TemporaryFolder()
        for length in [1, 1920, 50_000] {
            let input = try folder.write(Self.sound(length), to: "in.pcm")
            for name in ["out.m4a", "out.caf", "out.loas", "out.ts"] {
                let output = folder.path(name)
                try? FileManager.default.removeItem(atPath: output)
                let summary = try Self.encode(
                    input, to: output, .average(bitRate: 32_000), profile: profile, frameLength: 960, threadCount: 2)
                let delay = profile == .highEfficiency ? 4930 : 6020
                #expect(summary.gapless.validFrames == length && summary.gapless.primingFrames == delay)
                let probe = try ProbeSummary(contentsOf: output, decodes: true)
                #expect(probe.isIntact && probe.accessUnitCount * 1920 == summary.gapless.totalFrames, "\(name)")
                #expect(probe.profileName == (profile == .highEfficiency ? "HE-AAC" : "HE-AAC v2"), "\(name)")
                let isExact = name == "out.m4a" || name == "out.caf"
                #expect(try PCMBuffer(contentsOf: output).frameCount == (isExact ? length : summary.gapless.totalFrames), "\(name)")
            }
        }
        let input = try folder.write(Self.sound(5_000), to: "in.pcm")
        let error = #expect(throws: AudioFileError.self) {
            try Self.encode(
                input, to: folder.path("out.aac"), .average(bitRate: 32_000), profile: profile, frameLength: 960, threadCount: 2)
        }
        #expect(error?.underlyingError as? ContainerError == .unsupportedFrameLength(960, allowed: [1024]))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.aac")))
    }

    @Test(
        "A segmented stream is valid, decodes without messages, and equals a piped one",
        .enabled(if: isFast, "needs a release build"))
    func legality() throws {
        let folder = try TemporaryFolder()
        let samples = Self.sound(Self.segment + 9000)
        let input = try folder.write(samples, to: "in.pcm")
        let output = folder.path("out.aac")
        _ = try Self.encode(input, to: output, .variable(quality: 10), threadCount: 2)
        let stream = try bytes(ofFile: output)

        let encoder = try AACEncoder(
            AACEncoderConfiguration(
                sampleRate: Self.sampleRate, channelCount: Self.channelCount, rateControl: .variable(quality: 10), effort: Self.effort))
        var accessUnits: [[UInt8]] = []
        let format = PCMFormat(.int16, channelCount: Self.channelCount)
        try encoder.encode(samples.span.bytes, format: format) { accessUnits.append($0.payload) }
        _ = encoder.finish { accessUnits.append($0.payload) }

        let frames = try #require(ADTSFrames(stream))
        #expect(frames.accessUnits == accessUnits)
        var checker = try StrictSyntaxChecker(frequencyIndex: frames.frequencyIndex, channelConfiguration: Self.channelCount)
        for (number, accessUnit) in frames.accessUnits.enumerated() {
            #expect(throws: Never.self, "unit \(number)") { try checker.check(accessUnit) }
        }
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin -i out.aac -f null -", folder: folder.url)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
    }

    @Test(
        "A file reaches its average bit rate within 3 %", .enabled(if: isFast, "needs a release build"),
        arguments: [
            (AACProfile.lowComplexity, 48_000), (.lowComplexity, 128_000), (.lowComplexity, 256_000), (.highEfficiency, 48_000),
            (.extendedHighEfficiency, 32_000), (.extendedHighEfficiency, 96_000),
        ].selectedCases)
    func average(profile: AACProfile, bitRate: Int) throws {
        let folder = try TemporaryFolder()
        let tune = Self.sound(9 * Self.sampleRate)
        // Alternating silence and noise.
        var random = SeededRandom(seed: 1)
        var turns = [UInt8](repeating: 0, count: 4 * 20 * Self.sampleRate)
        for start in stride(from: 0, to: turns.count, by: 4 * 4 * Self.sampleRate) {
            for place in start..<start + 4 * 2 * Self.sampleRate where place % 2 == 1 {
                turns[place] = UInt8(truncatingIfNeeded: random.integer(in: -40..<41))
            }
        }
        for (name, samples) in [("tune", tune), ("turns", turns), ("long", Self.sound(130 * Self.sampleRate))] {
            let input = try folder.write(samples, to: "\(name).pcm")
            let output = folder.path(profile == .extendedHighEfficiency ? "out.m4a" : "out.aac")
            let summary = try Self.encode(input, to: output, .average(bitRate: bitRate), profile: profile, threadCount: 2)
            #expect(abs(summary.averageBitRate / Double(bitRate) - 1) < 0.03, "\(name): \(summary.averageBitRate)")
        }
    }

    @Test("Files allow shared reading; pipes and MP3 do not")
    func sharedReading() throws {
        let folder = try TemporaryFolder()
        let raw = AudioFormat(.int16, sampleRate: 48_000, channelCount: 1)
        #expect(try PCMFileReader(path: folder.write([0, 0], to: "in.pcm"), raw: raw).allowsSharedReading)
        for (name, isShared) in [("a.wav", true), ("a.flac", true), ("a.aiff", true), ("a.ogg", false)] {
            let codec = name == "a.ogg" ? "-c:a libvorbis" : ""
            let run = try ProgramRun.shell(
                "ffmpeg -v error -nostdin -f lavfi -i sine=duration=0.1 \(codec) \(name)", folder: folder.url)
            try #require(run.exitCode == 0, "\(run.errorText)")
            #expect(try PCMFileReader(path: folder.path(name)).allowsSharedReading == isShared, "\(name)")
        }
    }

    @Test(
        "FLAC input encodes identically on one and several threads",
        .enabled(if: isFast, "needs a release build"))
    func flac() throws {
        let folder = try TemporaryFolder()
        let make = "ffmpeg -v error -nostdin -f lavfi -i anoisesrc=sample_rate=8000:duration=70:amplitude=0.2 a.flac"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        var configuration = FileConverterConfiguration()
        configuration.settings.effort = .fast
        configuration.settings.rateControl = .variable(quality: 5)
        var results: [[UInt8]] = []
        for threadCount in [1, 2] {
            configuration.threadCount = threadCount
            let output = folder.path("\(threadCount).aac")
            _ = try FileEncoder(input: folder.path("a.flac"), output: output, configuration: configuration).run()
            results.append(try bytes(ofFile: output))
        }
        #expect(results[0] == results[1])
    }

    @Test(
        "Several threads report damage inside a file like one thread",
        arguments: [.average(bitRate: 16_000), .variable(quality: 5)] as [AACEncoderConfiguration.RateControl])
    func damage(rateControl: AACEncoderConfiguration.RateControl) throws {
        let folder = try TemporaryFolder()
        let make = "ffmpeg -v error -nostdin -f lavfi -i anoisesrc=sample_rate=8000:duration=70:amplitude=0.2 -c:a alac a.m4a"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        var damaged = try bytes(ofFile: folder.path("a.m4a"))
        for index in damaged.count / 4..<damaged.count / 4 + 20_000 { damaged[index] ^= 0x5A }
        _ = try folder.write(damaged, to: "a.m4a")
        var configuration = FileConverterConfiguration()
        configuration.settings.effort = .fast
        configuration.settings.rateControl = rateControl
        let warnings = try [1, 3].map { threadCount in
            configuration.threadCount = threadCount
            let output = folder.path("\(threadCount).aac")
            return try FileEncoder(input: folder.path("a.m4a"), output: output, configuration: configuration).run().warnings
        }
        #expect(!warnings[0].isEmpty && warnings[0] == warnings[1])
    }
}
