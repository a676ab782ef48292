// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Joins and splits of encoded audio without decoding.
@Suite struct RemuxingJoinTests {
    private static let lengths = [20_000, 9_999, 15_001]

    /// Encodes chords of different lengths.
    private func encode(_ folder: TemporaryFolder, _ type: String, sampleRate: Int = 22_050, lengths: [Int] = lengths) throws -> [String] {
        try lengths.enumerated().map { index, length in
            let chord = ChordFile(sampleRate: sampleRate, frameCount: length)
            let input = try folder.write(chord.bytes, to: "in.pcm")
            try FileEncoder(input: input, output: folder.path("part\(index).\(type)"), configuration: chord.configuration).run()
            return folder.path("part\(index).\(type)")
        }
    }

    private func join(_ paths: [String], _ output: String) throws -> RemuxingSummary {
        var configuration = FileRemuxerConfiguration()
        configuration.overwrites = true
        return try FileRemuxer(joining: paths, output: output, configuration: configuration).run()
    }

    /// Returns the decoded parts, one after another.
    private func concatenation(_ paths: [String]) throws -> [[Float]] {
        let parts = try paths.map { try decodedChannels($0) }
        return parts[0].indices.map { channel in parts.flatMap { $0[channel] } }
    }

    @Test("The output of a join must not be one of its inputs, under any name")
    func outputIsInput() throws {
        let folder = try TemporaryFolder()
        let paths = try encode(folder, "m4a")
        let same = folder.path("./part1.m4a")
        #expect(throws: AudioFileError(.outputIsInput, path: same)) { try join(paths, same) }
    }

    @Test("A join plays exactly the parts", arguments: [("m4a", "m4a", 22_050), ("caf", "m4a", 22_050), ("opus", "opus", 48_000)])
    func gapless(type: String, outputType: String, rate: Int) throws {
        let folder = try TemporaryFolder()
        let paths = try encode(folder, type, sampleRate: rate)
        let output = folder.path("whole." + outputType)
        let summary = try join(paths, output)
        #expect(maximumDifference(try decodedChannels(output), try concatenation(paths)) < 1e-5)
        #expect(summary.gapFrameCount == 0 && summary.unstatedPartCount == 0 && summary.unsettledPartCount == 0)
        let chapters = try AudioTags(contentsOf: output).chapters
        #expect(chapters.map(\.title) == ["part0", "part1", "part2"])
        #expect(chapters.map { $0.start(in: rate) } == [0, Self.lengths[0], Self.lengths[0] + Self.lengths[1]])
    }

    @Test("A joined file is split into its parts, and a range across a joint plays what the whole does", arguments: [22_050, 48_000])
    func splitJoin(rate: Int) throws {
        let folder = try TemporaryFolder()
        let paths = try encode(folder, "m4a", sampleRate: rate)
        let whole = folder.path("whole.m4a")
        _ = try join(paths, whole)
        let parts = try write(try ChapterSplit(path: whole), of: whole, folder, "m4a")
        #expect(parts.count == 3)
        for (part, original) in zip(parts, paths) {
            #expect(maximumDifference(try decodedChannels(part), try decodedChannels(original)) < 1e-5)
            #expect(try AccessUnitReader(path: part).metadata.omittedRanges.isEmpty)
        }
        // At lower rates, a part begins with all access units that implicit SBR may need.
        if rate == 48_000 {
            let split = try ChapterSplit(path: whole, byteCount: 9000, container: .m4a)
            try #require(split.parts.count > 1)
            let sizes = try write(split, of: whole, folder, "m4a", name: "size")
            #expect(maximumDifference(try concatenation(sizes), try decodedChannels(whole)) < 1e-5)
        }
        var configuration = FileRemuxerConfiguration()
        let all = try concatenation(paths)
        for (range, gaps) in [(19_000..<31_000, 2), (20_000..<29_999, 0), (1..<20_001, 1), (29_998..<40_000, 1)] {
            let (first, end) = (
                Duration(frameCount: range.lowerBound, sampleRate: rate), Duration(frameCount: range.upperBound, sampleRate: rate)
            )
            configuration.range = first..<end
            let output = folder.path("\(range.lowerBound).m4a")
            let summary = try FileRemuxer(input: whole, output: output, configuration: configuration).run()
            #expect(maximumDifference(try decodedChannels(output), all.map { Array($0[range]) }) < 1e-5)
            #expect(try AccessUnitReader(path: output).metadata.omittedRanges.count == gaps)
            #expect(summary.restoredFrameCount == 0)
        }
        // A copy keeps the gaps, and ADTS plays them.
        try FileRemuxer(input: whole, output: folder.path("copy.m4a")).run()
        #expect(try decodedChannels(folder.path("copy.m4a")) == decodedChannels(whole))
        let adts = try FileRemuxer(input: whole, output: folder.path("copy.aac")).run()
        #expect(try adts.restoredFrameCount == AccessUnitReader(path: whole).metadata.omittedFrameCount)
    }

    @Test("A join counts the priming and padding that the container plays", arguments: ["caf", "aac"])
    func gaps(type: String) throws {
        let folder = try TemporaryFolder()
        let paths = try encode(folder, "m4a")
        let output = folder.path("whole." + type)
        let summary = try join(paths, output)
        let gapless = try paths.map { try #require(try AccessUnitReader(path: $0).metadata.gaplessInfo) }
        let total = gapless.reduce(0) { $0 + $1.totalFrames }
        let gaps = total - Self.lengths.reduce(0, +) - gapless[0].primingFrames - gapless[2].remainderFrames
        #expect(summary.gapFrameCount == gaps && gaps > 2048)
        let decoded = try decodedChannels(output)[0].count
        #expect(decoded == (type == "caf" ? Self.lengths.reduce(0, +) + gaps : total))
    }

    @Test("A join counts the frames of Apple Lossless packets, not their rounded durations in the container")
    func packetLengths() throws {
        let folder = try TemporaryFolder()
        let configuration = CodecConfiguration.alac(ALACConfiguration(sampleRate: 44_100, channelCount: 1))
        var writer = try MP4Writer(to: MemorySink(), configuration)
        // The header of the packet states no length, so that it has the usual 4096 frames, or 92.88 ms.
        for index in 0..<10 {
            let time = MediaTime(value: Int64(index) * 93, timescale: 1000)
            try writer.append(AccessUnit(payload: [UInt8](repeating: 0, count: 16), presentationTime: time, duration: 93))
        }
        try writer.finish()
        let path = try folder.write(writer.sink.bytes, to: "in.m4a")
        #expect(try join([path, path], folder.path("whole.m4a")).frameCount == 20 * 4096)
    }

    @Test("Inputs without stated priming are counted")
    func unstated() throws {
        let folder = try TemporaryFolder()
        let paths = try encode(folder, "aac")
        let summary = try join(paths, folder.path("whole.aac"))
        #expect(summary.unstatedPartCount == 3 && summary.gapFrameCount == 0)
        #expect(try bytes(ofFile: folder.path("whole.aac")) == paths.flatMap { try bytes(ofFile: $0) })
    }

    @Test("Inputs of another configuration are refused with both in words, and leave no output")
    func configurations() throws {
        let folder = try TemporaryFolder()
        let first = try encode(folder, "m4a", lengths: [5000])[0]
        let other = try encode(folder, "caf", sampleRate: 44_100, lengths: [5000])[0]
        let refusal = AudioFileError(
            .differentCodec(
                found: "AAC LC, 44100 Hz, 2 channels, 1024 frames per access unit",
                expected: "AAC LC, 22050 Hz, 2 channels, 1024 frames per access unit"), path: other)
        #expect(throws: refusal) { _ = try join([first, other], folder.path("whole.m4a")) }
        #expect(try folder.contents == ["in.pcm", "part0.caf", "part0.m4a"])
    }

    /// Writes the parts of a split and returns their paths.
    private func write(_ split: ChapterSplit, of input: String, _ folder: TemporaryFolder, _ type: String, name: String = "split") throws
        -> [String]
    {
        try split.parts.enumerated().map { index, part in
            let output = folder.path("\(name)\(index)." + type)
            try FileRemuxer(input: input, output: output, configuration: FileRemuxerConfiguration().copying(part)).run()
            return output
        }
    }

    @Test("The parts of a split play exactly the whole", arguments: ["m4a", "caf"])
    func parts(type: String) throws {
        let folder = try TemporaryFolder()
        let input = try encode(folder, type, lengths: [60_000])[0]
        let split = try ChapterSplit(path: input, interval: .seconds(0.7))
        let paths = try write(split, of: input, folder, type)
        #expect(paths.count == 4)
        #expect(maximumDifference(try concatenation(paths), try decodedChannels(input)) < 1e-5)
        #expect(try AudioTags(contentsOf: paths[1]).track == .init(number: 2, total: 4))
    }

    @Test("Parts without stored priming are consecutive access units")
    func consecutive() throws {
        let folder = try TemporaryFolder()
        let input = try encode(folder, "aac", lengths: [60_000])[0]
        let paths = try write(try ChapterSplit(path: input, interval: .seconds(0.7), container: .adts), of: input, folder, "aac")
        #expect(paths.count == 4)
        #expect(try paths.flatMap { try bytes(ofFile: $0) } == bytes(ofFile: input))
    }

    @Test("Parts of a size do not exceed it and play exactly the whole", arguments: [("m4a", 20_000), ("aac", 10_000)])
    func sizes(type: String, limit: Int) throws {
        let folder = try TemporaryFolder()
        let input = try encode(folder, type, lengths: [120_000])[0]
        let split = try ChapterSplit(path: input, byteCount: limit, container: type == "m4a" ? .m4a : .adts)
        let paths = try write(split, of: input, folder, type)
        let sizes = try paths.map { try bytes(ofFile: $0).count }
        #expect(paths.count > 1 && sizes.allSatisfy { $0 <= limit } && sizes.dropLast().allSatisfy { 2 * $0 > limit }, "\(sizes)")
        if type == "m4a" { #expect(maximumDifference(try concatenation(paths), try decodedChannels(input)) < 1e-5) }
        #expect(try ChapterSplit(path: input, byteCount: 4200, container: .m4a).parts.isEmpty)
    }
}
