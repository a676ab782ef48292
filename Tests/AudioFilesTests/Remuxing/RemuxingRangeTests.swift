// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

@Suite struct RemuxingRangeTests {
    private func encode(
        _ name: String, in folder: TemporaryFolder, sampleRate: Int = 22_050, frameCount: Int,
        profile: AACProfile = .lowComplexity
    ) throws -> String {
        let chord = ChordFile(sampleRate: sampleRate, frameCount: frameCount)
        var configuration = chord.configuration
        configuration.settings.profile = profile
        if profile != .lowComplexity { configuration.settings.rateControl = .average(bitRate: 32_000) }
        let input = try folder.write(chord.bytes, to: "in.pcm")
        try FileEncoder(input: input, output: folder.path(name), configuration: configuration).run()
        return folder.path(name)
    }

    /// Remuxes a range.
    ///
    /// Returns the summary.
    private func remux(_ input: String, to output: String, _ range: Range<Duration>) throws -> RemuxingSummary {
        var configuration = FileRemuxerConfiguration()
        configuration.range = range
        configuration.overwrites = true
        return try FileRemuxer(input: input, output: output, configuration: configuration).run()
    }

    @Test("Durations in milliseconds are not rounded one by one")
    func otherTimescale() throws {
        let folder = try TemporaryFolder()
        let samples = try folder.write([UInt8](repeating: 1, count: 100 * 4096 * 2), to: "in.pcm")
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: 44_100, channelCount: 1)
        configuration.codec = .alac
        try FileConverter(input: samples, output: folder.path("in.m4a"), configuration: configuration).run()
        var file = try bytes(ofFile: folder.path("in.m4a"))
        // The timescale and duration of the track, and the duration of all access units.
        for (box, offset, values) in [("mdhd", 16, [1000, 9300]), ("stts", 16, [93])] as [(String, Int, [Int])] {
            let name = try #require(file.firstRange(of: Array(box.utf8)))
            for (index, value) in values.enumerated() {
                let start = name.lowerBound + offset + 4 * index
                file.replaceSubrange(start..<start + 4, with: [0, 0, UInt8(value >> 8), UInt8(value & 0xFF)])
            }
        }
        let summary = try remux(try folder.write(file, to: "in.m4a"), to: folder.path("out.m4a"), .seconds(0.25)..<Duration.seconds(8))
        let expected = Double(summary.frameCount) * 44.1
        #expect(abs(Double(try #require(summary.gapless).totalFrames) - expected) < 1)
    }

    @Test(
        "A range decodes to exactly the same frames of the whole file",
        arguments: ["whole.m4a", "whole.caf"], ["part.m4a", "part.caf"])
    func exactRange(inputName: String, outputName: String) throws {
        let folder = try TemporaryFolder()
        let input = try encode(inputName, in: folder, sampleRate: 44_100, frameCount: 60_000)
        let whole = try decodedChannels(input)
        // Near the start, a few samples inside, and up to the end.
        for (first, last) in [(0, 5_000), (1, 2), (11_025, 33_075), (22_051, 22_052), (40_000, 90_000)] {
            let range = Duration.seconds(Double(first) / 44_100)..<Duration.seconds(Double(last) / 44_100)
            let summary = try remux(input, to: folder.path(outputName), range)
            let part = try decodedChannels(folder.path(outputName))
            let expected = whole.map { Array($0[first..<min(last, 60_000)]) }
            #expect(maximumDifference(part, expected) < 1e-5, "\(first)..<\(last)")
            #expect(summary.gapless?.validFrames == expected[0].count)
            #expect(summary.gapless?.totalFrames == summary.accessUnitCount * 1024)
            #expect(summary.accessUnitCount <= (last - first) / 1024 + 4)
        }
    }

    @Test(
        "A range of HE-AAC v2 decodes with the whole file's stereo image from its first frame",
        arguments: ["whole.m4a", "whole.caf"])
    func parametricStereo(name: String) throws {
        let folder = try TemporaryFolder()
        let input = try encode(name, in: folder, sampleRate: 44_100, frameCount: 330_000, profile: .highEfficiencyV2)
        let whole = try decodedChannels(input)
        for first in stride(from: 150_000, to: 320_000, by: 11_111) {
            let range = Duration.seconds(Double(first) / 44_100)..<Duration.seconds(Double(first + 8_000) / 44_100)
            let part = try decodedChannels(input, range: range)
            // SBR noise has different random values.
            #expect(maximumDifference(part, whole.map { Array($0[first..<first + 8_000]) }) < 0.02, "\(first)")
        }
    }

    @Test(
        "A range of xHE-AAC starts with an access point and decodes to the same frames of the whole file",
        arguments: ["whole.m4a", "whole.loas"], ["part.m4a", "part.caf", "part.loas"])
    func accessPoints(inputName: String, outputName: String) throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(sampleRate: 48_000, frameCount: 120_000)
        var configuration = chord.configuration
        configuration.settings.profile = .extendedHighEfficiency
        configuration.settings.rateControl = .average(bitRate: 128_000)
        configuration.settings.accessPointInterval = 0.5
        configuration.settings.usesNoiseSubstitution = false
        let input = folder.path(inputName)
        try FileEncoder(input: folder.write(chord.bytes, to: "in.pcm"), output: input, configuration: configuration).run()
        let whole = try decodedChannels(input)
        for (first, last) in [(0, 5_000), (1, 2), (30_000, 60_000), (47_999, 48_001), (100_000, 200_000)] {
            let range = Duration.seconds(Double(first) / 48_000)..<Duration.seconds(Double(last) / 48_000)
            let summary = try remux(input, to: folder.path(outputName), range)
            let part = try decodedChannels(folder.path(outputName))
            let expected = whole.map { Array($0[first..<min(last, $0.count)]) }
            if outputName.hasSuffix("loas") {
                // Whole access units, from the last access point before the range on.
                let priming = part[0].count - expected[0].count
                #expect(priming >= 0 && priming < 30_000)
                continue
            }
            #expect(maximumDifference(part, expected) < 1e-5, "\(first)..<\(last)")
            #expect(summary.accessUnitCount <= (last - first) / 1024 + 28)
        }
    }

    @Test("A range of AAC-ELD with SBR, decoded or copied, has no damage")
    func lowDelay() throws {
        let folder = try TemporaryFolder()
        let input = try encode("whole.m4a", in: folder, sampleRate: 44_100, frameCount: 200_000, profile: .enhancedLowDelay)
        for first in stride(from: 60_000, to: 190_000, by: 3_777) {
            let range = Duration.seconds(Double(first) / 44_100)..<Duration.seconds(Double(first + 2_000) / 44_100)
            var configuration = FileDecoderConfiguration()
            configuration.range = range
            let decoder = try FileDecoder(path: input, configuration: configuration)
            while try decoder.next() != nil {}
            #expect(decoder.statistics.isIntact, "from \(first)")
            _ = try remux(input, to: folder.path("part.m4a"), range)
            #expect(try ProbeSummary(contentsOf: folder.path("part.m4a"), decodes: true).highBandLossCount == 0, "from \(first)")
        }
    }

    @Test("ADTS input counts from its first decoded frame; ADTS output has whole access units")
    func streams() throws {
        let folder = try TemporaryFolder()
        let input = try encode("whole.aac", in: folder, frameCount: 60_000)
        let whole = try decodedChannels(input)
        let range = Duration.seconds(1)..<Duration.seconds(1.5)
        let expected = whole.map { Array($0[22_050..<33_075]) }
        _ = try remux(input, to: folder.path("part.m4a"), range)
        #expect(maximumDifference(try decodedChannels(folder.path("part.m4a")), expected) < 1e-5)
        let summary = try remux(input, to: folder.path("part.aac"), range)
        let part = try decodedChannels(folder.path("part.aac"))
        #expect(part[0].count == summary.accessUnitCount * 1024)
        // One access unit before the first frame's, and the remainder of the last frame's.
        let start = 22_050 - 22_050 / 1024 * 1024 + 1024
        #expect(maximumDifference(part.map { Array($0[start..<start + 11_025]) }, expected) < 1e-5)
        #expect(part[0].count < 11_025 + 3 * 1024)
    }

    @Test("A range of HE-AAC starts with active SBR")
    func highEfficiency() throws {
        let folder = try TemporaryFolder()
        let input = try encode("whole.m4a", in: folder, sampleRate: 44_100, frameCount: 300_000, profile: .highEfficiency)
        let whole = try decodedChannels(input)
        #expect(whole.map(\.count) == [300_000, 300_000])
        _ = try remux(input, to: folder.path("part.m4a"), .seconds(5)..<Duration.seconds(6))
        let part = try decodedChannels(folder.path("part.m4a"))
        // SBR noise has a running index, which is reset.
        let expected = whole.map { Array($0[220_500..<264_600]) }
        #expect(part.map(\.count) == [44_100, 44_100])
        let energy = expected[0].reduce(0) { $0 + $1 * $1 }
        let error = zip(part[0], expected[0]).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        #expect(error < 0.001 * energy)
    }

    @Test("A range after the end throws and leaves no output")
    func emptyRange() throws {
        let folder = try TemporaryFolder()
        for name in ["whole.m4a", "whole.aac"] {
            let input = try encode(name, in: folder, frameCount: 10_000)
            #expect(throws: AudioFileError(.emptyRange, path: input)) {
                try remux(input, to: folder.path("part.m4a"), .seconds(5)..<Duration.seconds(6))
            }
        }
        #expect(try folder.contents == ["in.pcm", "whole.aac", "whole.m4a"])
    }

    @Test("A range that ends far after the input reserves no space", arguments: ["in.aac", "in.m4a", "in.caf"])
    func distantEnd(name: String) throws {
        let folder = try TemporaryFolder()
        let input = try encode(name, in: folder, frameCount: 30_000)
        let inputSize = try bytes(ofFile: input).count
        let summary = try remux(input, to: folder.path("out.m4a"), .seconds(0)..<Duration.seconds(100_000))
        #expect(summary.byteCount < inputSize + 2_000)
    }
}
