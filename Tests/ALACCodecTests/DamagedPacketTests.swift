// SPDX-License-Identifier: Apache-2.0

import ALACCodec
import AudioPrimitives
import TestSupport
import Testing

@Suite struct DamagedPacketTests {
    private let configuration = ALACConfiguration(sampleRate: 48000, channelCount: 2, bitDepth: 16, frameLength: 64)

    /// Expects that decoding a packet throws an error and leaves no frames.
    private func expect(_ error: CodecError, _ packet: [UInt8], location: SourceLocation = #_sourceLocation) throws {
        let decoder = try ALACDecoder(configuration)
        var samples = ALACSamples()
        #expect(throws: error, sourceLocation: location) { try decoder.decode(packet.span, into: &samples) }
        #expect(samples.frameCount == 0, sourceLocation: location)
    }

    /// Returns a packet of bit fields, given as values and sizes.
    private func packet(_ fields: (UInt32, Int)...) -> [UInt8] {
        var bits = BitWriter()
        for (value, count) in fields { bits.write(value, count: count) }
        return bits.bytes + [UInt8](repeating: 0xFF, count: 300)
    }

    @Test("Each invalid field throws with its value")
    func fields() throws {
        try expect(.reservedElement(kind: 2), packet((2, 3)))
        try expect(.reservedElement(kind: 5), packet((5, 3)))
        try expect(.reservedBitSet, packet((0, 3), (0, 4), (1, 12)))
        try expect(.invalidFrameLength(0, allowed: 1...64), packet((0, 3), (0, 16), (0b1000, 4), (0, 32)))
        try expect(.invalidFrameLength(65, allowed: 1...64), packet((0, 3), (0, 16), (0b1000, 4), (65, 32)))
        try expect(.invalidFrameLength(0xFFFF_FFFF, allowed: 1...64), packet((0, 3), (0, 16), (0b1000, 4), (0xFFFF_FFFF, 32)))
        try expect(.invalidLowBytes(count: 3, bitDepth: 16), packet((0, 3), (0, 16), (0b0110, 4)))
        try expect(.invalidLowBytes(count: 2, bitDepth: 16), packet((0, 3), (0, 16), (0b0100, 4)))
        try expect(.invalidLowBytes(count: 1, bitDepth: 16), packet((0, 3), (0, 16), (0b0011, 4)))
    }

    @Test("Wrong channel counts and unequal channel lengths throw")
    func channels() throws {
        let channel = PacketModel.Element(kind: 0, channels: [PacketModel.Channel()])
        let pair = PacketModel.Element(kind: 1, channels: [PacketModel.Channel(), PacketModel.Channel()])
        let silence = [Int](repeating: 0, count: 64)
        var model = PacketModel(configuration)
        model.write(channel, [silence])
        model.write(pair, [silence, silence])
        try expect(.tooManyChannels(3, maximum: 2), model.finished())
        model = PacketModel(configuration)
        model.write(channel, [silence])
        let short = model.finished()
        try expect(.truncated(byteCount: short.count), short)
        model = PacketModel(configuration)
        model.write(channel, [silence])
        model.write(channel, [Array(silence.dropLast())])
        try expect(.invalidFrameLength(63, allowed: 64...64), model.finished())
        try expect(.truncated(byteCount: 0), [])
    }

    @Test("A zero run beyond the element throws")
    func longRun() throws {
        var shorter = configuration
        shorter.frameLength = 60
        var model = PacketModel(configuration)
        model.write(PacketModel.Element(kind: 0, channels: [PacketModel.Channel()]), [[Int](repeating: 0, count: 64)])
        let decoder = try ALACDecoder(shorter)
        var samples = ALACSamples()
        #expect(throws: CodecError.runTooLong(63, remaining: 59)) { try decoder.decode(model.finished().span, into: &samples) }
    }

    @Test("Oversized residuals are truncated without prediction")
    func longResiduals() throws {
        // Of 20 bits, two low bytes leave four, for values from -8 to 7. Codes without an escape can be larger.
        let configuration = ALACConfiguration(sampleRate: 48000, channelCount: 1, bitDepth: 20, frameLength: 40)
        var model = PacketModel(configuration)
        let element = PacketModel.Element(kind: 0, lowByteCount: 2, channels: [PacketModel.Channel()])
        model.write(element, [(0..<40).map { ($0 < 20 ? 4 : 12) << 16 }])
        let decoder = try ALACDecoder(configuration)
        var samples = ALACSamples()
        try decoder.decode(model.finished().span, into: &samples)
        #expect(samples.channel(0) == (0..<40).map { ($0 < 20 ? 4 : -4) << 16 })
    }

    @Test("A truncated packet throws, and the complete one decodes after it", arguments: 0..<20 as Range<UInt64>)
    func truncation(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let decoder = try ALACDecoder(configuration)
        var samples = ALACSamples()
        var model = PacketModel(configuration)
        let channels = (0..<2).map { _ in random.samples(64, amplitude: 1000).map(Int.init) }
        model.write(RandomPackets.element(kind: 1, bitDepth: 16, random: &random), channels)
        let packet = model.finished()
        // The end element is optional.
        for count in 0..<packet.count - 1 {
            #expect(throws: CodecError.self, "seed \(seed), \(count) bytes") {
                try decoder.decode(Array(packet.prefix(count)).span, into: &samples)
            }
        }
        try decoder.decode(packet.span, into: &samples)
        #expect((0..<2).map { samples.channel($0).map(Int.init) } == channels, "seed \(seed)")
    }

    @Test("Random bytes and changed bits yield samples in range or throw", arguments: (0..<100 as Range<UInt64>).selectedCases)
    func anyBytes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let configuration = ALACConfiguration(
            sampleRate: 48000, channelCount: Int.random(in: 1...8, using: &random), bitDepth: random.element(of: [16, 20, 24, 32]),
            frameLength: 200)
        let decoder = try ALACDecoder(configuration)
        var samples = ALACSamples()
        for _ in 0..<20 {
            var bytes = RandomPackets.packet(configuration, random: &random).bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<min(bytes.count, 60), using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            guard (try? decoder.decode(bytes.span, into: &samples)) != nil else { continue }
            #expect(1...200 ~= samples.frameCount, "seed \(seed)")
            let limit = 1 << (configuration.bitDepth - 1)
            let isInRange = (0..<configuration.channelCount).allSatisfy { channel in
                samples.channel(channel).allSatisfy { -limit..<limit ~= Int($0) }
            }
            #expect(isInRange, "seed \(seed)")
        }
    }
}
