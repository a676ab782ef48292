// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioLoudness
import AudioMetadata
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

@Suite struct LoudnessEncodingTests {
    /// Writes an input whose clicks would exceed the peak limit at the target loudness.
    ///
    /// Returns its path.
    private func input(_ folder: TemporaryFolder, seconds: Double = 8) throws -> String {
        var bytes = ChordFile(sampleRate: 44_100, channelCount: 2, frameCount: Int(44_100 * seconds)).bytes
        var random = SeededRandom(seed: 17)
        for _ in 0..<Int(seconds * 8) {
            let sample = Int.random(in: 0..<bytes.count / 2, using: &random)
            bytes[2 * sample + 1] = random.element(of: [0x79, 0x88])
        }
        return try folder.write(bytes, to: "in.pcm")
    }

    private func configuration(_ target: LoudnessTarget?, stores: Bool = false) -> FileConverterConfiguration {
        var configuration = ChordFile(sampleRate: 44_100, channelCount: 2, frameCount: 0).configuration
        configuration.settings.rateControl = .variable(quality: 100)
        configuration.loudnessTarget = target
        configuration.storesLoudness = stores
        return configuration
    }

    @Test("The encoded signal reaches the target within 0.1 LU and the peak limit", arguments: [-14.0, -16, -23])
    func target(loudness: Double) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.m4a")
        let target = LoudnessTarget(integrated: loudness, truePeak: -1.5)
        let summary = try FileEncoder(input: try input(folder), output: path, configuration: configuration(target)).run()
        let found = try #require(summary.loudness)
        #expect(abs(try #require(found.integrated) - loudness) < 0.1)
        #expect(try #require(found.truePeak) <= -1.5)
        #expect(summary.notes.isEmpty && summary.gain != nil)
        #expect(summary.gapless.validFrames == 8 * 44_100)
        // Encoding barely changes the loudness.
        let decoded = try FileLoudness(of: .file(path)).run()
        #expect(abs(try #require(decoded.integrated) - loudness) < 0.1)
    }

    @Test("A limited file does not depend on the number of threads", arguments: [false, true].selectedCases)
    func threads(isAverage: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try input(folder, seconds: 40)
        var outputs: [[UInt8]] = []
        for threadCount in [1, 2, 4] {
            var configuration = configuration(LoudnessTarget(integrated: -12, truePeak: -2))
            configuration.threadCount = threadCount
            if isAverage { configuration.settings.rateControl = .average(bitRate: 96_000) }
            let output = folder.path("\(threadCount).aac")
            let summary = try FileEncoder(input: path, output: output, configuration: configuration).run()
            #expect(abs(try #require(summary.loudness?.integrated) - -12) < 0.1)
            outputs.append(try bytes(ofFile: output))
        }
        #expect(outputs[0] == outputs[1] && outputs[0] == outputs[2])
    }

    @Test("An unreachable loudness is approximated, with a note")
    func unreachable() throws {
        let folder = try TemporaryFolder()
        let target = LoudnessTarget(integrated: -5, truePeak: -12)
        let summary = try FileEncoder(
            input: try input(folder, seconds: 2), output: folder.path("out.aac"), configuration: configuration(target)
        ).run()
        guard case .loudnessNotReached(-5, let used)? = summary.notes.first else {
            Issue.record("\(summary.notes)")
            return
        }
        #expect(used < -5 && summary.loudness?.integrated == used)
        #expect(try #require(summary.loudness?.truePeak) <= -12)
    }

    @Test("Stores the loudness where players read it", arguments: ["m4a", "opus"])
    func tags(fileExtension: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.\(fileExtension)")
        let summary = try FileEncoder(
            input: try input(folder, seconds: 3), output: path,
            configuration: configuration(LoudnessTarget(integrated: -20), stores: true)
        ).run()
        let gain = try #require(try ProbeSummary(contentsOf: path).tags.replayGain)
        #expect(abs(gain.gain - (-18 - (try #require(summary.loudness?.integrated)))) < 0.01)
        if fileExtension == "m4a" {
            #expect(abs(try #require(gain.peak) - (summary.loudness?.truePeaks.max() ?? 0)) < 1e-6)
            // An independent reader finds the tags under their names.
            let run = try ProgramRun(ProgramRun.require("ffprobe"), ["-v", "error", "-show_entries", "format_tags", path])
            #expect(run.text.contains("TAG:replaygain_track_gain=\(gain.gain < 0 ? "-" : "+")"), "\(run.text)")
        } else {
            let run = try ProgramRun(ProgramRun.require("opusinfo"), [path])
            let expected = Int(((gain.gain - 5) * 256).rounded())
            #expect(run.text.contains("R128_TRACK_GAIN=\(expected)"), "\(run.text)")
        }
    }

    @Test("Throws for containers without loudness tags and for non-seekable inputs", arguments: ["aac", "caf", "loas", "ts"])
    func refusals(fileExtension: String) throws {
        let folder = try TemporaryFolder()
        let path = try input(folder, seconds: 1)
        let stored = #expect(throws: AudioFileError.self) {
            try FileEncoder(
                input: path, output: folder.path("out.\(fileExtension)"), configuration: configuration(nil, stores: true)
            ).run()
        }
        guard case .unsupportedTags? = stored?.code else {
            Issue.record("\(String(describing: stored))")
            return
        }
        #expect(try folder.contents == ["in.pcm"])
        let pipe = #expect(throws: AudioFileError.self) {
            try FileEncoder(
                input: "/dev/null", output: folder.path("out.\(fileExtension)"),
                configuration: configuration(LoudnessTarget(integrated: -16))
            ).run()
        }
        #expect(pipe?.code == .notSeekable)
    }

    @Test("Silence stays silent, with a note and without a tag")
    func silence() throws {
        let folder = try TemporaryFolder()
        let input = try folder.write([UInt8](repeating: 0, count: 44_100 * 4), to: "in.pcm")
        let path = folder.path("out.m4a")
        let summary = try FileEncoder(
            input: input, output: path, configuration: configuration(LoudnessTarget(integrated: -16), stores: true)
        ).run()
        #expect(summary.notes == [.silence] && summary.gain == nil)
        #expect(try ProbeSummary(contentsOf: path).tags.replayGain == nil)
    }

    @Test("Infinite loudness throws if it is to be changed or stored", arguments: [false, true])
    func infinite(stores: Bool) throws {
        let folder = try TemporaryFolder()
        let samples = (0..<88_200).map { $0 % 200 < 100 ? Float(1e25) : -1e25 }
        var configuration = configuration(stores ? nil : LoudnessTarget(integrated: -16), stores: stores)
        configuration.raw?.encoding = .float32
        let input = try folder.write(samples.withUnsafeBytes { Array($0) }, to: "in.pcm")
        let error = #expect(throws: AudioFileError.self) {
            try FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration).run()
        }
        #expect(error?.code == .invalidSample && error?.description.contains("its loudness is infinite") == true)
        #expect(try folder.contents == ["in.pcm"])
    }

    @Test("Sound shorter than a block of 400 ms has no loudness, but is not called silent")
    func short() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.m4a")
        let summary = try FileEncoder(
            input: try input(folder, seconds: 0.35), output: path, configuration: configuration(LoudnessTarget(integrated: -16))
        ).run()
        #expect(summary.notes == [.tooShort] && summary.gain == nil)
        #expect(ConversionNote.tooShort.description.contains("shorter than 400 ms"))
        let error = #expect(throws: AudioFileError.self) { try LosslessGain(loudness: -16).run([.init(input: path, output: nil)]) }
        guard case .tooShort? = error?.underlyingError as? GainProblem else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
