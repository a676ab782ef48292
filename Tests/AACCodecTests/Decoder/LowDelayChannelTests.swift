// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

/// AAC-LD and AAC-ELD with more than two channels, in access units assembled from mono and stereo streams.
@Suite struct LowDelayChannelTests {
    /// A stream of one element, with its decoded samples.
    private struct ElementStream {
        /// The bits of the element in each access unit.
        var elements: [[Bool]] = []
        var samples: [[Float]]

        init(_ profile: AACProfile, channelCount: Int, seed: UInt64) throws {
            // At this rate there are no noise bands, whose random numbers differ between decoders.
            var configuration = AACEncoderConfiguration(
                sampleRate: 48_000, channelCount: channelCount, rateControl: .constant(bitRate: 96_000 * channelCount))
            configuration.profile = profile
            if profile == .enhancedLowDelay { configuration.settings.lowDelaySBR = .off }
            let encoder = try AACEncoder(configuration)
            let decoder = try AACDecoder(encoder.audioSpecificConfig)
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: channelCount, frameCapacity: 512)
            samples = Array(repeating: [], count: channelCount)
            var input = StreamSegmentsTests.sound(8_000, from: 0, seed: seed)
            if channelCount == 1 { input = (0..<8_000).map { input[2 * $0] } }
            var accessUnits: [AccessUnit] = []
            try encoder.encode(input.span.bytes, format: PCMFormat(.int16, channelCount: channelCount)) { accessUnits.append($0) }
            for accessUnit in accessUnits {
                #expect(decoder.decode(accessUnit.payload.span, into: &buffer).damage == nil)
                for channel in 0..<channelCount { samples[channel] += buffer.channels[channel] }
                elements.append(
                    try #require(accessUnit.elementSpans.first).bits.map { accessUnit.payload[$0 / 8] >> UInt8(7 - $0 % 8) & 1 != 0 })
            }
        }
    }

    /// The channel counts of the elements, by channel configuration.
    static let layouts = [3: [1, 2], 4: [1, 2, 1], 5: [1, 2, 2], 6: [1, 2, 2, 1]]

    @Test("Elements decode to the channels of the configuration", arguments: [AACProfile.lowDelay, .enhancedLowDelay], [3, 4, 5, 6])
    func elements(profile: AACProfile, number: Int) throws {
        let counts = try #require(Self.layouts[number])
        let streams = try counts.indices.map { try ElementStream(profile, channelCount: counts[$0], seed: UInt64($0 + 1)) }
        let channels = try #require(ChannelConfiguration(rawValue: number))
        let config =
            profile == .lowDelay
            ? AudioSpecificConfig(
                objectType: .aacLD, sampleRate: 48_000, channelConfiguration: channels, generalAudio: GASpecificConfig())
            : AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: channels, enhancedLowDelay: ELDSpecificConfig())
        var options = AACDecoderOptions()
        options.channelOrder = .bitstream
        let decoder = try AACDecoder(AudioSpecificConfig(parsing: config.serialized()), options: options)
        #expect(decoder.channelCount == counts.reduce(0, +))
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: decoder.channelCount, frameCapacity: 512)
        var samples: [[Float]] = Array(repeating: [], count: decoder.channelCount)
        for accessUnit in streams[0].elements.indices {
            var writer = BitWriter()
            for bit in streams.flatMap({ $0.elements[accessUnit] }) { writer.write(bit) }
            writer.alignToByte()
            #expect(decoder.decode(writer.bytes.span, into: &buffer).damage == nil, "unit \(accessUnit)")
            for channel in 0..<decoder.channelCount { samples[channel] += buffer.channels[channel] }
        }
        #expect(samples == streams.flatMap(\.samples))
    }
}
