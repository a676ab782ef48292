// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import USACCodec

/// Streams of 5.1 and 7.1 that are assembled from a mono stream.
///
/// Each channel has its bits with a separate global gain.
@Suite struct MultichannelTests {
    /// The bits of a channel in an access unit.
    private struct Channel {
        var hasTNS = false
        /// `fd_channel_stream`.
        var bits: [Bool] = []

        /// Returns the bits with a lower global gain: each step of `halvings` halves the samples.
        func lowered(_ halvings: Int) -> [Bool] {
            let gain = bits[..<8].reduce(0) { $0 * 2 + ($1 ? 1 : 0) } - 4 * halvings
            return (0..<8).map { gain >> (7 - $0) & 1 != 0 } + bits[8...]
        }

        /// A silent channel: no gain, a long window without bands, and a context reset unless it is implied.
        static func silence(isIndependent: Bool) -> [Bool] {
            Array(repeating: false, count: 8 + 2 + 1 + 6) + (isIndependent ? [] : [true]) + [false]
        }
    }

    /// A mono stream in the frequency domain.
    private static let vector = USACVector("cr-ext")

    /// Returns the channel of each access unit, and whether the access unit is independent.
    private static func channels() throws -> [(isIndependent: Bool, channel: Channel)] {
        let config = try #require(vector.configuration.usac)
        let single = try #require(config.elements.first { $0.kind == .single })
        var core = CoreElement(single, coreRate: config.coreSampleRate, frameLength: config.coreFrameLength)
        return try vector.accessUnits.map { accessUnit in
            var reader = BitReader(accessUnit)
            let isIndependent = reader.readFlag()
            for element in config.elements {
                guard element.kind == .extension else { break }
                _ = try ExtensionElement(reading: &reader, element)
            }
            var copy = reader
            try core.read(from: &reader, isIndependent: isIndependent)
            let isLinearPrediction = copy.readFlag()
            #expect(!isLinearPrediction)
            var channel = Channel(hasTNS: copy.readFlag())
            while copy.bitPosition < reader.bitPosition { channel.bits.append(copy.readFlag()) }
            return (isIndependent, channel)
        }
    }

    /// Returns an access unit with the elements of a layout, without extensions.
    private static func accessUnit(_ elements: [USACElementConfig.Kind], _ channel: Channel, isIndependent: Bool) -> [UInt8] {
        var bits = [isIndependent]
        var halvings = 0
        for element in elements {
            switch element {
            case .single:
                bits += [false, channel.hasTNS] + channel.lowered(halvings)
                halvings += 1
            case .pair:
                // Both in the frequency domain, no common window, TNS in both.
                bits += [false, false, channel.hasTNS, false] + (channel.hasTNS ? [true, true] : [])
                bits += channel.lowered(halvings) + channel.lowered(halvings + 1)
                halvings += 2
            default:
                // Without TNS.
                bits += channel.hasTNS ? Channel.silence(isIndependent: isIndependent) : channel.lowered(halvings)
                halvings += 1
            }
        }
        var writer = BitWriter()
        for bit in bits { writer.write(bit) }
        writer.alignToByte()
        return writer.bytes
    }

    /// Returns the configuration for a layout at the stream's sample rate.
    private static func configuration(_ index: Int, _ elements: [USACElementConfig.Kind]) throws -> AudioSpecificConfig {
        var writer = BitWriter()
        for (value, count) in [(31, 5), (10, 6), (4, 4), (index, 4), (4, 5), (1, 3), (index, 5), (elements.count - 1, 4)] {
            writer.write(UInt32(value), count: count)
        }
        for element in elements {
            writer.write(UInt32(element.rawValue), count: 2)
            // No time-warped MDCT, no noise filling.
            if element != .lowFrequency { writer.write(0, count: 2) }
        }
        writer.write(false)
        writer.alignToByte()
        return try AudioSpecificConfig(parsing: writer.bytes)
    }

    @Test("Each channel of 5.1 and 7.1 is in its position", arguments: [6, 7])
    func layout(index: Int) throws {
        let pairs = [USACElementConfig.Kind](repeating: .pair, count: index - 4)
        let elements = [.single] + pairs + [.lowFrequency]
        // The speakers in element order.
        let order: [Speaker] =
            index == 6
            ? [.center, .left, .right, .sideLeft, .sideRight, .lowFrequency]
            : [.center, .leftOfCenter, .rightOfCenter, .left, .right, .sideLeft, .sideRight, .lowFrequency]
        let mono = try USACDecoder(Self.vector.configuration)
        let decoder = try USACDecoder(try Self.configuration(index, elements))
        let layout = try #require(decoder.channelLayout)
        #expect(decoder.channelCount == order.count && layout.channelCount == order.count)
        var sinceTNS = 10
        for (accessUnit, (isIndependent, channel)) in zip(Self.vector.accessUnits, try Self.channels()) {
            let expected = try mono.decode(AccessUnit(accessUnit))
            let output = try decoder.decode(AccessUnit(Self.accessUnit(elements, channel, isIndependent: isIndependent)))
            sinceTNS = channel.hasTNS ? 0 : sinceTNS + 1
            for (place, speaker) in layout.speakers.enumerated() {
                let halvings = try #require(order.firstIndex(of: speaker), "\(speaker)")
                // The LFE channel is silent in frames with TNS, which still affects the following frame through the window.
                if speaker == .lowFrequency && sinceTNS < 3 { continue }
                let scale = 1 / Float(1 << halvings)
                #expect(output.channels[place] == expected.channels[0].map { $0 * scale }, "\(speaker)")
            }
        }
    }
}
