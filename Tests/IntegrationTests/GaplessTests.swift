// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing

@Suite struct GaplessTests {
    /// The input lengths, in sample frames.
    static let lengths: [Int] = {
        var random = SeededRandom(seed: 20)
        return [0, 1, 1023, 1024, 1025, 2112] + (0..<4).map { _ in Int.random(in: 2113...9000, using: &random) }
    }()

    /// Encodes the channels.
    private func stream(_ channels: [[Float]]) throws -> EncodedStream {
        let configuration = AACEncoderConfiguration(
            sampleRate: 44_100, channelCount: channels.count, rateControl: .variable(quality: 90))
        return try EncodedStream(channels, configuration)
    }

    @Test("The decoded length is the input length plus priming and padding", arguments: lengths)
    func arithmetic(length: Int) throws {
        let stream = try stream([TestSignal.softNoise(length, seed: 1)])
        #expect(stream.gapless.primingFrames == 2112)
        #expect(stream.gapless.validFrames == length)
        #expect((0..<1024).contains(stream.gapless.remainderFrames))
        #expect(stream.gapless.totalFrames == 1024 * stream.accessUnits.count)
    }

    @Test(
        "FFmpeg's output has a delay of exactly 2112 samples and is complete", arguments: lengths.filter { $0 > 1 })
    func alignment(length: Int) throws {
        let channels = [TestSignal.softNoise(length, seed: 2), TestSignal.softNoise(length, seed: 3)]
        let stream = try stream(channels)
        let decoded = try ReferenceDecoding.byFFmpeg(stream.adts, channelCount: 2)
        #expect(decoded.messages.isEmpty)
        try #require(decoded.frameCount == 1024 * stream.accessUnits.count)
        for channel in 0..<2 {
            /// Returns the signal-to-error ratio at a delay.
            func match(_ delay: Int) -> Double {
                signalToError(channels[channel], decoded.channels[channel][delay..<min(delay + length, decoded.frameCount)])
            }
            let best = match(2112)
            #expect(best > 15, "channel \(channel)")
            #expect(best > match(2111) + 6 && best > match(2113) + 6, "channel \(channel)")
            // The last 64 samples are as accurate as the others.
            let tail = signalToError(
                Array(channels[channel].suffix(64)), decoded.channels[channel][2112 + length - 64..<2112 + length])
            #expect(tail > 8, "channel \(channel)")
        }
    }
}
