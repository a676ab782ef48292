// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import TestSupport
import Testing

struct SampleConversionTests {
    @Test("Every pair of encodings agrees bit-exactly with a model", arguments: SampleEncoding.allCases)
    func pairs(input: SampleEncoding) throws {
        for (index, output) in SampleEncoding.allCases.enumerated() {
            let seed = UInt64(index)
            var random = SeededRandom(seed: seed)
            let channelCount = Int.random(in: 1...4, using: &random)
            let bytes = ReferenceSamples.random(2311 * channelCount, input, &random)
            let expected = stride(from: 0, to: bytes.count, by: input.byteCount).flatMap {
                ReferenceSamples.bytes(ReferenceSamples.value(bytes[$0..<$0 + input.byteCount], input), output)
            }
            let converted = try AudioConverter.convert(
                bytes, from: AudioFormat(input, sampleRate: 48_000, channelCount: channelCount),
                to: AudioFormat(output, sampleRate: 48_000, channelCount: channelCount), &random)
            #expect(converted == expected, "\(input) to \(output), seed \(seed)")
        }
    }

    @Test("Interleaved samples survive the round trip through planar ones", arguments: SampleEncoding.allCases, [1, 2, 3, 6])
    func interleaving(encoding: SampleEncoding, channelCount: Int) throws {
        var random = SeededRandom(seed: 5)
        let interleaved = AudioFormat(encoding, sampleRate: 48_000, channelCount: channelCount)
        let planar = AudioFormat(encoding, sampleRate: 48_000, channelCount: channelCount, isInterleaved: false)
        let bytes = ReferenceSamples.random(200 * channelCount, encoding, &random)
        let converter = try AudioConverter(from: .pcm(interleaved), to: .pcm(planar))
        try converter.append(bytes.span.bytes)
        var planes: [UInt8] = []
        #expect(converter.read(1000, into: &planes) == 200)
        #expect(planes == ReferenceSamples.planar(bytes, encoding, channelCount: channelCount))
        let back = try AudioConverter(from: .pcm(planar), to: .pcm(interleaved))
        try back.append(planes.span.bytes)
        var result: [UInt8] = []
        #expect(back.read(1000, into: &result) == 200)
        #expect(result == bytes)
    }

    @Test("NaN becomes zero in integers")
    func notANumber() throws {
        var random = SeededRandom(seed: 1)
        for output in SampleEncoding.allCases where !output.isFloat {
            for input in [SampleEncoding.float32, .float64] {
                let bytes = ReferenceSamples.bytes(.nan, input) + ReferenceSamples.bytes(.infinity, input)
                let converted = try AudioConverter.convert(
                    bytes, from: AudioFormat(input, sampleRate: 8000, channelCount: 1),
                    to: AudioFormat(output, sampleRate: 8000, channelCount: 1), &random)
                #expect(converted == ReferenceSamples.bytes(0, output) + ReferenceSamples.bytes(2, output))
            }
        }
    }

    @Test("A format survives the round trip through a stream description", arguments: SampleEncoding.allCases, [true, false])
    func descriptions(encoding: SampleEncoding, isInterleaved: Bool) {
        let format = AudioFormat(encoding, sampleRate: 44_100, channelCount: 3, isInterleaved: isInterleaved)
        #expect(AudioFormat(format.streamDescription) == format)
    }

    @Test("Stream descriptions of other formats create no format")
    func otherDescriptions() {
        #expect(AudioFormat(StreamDescription(formatID: .mpeg4AAC, sampleRate: 44_100, channelCount: 2)) == nil)
        let format = AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)
        var description = format.streamDescription
        description.bitsPerChannel = 20
        #expect(AudioFormat(description) == nil)
        description = format.streamDescription
        description.bytesPerFrame = 8
        #expect(AudioFormat(description) == nil)
        description = format.streamDescription
        description.formatFlags.remove(.isSignedInteger)
        #expect(AudioFormat(description) == nil)
    }
}
