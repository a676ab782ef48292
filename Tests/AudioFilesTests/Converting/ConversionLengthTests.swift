// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Lengths of conversions, in sample frames.
@Suite struct ConversionLengthTests {
    private static let rates = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000]

    @Test("Resampling yields the nearest number of frames for every pair of rates", arguments: rates)
    func rateChanges(input: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeChord("a.wav", sampleRate: input, channelCount: 1, frameCount: 3333)
        for output in Self.rates {
            let summary = try folder.convert("a.wav", "b.flac") {
                $0.sampleRate = output
                $0.rateQuality = .low
            }
            let expected = (2 * 3333 * output + input) / (2 * input)
            #expect(summary.frameCount == expected && summary.framesRead == 3333, "\(input) to \(output)")
            #expect(try PCMFileReader(path: folder.path("b.flac")).properties.frameCount == expected)
            #expect(summary.dither == (input == output ? .none : .triangular))
        }
    }

    @Test(
        "A round trip through every codec keeps the length, at each supported rate",
        arguments: [("a.m4a", OutputCodec.aac), ("a.caf", .aac), ("a.opus", .opus), ("a.m4a", .opus), ("a.caf", .opus)])
    func codecs(name: String, codec: OutputCodec) throws {
        let folder = try TemporaryFolder()
        for rate in [16_000, 44_100, 48_000] {
            for frameCount in [0, 1, 5000] {
                try folder.writeChord("in.wav", sampleRate: rate, frameCount: frameCount)
                let summary = try folder.convert("in.wav", name) { $0.codec = codec }
                let coded = summary.sampleRate
                let expected = (2 * frameCount * coded + rate) / (2 * rate)
                #expect(summary.frameCount == expected, "\(rate) Hz")
                let back = try folder.convert(name, "back.wav")
                // Opus always decodes at 48 kHz.
                #expect(back.frameCount == expected * back.sampleRate / coded, "\(rate) Hz")
                #expect(back.encoding == .float32)
            }
        }
    }

    @Test("Transcoding keeps the length", arguments: [("a.m4a", "b.opus"), ("a.opus", "b.m4a"), ("a.m4a", "b.caf")])
    func transcoding(first: String, second: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeChord(sampleRate: 48_000, frameCount: 9999)
        try folder.convert("in.wav", first)
        let summary = try folder.convert(first, second) { $0.codec = second == "b.caf" ? .aac : nil }
        #expect(summary.frameCount == 9999)
        #expect(try folder.convert(second, "back.flac").frameCount == 9999)
    }
}
