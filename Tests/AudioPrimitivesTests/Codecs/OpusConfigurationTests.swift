// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@Suite struct OpusConfigurationTests {
    /// A hand-written identification header for 5.1, after the example in RFC 7845 5.1.1.2.
    private static let surroundHead: [UInt8] =
        Array("OpusHead".utf8) + [1, 6, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0x00, 0xFF, 1, 4, 2, 0, 4, 1, 2, 3, 5]

    @Test("Identification header is read as defined by RFC 7845, and written back")
    func surroundHead() throws {
        let configuration = try OpusConfiguration(opusHead: Self.surroundHead)
        #expect(configuration.channelCount == 6)
        #expect(configuration.preSkip == 312)
        #expect(configuration.inputSampleRate == 48_000)
        #expect(configuration.outputGainDecibels == -1)
        #expect(configuration.mapping.streamCount == 4 && configuration.mapping.coupledCount == 2)
        #expect(configuration.channelLayout.speakers == [.left, .center, .right, .sideLeft, .sideRight, .lowFrequency])
        #expect(configuration.opusHead == Self.surroundHead)
        #expect(try configuration.mapping == OpusChannelMapping(channelCount: 6))
    }

    @Test("Every configuration survives writing and reading", arguments: 0..<200)
    func roundTrip(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let count = Int.random(in: 1...8, using: &random)
        let streams = Int.random(in: 1...200, using: &random)
        let coupled = Int.random(in: 0...min(streams, 255 - streams), using: &random)
        let channels = (0..<count).map { _ in
            Bool.random(using: &random) ? OpusChannelMapping.silence : UInt8.random(in: 0..<UInt8(streams + coupled), using: &random)
        }
        let mapping =
            count <= 2 && Bool.random(using: &random)
            ? try OpusChannelMapping(channelCount: count)
            : try OpusChannelMapping(family: 1, streamCount: streams, coupledCount: coupled, channels: channels)
        let configuration = OpusConfiguration(
            mapping: mapping, preSkip: .random(in: 0 ... .max, using: &random), inputSampleRate: .random(in: 0 ... .max, using: &random),
            outputGain: .random(in: .min ... .max, using: &random))
        #expect(try OpusConfiguration(opusHead: configuration.opusHead) == configuration)
        // Fields of later versions follow.
        #expect(try OpusConfiguration(opusHead: configuration.opusHead + [1, 2, 3]) == configuration)
        for length in 0..<configuration.opusHead.count {
            #expect(throws: CodecError.self) { try OpusConfiguration(opusHead: configuration.opusHead.prefix(length)) }
        }
    }

    @Test("Each out-of-range field throws with its value")
    func refused() {
        /// Returns the 5.1 header with one byte replaced.
        func head(_ offset: Int, _ value: UInt8) -> [UInt8] {
            var bytes = Self.surroundHead
            bytes[offset] = value
            return bytes
        }
        #expect(throws: CodecError.missingOpusSignature) { try OpusConfiguration(opusHead: head(0, 0x6F)) }
        #expect(throws: CodecError.unsupportedVersion(16, maximum: 15)) { try OpusConfiguration(opusHead: head(8, 16)) }
        #expect(throws: Never.self) { try OpusConfiguration(opusHead: head(8, 15)) }
        #expect(throws: CodecError.unsupportedChannelCount(0, allowed: Array(1...8))) { try OpusConfiguration(opusHead: head(9, 0)) }
        #expect(throws: CodecError.unsupportedChannelCount(9, allowed: Array(1...8))) { try OpusConfiguration(opusHead: head(9, 9)) }
        #expect(throws: CodecError.unsupportedChannelCount(6, allowed: [1, 2])) { try OpusConfiguration(opusHead: head(18, 0)) }
        #expect(throws: CodecError.unsupportedMappingFamily(255)) { try OpusConfiguration(opusHead: head(18, 255)) }
        #expect(throws: CodecError.invalidStreamCounts(streams: 0, coupled: 2)) { try OpusConfiguration(opusHead: head(19, 0)) }
        #expect(throws: CodecError.invalidStreamCounts(streams: 4, coupled: 5)) { try OpusConfiguration(opusHead: head(20, 5)) }
        #expect(throws: CodecError.invalidChannelIndex(6, decodedChannels: 6)) { try OpusConfiguration(opusHead: head(26, 6)) }
        #expect(throws: Never.self) { try OpusConfiguration(opusHead: head(26, 255)) }
    }

    @Test("Usual mapping of each channel count uses every decoded channel once")
    func usualMappings() throws {
        for count in 1...8 {
            let mapping = try OpusChannelMapping(channelCount: count)
            #expect(mapping.family == (count <= 2 ? 0 : 1))
            #expect(mapping.streamCount + mapping.coupledCount == count)
            #expect(mapping.channels.sorted() == Array(0..<UInt8(count)))
            #expect(Set(mapping.channelLayout.speakers).count == count)
            // Left and right of a pair share a stream.
            for (left, right) in [(Speaker.left, Speaker.right), (.sideLeft, .sideRight), (.backLeft, .backRight)] {
                let speakers = mapping.channelLayout.speakers
                guard let first = speakers.firstIndex(of: left), let second = speakers.firstIndex(of: right) else { continue }
                #expect(mapping.channels[first] / 2 == mapping.channels[second] / 2)
                #expect(Int(mapping.channels[second]) < 2 * mapping.coupledCount)
            }
        }
        #expect(throws: CodecError.unsupportedChannelCount(9, allowed: Array(1...8))) { try OpusChannelMapping(channelCount: 9) }
        #expect(throws: CodecError.unsupportedChannelCount(0, allowed: [1, 2])) { try OpusChannelMapping(channelCount: 0) }
    }
}
