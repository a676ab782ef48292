// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import Testing

@Suite struct PCMBufferConverterTests {
    private func buffer(_ rate: Int, _ channels: Int, _ frames: Int, _ value: Float) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: rate, channelCount: channels, frameCapacity: frames)
        for index in buffer.samples.indices { buffer.samples[index] = value }
        return buffer
    }

    /// Converts one second of each format to the first one.
    ///
    /// Returns the first output channel.
    private func run(_ formats: [(rate: Int, channels: Int)]) throws -> [Float] {
        let first = formats[0]
        let converter = PCMBufferConverter(sampleRate: first.rate, channels: ChannelMatrix.Channels(count: first.channels))
        var result: [Float] = []
        func take(_ converted: PCMBuffer) {
            #expect(converted.sampleRate == first.rate && converted.channelCount == first.channels)
            result += converted.channel(0)
        }
        for (rate, channels) in formats {
            for _ in 0..<10 { take(try converter.convert(buffer(rate, channels, rate / 10, 0.5))) }
        }
        take(try converter.finish())
        #expect(try converter.finish().frameCount == 0)
        return result
    }

    @Test func convertsChannelsToTheOutput() throws {
        let frames = try run([(8000, 1), (8000, 2), (8000, 1), (8000, 6)])
        #expect(frames.count == 32_000)
        #expect(frames.allSatisfy { abs($0 - 0.5) < 1e-6 })
    }

    @Test func convertsSampleRatesWithoutLosingFrames() throws {
        let frames = try run([(8000, 1), (16_000, 2), (8000, 1), (12_000, 1)])
        #expect(frames.count == 32_000)
        // The level is constant away from the boundaries, where a filter starts and ends in silence.
        for second in 0..<4 { #expect(abs(frames[second * 8000 + 4000] - 0.5) < 1e-3) }
    }

    @Test func returnsABufferInTheOutputFormatUnchanged() throws {
        let converter = PCMBufferConverter(sampleRate: 8000, channels: ChannelMatrix.Channels(count: 2))
        let input = buffer(8000, 2, 100, 0.1)
        #expect(try converter.convert(input) == input)
        #expect(try converter.finish().frameCount == 0)
    }

    @Test("5.1 is downmixed to stereo by its layout, or by the default layout if unknown")
    func downmixesKnownLayouts() throws {
        var surround = buffer(8000, 6, 4, 0)
        for frame in 0..<4 { surround.samples[surround.range(ofChannel: 0).lowerBound + frame] = 0.5 }
        let layout = ChannelLayout([.center, .left, .right, .backLeft, .backRight, .lowFrequency])
        for (layout, expected) in [(layout, 0.5 / (2 + 2.squareRoot())), (nil, 0.5 / (1 + 2.squareRoot()))] as [(ChannelLayout?, Double)] {
            let converter = PCMBufferConverter(sampleRate: 8000, channels: ChannelMatrix.Channels(count: 2))
            let result = try converter.convert(surround, layout: layout)
            #expect(result.channelCount == 2 && abs(Double(result.channel(0)[0]) - expected) < 1e-6)
            #expect((result.channel(1)[0] != 0) == (layout != nil))
        }
    }

    @Test func anUnsupportedSampleRateThrows() throws {
        let converter = PCMBufferConverter(sampleRate: 96_000, channels: ChannelMatrix.Channels(count: 1))
        #expect(throws: CodecError.self) { try converter.convert(buffer(100, 1, 10, 0)) }
    }
}
