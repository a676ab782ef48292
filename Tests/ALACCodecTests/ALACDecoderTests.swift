// SPDX-License-Identifier: Apache-2.0

import ALACCodec
import AudioPrimitives
import TestSupport
import Testing

@Suite struct ALACDecoderTests {
    private func configuration(random: inout SeededRandom) -> ALACConfiguration {
        var configuration = ALACConfiguration(
            sampleRate: 48000, channelCount: Int.random(in: 1...8, using: &random), bitDepth: random.element(of: [16, 20, 24, 32]),
            frameLength: random.element(of: [1, 2, 16, 352, 1000]))
        configuration.historyMultiplier = random.element(of: [40, 0, 1, 255])
        configuration.initialHistory = random.element(of: [10, 0, 255])
        configuration.parameterLimit = random.element(of: [14, 1, 3, 40])
        return configuration
    }

    @Test("Packets of every kind with random parameters decode losslessly", arguments: 0..<150 as Range<UInt64>)
    func anyParameters(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let configuration = configuration(random: &random)
        let decoder = try ALACDecoder(configuration)
        var samples = ALACSamples()
        for _ in 0..<3 {
            let packet = RandomPackets.packet(configuration, random: &random)
            try decoder.decode(packet.bytes.span, into: &samples)
            #expect(samples.frameCount == packet.samples[0].count, "seed \(seed)")
            #expect(samples.bitDepth == configuration.bitDepth && samples.channelCount == configuration.channelCount)
            for (channel, expected) in packet.samples.enumerated() {
                let isSame = samples.channel(channel).map(Int.init) == expected
                #expect(isSame, "seed \(seed), channel \(channel)")
            }
        }
    }

    @Test("Decodes zero runs of maximum length, and longer ones in parts", arguments: [65_535, 65_536])
    func longRuns(frameLength: Int) throws {
        let configuration = ALACConfiguration(sampleRate: 48000, channelCount: 1, frameLength: frameLength)
        var silence = [Int](repeating: 0, count: frameLength)
        for end in [0, 100] {
            silence[frameLength - 1] = end
            var model = PacketModel(configuration)
            model.write(PacketModel.Element(kind: 0, channels: [PacketModel.Channel()]), [silence])
            let decoder = try ALACDecoder(configuration)
            var samples = ALACSamples()
            try decoder.decode(model.finished().span, into: &samples)
            let isSame = samples.channel(0).map(Int.init) == silence
            #expect(isSame)
        }
    }

    @Test("Floating-point output is exact up to 24 bits and rounded above", arguments: [16, 20, 24, 32])
    func floatingPoint(bitDepth: Int) throws {
        let configuration = ALACConfiguration(sampleRate: 48000, channelCount: 2, bitDepth: bitDepth, frameLength: 500)
        let decoder = try ALACDecoder(configuration)
        var random = SeededRandom(seed: UInt64(bitDepth))
        var (buffer, samples) = (PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0), ALACSamples())
        for _ in 0..<20 {
            let packet = RandomPackets.packet(configuration, random: &random)
            let damage = decoder.decode(packet.bytes.span, into: &buffer).damage
            #expect(damage == nil)
            try decoder.decode(packet.bytes.span, into: &samples)
            #expect(buffer.sampleRate == 48000 && buffer.channelCount == 2 && buffer.frameCount == samples.frameCount)
            let scale = Double(1 << (bitDepth - 1))
            for channel in 0..<2 {
                #expect(zip(buffer.channel(channel), samples.channel(channel)).allSatisfy { $0 == Float(Double($1) / scale) })
            }
        }
    }

    @Test("Returns channels in WAV order on request", arguments: 1...8)
    func wavOrder(channelCount: Int) throws {
        let configuration = ALACConfiguration(sampleRate: 48000, channelCount: channelCount, frameLength: 100)
        var random = SeededRandom(seed: UInt64(channelCount))
        let packet = RandomPackets.packet(configuration, random: &random)
        let decoder = try ALACDecoder(configuration, usesWAVOrder: true)
        var samples = ALACSamples()
        try decoder.decode(packet.bytes.span, into: &samples)
        let coded = try #require(configuration.channelLayout)
        let layout = try #require(decoder.channelLayout)
        #expect(layout == coded.inWAVOrder)
        for (channel, speaker) in layout.speakers.enumerated() {
            let source = try #require(coded.speakers.firstIndex(of: speaker))
            #expect(samples.channel(channel).map(Int.init) == packet.samples[source])
        }
    }

    @Test("A lost packet becomes silence of the usual length")
    func concealment() throws {
        let decoder = try ALACDecoder(ALACConfiguration(sampleRate: 8000, channelCount: 2, frameLength: 100))
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: 2, frameCapacity: 100)
        for index in buffer.samples.indices { buffer.samples[index] = 1 }
        decoder.conceal(into: &buffer)
        #expect(buffer.frameCount == 100 && buffer.samples == ContiguousArray(repeating: 0, count: 200))
    }

    @Test("An invalid configuration throws")
    func invalidConfiguration() {
        #expect(throws: CodecError.unsupportedBitDepth(18, allowed: [16, 20, 24, 32])) {
            try ALACDecoder(ALACConfiguration(sampleRate: 48000, channelCount: 2, bitDepth: 18))
        }
    }
}
