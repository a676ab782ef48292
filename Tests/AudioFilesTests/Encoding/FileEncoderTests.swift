// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioConversion
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct FileEncoderTests {
    private func silence(_ frames: Int, in folder: TemporaryFolder) throws -> FileEncoder {
        let path = try folder.write([UInt8](repeating: 0, count: frames * 4), to: "in.pcm")
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: 48_000, channelCount: 2)
        return FileEncoder(input: path, output: folder.path("out.aac"), configuration: configuration)
    }

    @Test("Stopping leaves no output")
    func cancelled() throws {
        let folder = try TemporaryFolder()
        let encoder = try silence(48_000, in: folder)
        var calls = 0
        #expect(throws: AudioFileError(.cancelled, path: folder.path("in.pcm"))) {
            try encoder.run { _ in
                calls += 1
                return calls < 3
            }
        }
        #expect(calls == 3)
        #expect(try folder.contents == ["in.pcm"])
    }

    @Test("Progress reaches the total, and the summary is consistent")
    func progress() throws {
        let folder = try TemporaryFolder()
        let encoder = try silence(20_000, in: folder)
        var states: [ConversionProgress] = []
        let summary = try encoder.run { state in
            states.append(state)
            return true
        }
        #expect(states.map(\.framesRead).contains(8192))
        #expect(zip(states, states.dropFirst()).allSatisfy { $0.framesRead <= $1.framesRead && $0.bytesWritten <= $1.bytesWritten })
        #expect(states.last?.fraction == 1)
        #expect(summary.gapless.validFrames == 20_000)
        #expect(summary.gapless.totalFrames == summary.accessUnitCount * 1024)
        #expect(summary.byteCount == summary.payloadByteCount + 7 * summary.accessUnitCount)
        #expect(try bytes(ofFile: folder.path("out.aac")).count == summary.byteCount)
    }

    @Test(
        "A WAV file with a placeholder length is encoded completely, with a warning",
        arguments: [
            ("a.m4a", .average(bitRate: 64_000), 1), ("a.aac", .average(bitRate: 64_000), 4), ("a.aac", .constant(bitRate: 64_000), 1),
            ("a.caf", .variable(quality: 50), 1), ("a.m4a", .variable(quality: 50), 4), ("a.opus", nil, 1),
        ] as [(String, AACEncoderConfiguration.RateControl?, Int)])
    func shortHeader(name: String, rateControl: AACEncoderConfiguration.RateControl?, threadCount: Int) throws {
        let folder = try TemporaryFolder()
        let writer = try PCMFileWriter(
            path: folder.path("long.wav"), format: PCMOutputFormat(.wav, encoding: .int16, sampleRate: 48_000, channelCount: 1))
        try writer.append(bytes: ChordFile(sampleRate: 48_000, channelCount: 1, frameCount: 20_000).bytes)
        try writer.finish()
        var file = try bytes(ofFile: folder.path("long.wav"))
        // The size in a header without samples.
        let size = try #require(file.firstRange(of: Array("data".utf8))?.upperBound)
        file.replaceSubrange(size..<size + 4, with: [36, 0, 0, 0])
        var configuration = FileConverterConfiguration()
        configuration.settings.rateControl = rateControl
        configuration.threadCount = threadCount
        let output = folder.path(name)
        let summary = try FileEncoder(
            input: try folder.write(file, to: "in.wav"), output: output, configuration: configuration
        ).run()
        #expect(summary.gapless.validFrames == 20_000)
        #expect(summary.warnings == [.continues(path: folder.path("in.wav"), declaredFrames: 18, foundFrames: 20_000)])
        // For ADTS, only the number of access units is known.
        let decoder = try FileDecoder(path: output)
        var frameCount = 0
        while let buffer = try decoder.next() { frameCount += buffer.frameCount }
        #expect(name == "a.aac" ? frameCount >= 20_000 : frameCount == 20_000)
    }

    @Test("Back and side speakers match each other; others do not")
    func loudspeakers() {
        let needed = ChannelLayout([.center, .left, .right, .sideLeft, .sideRight, .lowFrequency])
        let back = ChannelLayout([.left, .right, .center, .lowFrequency, .backLeft, .backRight])
        #expect(back.matching(needed)?.speakers == [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight])
        #expect(ChannelLayout([.left, .right, .center, .lowFrequency, .topLeft, .topRight]).matching(needed) == nil)
        #expect(ChannelLayout([.left, .right]).matching(needed) == nil)
    }
}
