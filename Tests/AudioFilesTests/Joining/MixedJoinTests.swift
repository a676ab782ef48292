// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Joins of files with different sample rates and channel counts.
@Suite struct MixedJoinTests {
    /// Writes stereo at 48 kHz, mono at 44.1 kHz in two parts, and stereo at 44.1 kHz.
    private func makeFolder() throws -> (TemporaryFolder, [String]) {
        let folder = try TemporaryFolder()
        try folder.writeChord("a.wav", sampleRate: 48_000, frameCount: 50_001)
        try folder.writeChord("b.wav", sampleRate: 44_100, channelCount: 1, frameCount: 30_000)
        try folder.writeChord("c.wav", sampleRate: 44_100, channelCount: 1, frameCount: 20_011)
        try folder.writeChord("d.wav", sampleRate: 44_100, frameCount: 10_000)
        return (folder, ["a.wav", "b.wav", "c.wav", "d.wav"].map(folder.path))
    }

    private func configuration(sampleRate: Int?, channelCount: Int?) -> FileConverterConfiguration {
        var configuration = FileConverterConfiguration()
        (configuration.sampleRate, configuration.channelCount) = (sampleRate, channelCount)
        configuration.encoding = .float32
        configuration.overwrites = true
        return configuration
    }

    private func join(_ paths: [String], _ output: String, _ configuration: FileConverterConfiguration) throws -> ConversionSummary {
        try FileConverter(joining: paths, output: output, configuration: configuration).run()
    }

    @Test("The output of a join must not be one of its inputs, under any name")
    func outputIsInput() throws {
        let (folder, paths) = try makeFolder()
        let same = folder.path("./b.wav")
        let before = try bytes(ofFile: same)
        #expect(throws: AudioFileError(.outputIsInput, path: same)) {
            try join(paths, same, configuration(sampleRate: 48_000, channelCount: 2))
        }
        #expect(try bytes(ofFile: same) == before)
    }

    @Test("A join is the parts converted alone, one after another", arguments: [(44_100, 2), (48_000, 1), (32_000, 2)])
    func concatenation(rate: Int, count: Int) throws {
        let (folder, paths) = try makeFolder()
        let wanted = configuration(sampleRate: rate, channelCount: count)
        // Two files of one format are one signal to the resampler.
        _ = try join([paths[1], paths[2]], folder.path("bc.wav"), configuration(sampleRate: nil, channelCount: nil))
        var expected: [UInt8] = []
        for name in ["a.wav", "bc.wav", "d.wav"] {
            try FileConverter(input: folder.path(name), output: folder.path("part.raw"), configuration: wanted).run()
            expected += try bytes(ofFile: folder.path("part.raw"))
        }
        let summary = try join(paths, folder.path("whole.raw"), wanted)
        let whole = try bytes(ofFile: folder.path("whole.raw"))
        #expect(whole == expected)
        #expect(summary.frameCount == whole.count / 4 / count && summary.sampleRate == rate && summary.channelCount == count)
    }

    @Test("Chapters start where the files start in the common format")
    func chapters() throws {
        let (folder, paths) = try makeFolder()
        let summary = try join(paths, folder.path("book.m4b"), configuration(sampleRate: 48_000, channelCount: 2))
        let found = try AudioTags(contentsOf: folder.path("book.m4b")).chapters
        #expect(found.map(\.title) == ["a", "b", "c", "d"])
        let lengths = [50_001, (30_000 * 480 + 220) / 441, (50_011 * 480 + 220) / 441]
        #expect(found.map { $0.start(in: 48_000) } == [0, lengths[0], lengths[0] + lengths[1], lengths[0] + lengths[2]])
        #expect(summary.frameCount == lengths[0] + lengths[2] + (10_000 * 480 + 220) / 441)
    }

    @Test("Only the property that differs must be requested", arguments: [("bd", nil, 2), ("ad", 44_100, nil)] as [(String, Int?, Int?)])
    func oneProperty(names: String, rate: Int?, count: Int?) throws {
        let (folder, _) = try makeFolder()
        let paths = names.map { folder.path("\($0).wav") }
        _ = try join(paths, folder.path("x.wav"), configuration(sampleRate: rate, channelCount: count))
        let format = names == "bd" ? (44_100, 1) : (48_000, 2)
        let refusal = AudioFileError(.differentFormat(sampleRate: format.0, channelCount: format.1), path: paths[1])
        let other = configuration(sampleRate: nil, channelCount: nil)
        #expect(throws: refusal) { _ = try join(paths, folder.path("x.wav"), other) }
    }

    @Test("An interrupted join of different formats equals an uninterrupted one")
    func resumed() throws {
        let folder = try TemporaryFolder()
        try folder.writeChord("a.wav", sampleRate: 48_000, frameCount: 330_000)
        try folder.writeChord("b.wav", sampleRate: 22_050, channelCount: 1, frameCount: 60_000)
        var wanted = configuration(sampleRate: 44_100, channelCount: 2)
        wanted.settings.effort = .fast
        wanted.bitRate = 64_000
        let paths = ["a.wav", "b.wav"].map(folder.path)
        _ = try join(paths, folder.path("once.m4a"), wanted)
        var converter = FileConverter(joining: paths, output: folder.path("book.m4a"), configuration: wanted)
        converter.unfinished = UnfinishedJoin(output: folder.path("book.m4a"), settings: []) { _ in }
        let stopped = try? converter.run { state in state.framesRead < 400_000 }
        #expect(stopped == nil)
        #expect(UnfinishedJoin.exists(output: folder.path("book.m4a")))
        try converter.run()
        #expect(try bytes(ofFile: folder.path("book.m4a")) == bytes(ofFile: folder.path("once.m4a")))
    }
}
