// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

@Suite struct EncodingRangeTests {
    @Test("Encoding a time range yields the same bytes as encoding its samples alone", arguments: [1, 2])
    func range(threadCount: Int) throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(frameCount: 60_000)
        let input = try folder.write(chord.bytes, to: "whole.pcm")
        let part = try folder.write(chord.bytes(of: 11_025..<33_075), to: "part.pcm")
        for rateControl in [AACEncoderConfiguration.RateControl.variable(quality: 40), .average(bitRate: 48_000)] {
            var configuration = chord.configuration
            configuration.settings.rateControl = rateControl
            configuration.threadCount = threadCount
            try FileEncoder(input: part, output: folder.path("part.m4a"), configuration: configuration).run()
            configuration.range = .seconds(0.5)..<Duration.seconds(1.5)
            var fractions: [Double] = []
            let summary = try FileEncoder(input: input, output: folder.path("range.m4a"), configuration: configuration).run { state in
                fractions.append(state.fraction ?? -1)
                return true
            }
            #expect(try bytes(ofFile: folder.path("range.m4a")) == bytes(ofFile: folder.path("part.m4a")))
            #expect(summary.gapless.validFrames == 22_050 && summary.duration == .seconds(1))
            #expect(fractions.last == 1)
        }
    }

    @Test("A range without an end reaches the end of the file; one after the end throws")
    func bounds() throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(frameCount: 30_000)
        let input = try folder.write(chord.bytes, to: "in.pcm")
        var configuration = chord.configuration
        configuration.range = .seconds(1)..<Duration.seconds(Int64.max)
        let encoder = FileEncoder(input: input, output: folder.path("out.m4a"), configuration: configuration)
        #expect(try encoder.run().gapless.validFrames == 30_000 - 22_050)
        configuration.range = .seconds(2)..<Duration.seconds(3)
        #expect(throws: AudioFileError(.emptyRange, path: input)) {
            try FileEncoder(input: input, output: folder.path("none.m4a"), configuration: configuration).run()
        }
        #expect(try folder.contents == ["in.pcm", "out.m4a"])
    }

    @Test("A range that ends far after an input of unknown length reserves no space", arguments: [false, true])
    func distantEnd(isOpus: Bool) throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(sampleRate: 48_000, frameCount: 30_000)
        let pcm = try folder.write(chord.bytes, to: "in.pcm")
        // The length of decoded AAC is known only after reading it.
        try FileEncoder(input: pcm, output: folder.path("in.m4a"), configuration: chord.configuration).run()
        var configuration = FileConverterConfiguration()
        if isOpus { configuration.codec = .opus }
        configuration.range = .seconds(0)..<Duration.seconds(100_000)
        let summary = try FileEncoder(input: folder.path("in.m4a"), output: folder.path("out.m4a"), configuration: configuration).run()
        #expect(summary.gapless.validFrames == 30_000)
        #expect(summary.byteCount < summary.payloadByteCount + 2_000)
    }
}
