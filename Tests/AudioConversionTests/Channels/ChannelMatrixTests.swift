// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import TestSupport
import Testing

struct ChannelMatrixTests {
    static let layouts: [ChannelLayout] = [
        ChannelLayout([.center]), ChannelLayout([.left, .right]), ChannelLayout([.left, .right, .center]),
        ChannelLayout([.left, .right, .center, .backCenter]), ChannelLayout([.left, .right, .center, .sideLeft, .sideRight]),
        ChannelLayout([.left, .right, .center, .lowFrequency, .sideLeft, .sideRight]),
        ChannelLayout([.center, .left, .right, .sideLeft, .sideRight, .lowFrequency]),
        ChannelLayout([.left, .right, .center, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight]),
        ChannelLayout([.left, .right, .center, .lowFrequency, .leftOfCenter, .rightOfCenter, .sideLeft, .sideRight]),
    ]

    @Test("Mixing between any two layouts never clips and loses only LFE", arguments: layouts)
    func bounds(input: ChannelLayout) {
        for output in Self.layouts {
            let matrix = ChannelMatrix(
                from: ChannelMatrix.Channels(count: input.channelCount, layout: input),
                to: ChannelMatrix.Channels(count: output.channelCount, layout: output))
            #expect(matrix.gains.count == output.channelCount)
            for row in matrix.gains {
                #expect(row.count == input.channelCount)
                #expect(row.allSatisfy { $0 >= 0 } && row.reduce(0, +) <= 1.000_001)
            }
            for (channel, speaker) in input.speakers.enumerated() where speaker != .lowFrequency {
                #expect(matrix.gains.contains { $0[channel] > 0 }, "\(speaker) of \(input) in \(output)")
            }
        }
    }

    @Test("Equal layouts in a different order are copied", arguments: layouts)
    func order(layout: ChannelLayout) throws {
        let reversed = ChannelLayout(layout.speakers.reversed())
        let format = AudioFormat(.int32, sampleRate: 48_000, channelCount: layout.channelCount, channelLayout: layout)
        let other = AudioFormat(.int32, sampleRate: 48_000, channelCount: layout.channelCount, channelLayout: reversed)
        var random = SeededRandom(seed: 8)
        let bytes = ReferenceSamples.random(50 * layout.channelCount, .int32, &random)
        let turned = try AudioConverter.convert(bytes, from: format, to: other, &random)
        let first = stride(from: 0, to: 4 * layout.channelCount, by: 4).map { Array(bytes[$0..<$0 + 4]) }
        #expect(Array(turned.prefix(4 * layout.channelCount)) == first.reversed().flatMap { $0 })
        #expect(try AudioConverter.convert(turned, from: other, to: format, &random) == bytes)
    }

    @Test("A map copies, repeats and silences channels")
    func maps() throws {
        var options = AudioConverterOptions()
        options.channels = .map([1, nil, 0, 1])
        var random = SeededRandom(seed: 1)
        let converted = try AudioConverter.convert(
            [1, 2, 3, 4], from: AudioFormat(.signed8, sampleRate: 8000, channelCount: 2),
            to: AudioFormat(.signed8, sampleRate: 8000, channelCount: 4), options: options, &random)
        #expect(converted == [2, 0, 1, 2, 4, 0, 3, 4])
    }

    @Test("A matrix mixes with a single rounding")
    func matrices() throws {
        var options = AudioConverterOptions()
        options.channels = .matrix(ChannelMatrix([[0.5, 0.5], [1, -1]]))
        var random = SeededRandom(seed: 2)
        let bytes = [1000, 3000, -7, 20].flatMap { ReferenceSamples.bytes(Double($0) / 32_768, .int16) }
        let format = AudioFormat(.int16, sampleRate: 8000, channelCount: 2)
        let converted = try AudioConverter.convert(bytes, from: format, to: format, options: options, &random)
        // 6.5 is a tie, which rounds to even.
        #expect(converted == [2000, -2000, 6, -27].flatMap { ReferenceSamples.bytes(Double($0) / 32_768, .int16) })
    }

    @Test("A map or matrix with mismatched dimensions throws")
    func shapes() {
        let format = AudioFormat(.int16, sampleRate: 8000, channelCount: 2)
        for channels in [
            ChannelMapping.map([0]), .map([0, 2]), .map([-1, 0]), .matrix(ChannelMatrix([[1, 0]])), .matrix(ChannelMatrix([[1], [0]])),
        ] {
            var options = AudioConverterOptions()
            options.channels = channels
            let error = #expect(throws: CodecError.self) {
                try AudioConverter(from: .pcm(format), to: .pcm(format), options: options)
            }
            #expect(error == .channelMappingMismatch(inputs: 2, outputs: 2))
        }
    }

    @Test("Unknown layouts are downmixed as the default layout", arguments: 3...8)
    func unknownSpeakers(count: Int) throws {
        let unknown = ChannelMatrix.Channels(count: count)
        let usual = ChannelMatrix.Channels(count: count, layout: ChannelLayout(usualChannelCount: count))
        for output in 1..<count {
            let target = ChannelMatrix.Channels(count: output)
            let gains = ChannelMatrix(from: unknown, to: target).gains
            #expect(gains == ChannelMatrix(from: usual, to: target).gains)
            for (channel, speaker) in (usual.layout?.speakers ?? []).enumerated() where speaker != .lowFrequency {
                #expect(gains.contains { $0[channel] > 0 }, "\(speaker) of \(count) in \(output)")
            }
        }
        let stereo = ChannelMatrix(from: unknown, to: ChannelMatrix.Channels(count: 2)).gains
        guard count == 6 else { return }
        for (gain, expected) in zip(stereo[0], [0.4142, 0, 0.2929, 0, 0.2929, 0]) { #expect(abs(gain - expected) < 1e-4) }
    }

    @Test("Without a default layout, each output is the mean of all inputs", arguments: [10, 16], [1, 2, 6])
    func mean(count: Int, output: Int) {
        let matrix = ChannelMatrix(from: ChannelMatrix.Channels(count: count), to: ChannelMatrix.Channels(count: output))
        #expect(matrix.gains.count == output)
        for row in matrix.gains { #expect(row.allSatisfy { abs($0 - 1 / Double(count)) < 1e-6 }) }
    }

    @Test("Mono is mapped to the center or to both sides")
    func mono() {
        let mono = ChannelMatrix.Channels(count: 1, layout: ChannelLayout([.center]))
        let surround = ChannelMatrix.Channels(count: 6, layout: Self.layouts[5])
        #expect(ChannelMatrix(from: mono, to: surround).gains == [[0], [0], [1], [0], [0], [0]])
        #expect(ChannelMatrix(from: mono, to: ChannelMatrix.Channels(count: 2)).gains == [[1], [1]])
        #expect(ChannelMatrix(from: ChannelMatrix.Channels(count: 2), to: mono).gains == [[0.5, 0.5]])
    }
}
