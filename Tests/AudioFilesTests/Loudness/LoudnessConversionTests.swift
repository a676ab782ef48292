// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioLoudness
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

@Suite struct LoudnessConversionTests {
    /// Writes a 6 s stereo file with clicks far above its loudness.
    ///
    /// Returns its path.
    private func input(_ folder: TemporaryFolder) throws -> String {
        var bytes = ChordFile(sampleRate: 44_100, channelCount: 2, frameCount: 6 * 44_100).bytes
        var random = SeededRandom(seed: 23)
        for _ in 0..<48 {
            let sample = Int.random(in: 0..<bytes.count / 2, using: &random)
            bytes[2 * sample + 1] = random.element(of: [0x79, 0x88])
        }
        return try folder.write(bytes, to: "in.pcm")
    }

    private func configuration(_ loudness: Double, truePeak: Double = -1.5) -> FileConverterConfiguration {
        var configuration = FileConverterConfiguration()
        configuration.raw = ChordFile(sampleRate: 44_100, channelCount: 2, frameCount: 0).configuration.raw
        configuration.loudnessTarget = LoudnessTarget(integrated: loudness, truePeak: truePeak)
        return configuration
    }

    @Test(
        "Reaches the target within 0.1 LU and the peak limit, with unchanged length",
        arguments: [("s16.wav", 44_100, nil), ("f32.wav", 48_000, 1), ("flac.flac", 44_100, nil)] as [(String, Int, Int?)])
    func target(name: String, sampleRate: Int, channelCount: Int?) throws {
        let folder = try TemporaryFolder()
        for loudness in [-14.0, -30] {
            var configuration = configuration(loudness)
            configuration.sampleRate = sampleRate
            configuration.channelCount = channelCount
            configuration.overwrites = true
            if name == "f32.wav" { configuration.encoding = .float32 }
            let path = folder.path(name)
            let summary = try FileConverter(input: try input(folder), output: path, configuration: configuration).run()
            #expect(summary.notes.isEmpty && summary.gain != nil && summary.clippedSampleCount == 0)
            #expect(summary.frameCount == 6 * sampleRate)
            // Measuring the file agrees with the summary.
            for found in [try #require(summary.loudness), try FileLoudness(of: .file(path)).run()] {
                #expect(abs(try #require(found.integrated) - loudness) < 0.1)
                #expect(try #require(found.truePeak) <= -1.49)
            }
        }
    }

    @Test("Encodes the normalized signal", arguments: ["out.m4a", "out.opus", "out.lbc"])
    func codecs(name: String) throws {
        let folder = try TemporaryFolder()
        var configuration = configuration(-20)
        configuration.bitRate = name == "out.lbc" ? nil : 192_000
        let summary = try FileConverter(input: try input(folder), output: folder.path(name), configuration: configuration).run()
        #expect(abs(try #require(summary.loudness?.integrated) - -20) < 0.1)
        let decoded = try FileLoudness(of: .file(folder.path(name))).run()
        #expect(abs(try #require(decoded.integrated) - -20) < (name == "out.lbc" ? 1.5 : 0.3))
    }

    @Test("A range is measured separately")
    func range() throws {
        let folder = try TemporaryFolder()
        // The second half is 20 dB quieter.
        let samples = (0..<88_200).map { Int16(($0 < 44_100 ? 10_000 : 1000) * ($0 / 50 % 2 == 0 ? 1 : -1)) }
        let path = try folder.write(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }, to: "in.pcm")
        var configuration = configuration(-23)
        configuration.raw = ChordFile(sampleRate: 44_100, channelCount: 1, frameCount: 0).configuration.raw
        configuration.range = .seconds(1)..<(.seconds(2))
        let summary = try FileConverter(input: path, output: folder.path("out.wav"), configuration: configuration).run()
        #expect(summary.frameCount == 44_100)
        #expect(abs(try #require(FileLoudness(of: .file(folder.path("out.wav"))).run().integrated) - -23) < 0.1)
    }

    @Test("Notes an unreachable loudness and silence; a pipe throws", arguments: ["out.wav", "out.m4a"])
    func notes(name: String) throws {
        let folder = try TemporaryFolder()
        let loud = try FileConverter(
            input: try input(folder), output: folder.path(name), configuration: configuration(-5, truePeak: -12)
        ).run()
        guard case .loudnessNotReached(-5, _)? = loud.notes.first else {
            Issue.record("\(loud.notes)")
            return
        }
        let silence = try folder.write([UInt8](repeating: 0, count: 44_100 * 4), to: "silence.pcm")
        let silent = try FileConverter(input: silence, output: folder.path("s-\(name)"), configuration: configuration(-16)).run()
        #expect(silent.notes == [.silence] && silent.gain == nil)
        let pipe = #expect(throws: AudioFileError.self) {
            try FileConverter(input: "/dev/null", output: folder.path("p-\(name)"), configuration: configuration(-16)).run()
        }
        #expect(pipe?.code == .notSeekable)
        #expect(try folder.contents == ["in.pcm", name, "s-\(name)", "silence.pcm"].sorted())
    }
}
