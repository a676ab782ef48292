// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Copies of files with more padding than one packet.
@Suite struct RemuxingPaddingTests {
    /// Writes an M4A file whose edit list ends after `validFrames` sample frames, far before its last access unit.
    private func write(_ codec: OutputCodec, validFrames: Int, in folder: TemporaryFolder) throws -> String {
        let chord = ChordFile(sampleRate: 48_000, frameCount: 120_000)
        var configuration = chord.configuration
        configuration.codec = codec
        let input = try folder.write(chord.bytes, to: "in.pcm")
        try FileEncoder(input: input, output: folder.path("whole.m4a"), configuration: configuration).run()
        let reader = try AccessUnitReader(path: folder.path("whole.m4a"))
        let stated = try #require(reader.metadata.gaplessInfo)
        var writer: MP4Writer<MemorySink>?
        while let event = try reader.next() {
            switch event {
            case .configuration(let found): writer = try MP4Writer(to: MemorySink(), found)
            case .accessUnit(let demuxed): try writer?.append(demuxed.accessUnit)
            case .skipped: Issue.record("damage")
            }
        }
        try writer?.finish(
            GaplessInfo(
                primingFrames: stated.primingFrames, validFrames: validFrames,
                remainderFrames: stated.totalFrames - stated.primingFrames - validFrames))
        return try folder.write(try #require(writer).sink.bytes, to: "padded.m4a")
    }

    @Test(
        "A copy plays no padding, however long",
        arguments: [
            (OutputCodec.opus, AudioFileFormat.oggOpus), (.opus, .transportStream), (.opus, .fragmentedM4A), (.opus, .m4a), (.opus, .caf),
            (.aac, .fragmentedM4A), (.aac, .m4a), (.aac, .caf),
        ])
    func longPadding(codec: OutputCodec, container: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        let input = try write(codec, validFrames: 20_000, in: folder)
        let whole = try decodedChannels(input)
        #expect(whole.map(\.count) == [20_000, 20_000])
        var configuration = FileRemuxerConfiguration()
        configuration.container = container
        let summary = try FileRemuxer(input: input, output: folder.path("copy"), configuration: configuration).run()
        #expect(maximumDifference(try decodedChannels(folder.path("copy")), whole) < 1e-5)
        let gapless = try #require(summary.gapless)
        #expect(gapless.validFrames == 20_000 && gapless.remainderFrames < 1024)
    }

    @Test("A join plays no padding, however long", arguments: [(OutputCodec.opus, "opus"), (.aac, "m4a")])
    func join(codec: OutputCodec, type: String) throws {
        let folder = try TemporaryFolder()
        let input = try write(codec, validFrames: 20_000, in: folder)
        let output = folder.path("joined." + type)
        let summary = try FileRemuxer(joining: [input, input], output: output).run()
        let part = try decodedChannels(input)
        #expect(maximumDifference(try decodedChannels(output), part.map { $0 + $0 }) < 1e-5)
        #expect(summary.accessUnitCount < 2 * 30 && summary.gapFrameCount == 0)
    }
}
