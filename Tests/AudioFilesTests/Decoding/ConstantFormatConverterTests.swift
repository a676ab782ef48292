// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import Testing

@testable import AudioFiles

@Suite struct ConstantFormatConverterTests {
    private func buffer(_ rate: Int, _ channels: Int, _ frames: Int, _ value: Float) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: rate, channelCount: channels, frameCapacity: frames)
        for index in buffer.samples.indices { buffer.samples[index] = value }
        return buffer
    }

    /// All frames that come out of a second of each format.
    private func run(_ formats: [(rate: Int, channels: Int)]) throws -> (frames: [Float], changes: Int) {
        var steady = ConstantFormatConverter()
        var result: [Float] = []
        var changes = 0
        var sound = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        func take() {
            #expect(sound.sampleRate == formats[0].rate && sound.channelCount == formats[0].channels)
            result += sound.channel(0)
        }
        for (rate, channels) in formats {
            for _ in 0..<10 {
                sound = buffer(rate, channels, rate / 10, 0.5)
                if try steady.follow(&sound, converts: true) { changes += 1 }
                take()
                if steady.dequeuePending(into: &sound) { take() }
            }
        }
        if try steady.finish(into: &sound) { take() }
        return (result, changes)
    }

    @Test func channelsAreBroughtToThoseOfTheFirst() throws {
        let (frames, changes) = try run([(8000, 1), (8000, 2), (8000, 1), (8000, 6)])
        #expect(frames.count == 32_000 && changes == 3)
        #expect(frames.allSatisfy { abs($0 - 0.5) < 1e-6 })
    }

    @Test func ratesAreBroughtToThatOfTheFirstAndNoTimeIsLost() throws {
        let (frames, changes) = try run([(8000, 1), (16_000, 2), (8000, 1), (12_000, 1)])
        #expect(changes == 3)
        #expect(abs(frames.count - 32_000) <= 3)
        // Away from the boundaries, where a filter begins and ends in silence, the level stays.
        for second in 0..<4 { #expect(abs(frames[second * 8000 + 4000] - 0.5) < 1e-3) }
    }

    @Test func withoutConversionBuffersStayAsTheyAre() throws {
        var steady = ConstantFormatConverter()
        var sound = buffer(8000, 1, 100, 0.1)
        #expect(try !steady.follow(&sound, converts: false))
        sound = buffer(16_000, 2, 100, 0.2)
        #expect(try steady.follow(&sound, converts: false))
        #expect(sound.sampleRate == 16_000 && sound.channelCount == 2)
        #expect(try !steady.finish(into: &sound))
    }

    @Test("After stereo, 5.1 is mixed down with its centre, and channels of unknown speakers are not")
    func downmixesKnownLayouts() throws {
        var surround = buffer(8000, 6, 4, 0)
        for frame in 0..<4 { surround.samples[surround.range(ofChannel: 0).lowerBound + frame] = 0.5 }
        let layout = ChannelLayout([.center, .left, .right, .backLeft, .backRight, .lowFrequency])
        for (layout, expected) in [(layout, 0.5 / (2 + 2.squareRoot())), (nil, 0.5)] as [(ChannelLayout?, Double)] {
            var converter = ConstantFormatConverter()
            var stereo = buffer(8000, 2, 4, 0.1)
            #expect(try !converter.follow(&stereo, converts: true))
            var result = surround
            #expect(try converter.follow(&result, layout: layout, converts: true))
            #expect(result.channelCount == 2 && abs(Double(result.channel(0)[0]) - expected) < 1e-6)
            #expect((result.channel(1)[0] != 0) == (layout != nil))
        }
    }
}
