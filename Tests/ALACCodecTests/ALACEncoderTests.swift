// SPDX-License-Identifier: Apache-2.0

import ALACCodec
import AudioPrimitives
import TestSupport
import Testing

@Suite struct ALACEncoderTests {
    /// Returns the packets of channels of equal length in WAV order, which the encoder receives in blocks of `blockLength` frames.
    static func encode(_ channels: [[Int]], _ configuration: ALACConfiguration, blockLength: Int = 4096) throws -> EncodedTail {
        let encoder = try ALACEncoder(configuration)
        let frameCount = channels[0].count
        var input = ALACSamples(encoder.configuration)
        var packets: [AccessUnit] = []
        for first in stride(from: 0, to: frameCount, by: min(blockLength, input.stride)) {
            input.frameCount = min(blockLength, input.stride, frameCount - first)
            for (channel, samples) in channels.enumerated() {
                for (index, target) in input.range(ofChannel: channel).enumerated() {
                    input.samples[target] = Int32(samples[first + index])
                }
            }
            packets += try encoder.encode(input)
        }
        let tail = encoder.finish()
        #expect((packets + tail.accessUnits).allSatisfy { $0.payload.count <= encoder.configuration.maximumPacketSize })
        return EncodedTail(accessUnits: packets + tail.accessUnits, gapless: tail.gapless)
    }

    /// Returns the decoded channels in WAV order.
    static func decode(_ packets: [AccessUnit], _ configuration: ALACConfiguration) throws -> [[Int]] {
        let decoder = try ALACDecoder(configuration, usesWAVOrder: true)
        var samples = ALACSamples()
        var result = [[Int]](repeating: [], count: configuration.channelCount)
        for packet in packets {
            try decoder.decode(packet.payload.span, into: &samples)
            #expect(packet.duration == samples.frameCount)
            for channel in result.indices { result[channel] += samples.channel(channel).map(Int.init) }
        }
        return result
    }

    /// Returns one of several kinds of signal for each channel; pairs are often similar.
    private func channels(count: Int, frameCount: Int, bitDepth: Int, random: inout SeededRandom) -> [[Int]] {
        let limit = 1 << (bitDepth - 1)
        var result: [[Int]] = []
        for _ in 0..<count {
            let gain = Int.random(in: -40...40, using: &random)
            if let last = result.last, Bool.random(using: &random) {
                result.append(last.map { max(-limit, min(limit - 1, $0 * gain / 16 + Int.random(in: -1...1, using: &random))) })
            } else {
                result.append(RandomPackets.signal(count: frameCount, bitDepth: bitDepth, random: &random))
            }
        }
        return result
    }

    @Test("Signals of all kinds decode exactly", arguments: (0..<120 as Range<UInt64>).selectedCases)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bitDepth = random.element(of: [16, 24, 32])
        let configuration = ALACConfiguration(
            sampleRate: 48_000, channelCount: 1 + Int(seed % 8), bitDepth: bitDepth, frameLength: random.element(of: [1, 7, 256, 600]))
        let frameCount = Int.random(in: 1...configuration.frameLength * 3, using: &random)
        let channels = channels(count: configuration.channelCount, frameCount: frameCount, bitDepth: bitDepth, random: &random)
        let stream = try Self.encode(channels, configuration, blockLength: Int.random(in: 1...999, using: &random))
        #expect(stream.gapless == GaplessInfo(primingFrames: 0, validFrames: frameCount, remainderFrames: 0))
        let isSame = try Self.decode(stream.accessUnits, configuration) == channels
        #expect(isSame, "seed \(seed)")
    }

    @Test("A quiet 24-bit signal needs far fewer bits than a loud one")
    func quietSignal() throws {
        let configuration = ALACConfiguration(sampleRate: 48_000, channelCount: 1, bitDepth: 24, frameLength: 2000)
        var random = SeededRandom(seed: 1)
        let quiet = (0..<2000).map { _ in Int.random(in: -7...7, using: &random) }
        let packet = try #require(Self.encode([quiet], configuration).accessUnits.first)
        // The sign and three bits.
        #expect(packet.payload.count < 2000 * 5 / 8)
    }

    @Test("Silence takes a few bytes per channel, and noise no more than uncompressed samples")
    func extremes() throws {
        let configuration = ALACConfiguration(sampleRate: 48_000, channelCount: 2, frameLength: 1000)
        let silence = try Self.encode([[Int]](repeating: [Int](repeating: 0, count: 1000), count: 2), configuration)
        #expect(silence.accessUnits.count == 1 && silence.accessUnits[0].payload.count < 50)
        var random = SeededRandom(seed: 2)
        let noise = (0..<2).map { _ in (0..<1000).map { _ in Int.random(in: -32_768...32_767, using: &random) } }
        #expect(try Self.encode(noise, configuration).accessUnits[0].payload.count <= 4000 + 8)
    }

    @Test("A source panned to the right needs few more bits than one channel")
    func panning() throws {
        var random = SeededRandom(seed: 3)
        var value = 0
        let source = (0..<2000).map { _ in
            value = max(-8000, min(8000, value + Int.random(in: -400...400, using: &random)))
            return value
        }
        func size(_ channels: [[Int]]) throws -> Int {
            let configuration = ALACConfiguration(sampleRate: 48_000, channelCount: channels.count, frameLength: 2000)
            return try Self.encode(channels, configuration).accessUnits[0].payload.count
        }
        // A source panned to the left needs a negative weight.
        #expect(try Double(size([source.map { $0 * 3 / 4 }, source])) < 1.25 * Double(size([source])))
    }

    @Test("Floating point is rounded and clipped to the bit depth", arguments: [16, 24])
    func floatingPoint(bitDepth: Int) throws {
        let configuration = ALACConfiguration(sampleRate: 48_000, channelCount: 1, bitDepth: bitDepth)
        let encoder = try ALACEncoder(configuration)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 6)
        buffer.frameCount = 6
        for (index, sample) in ([0.25, -0.5, 1, -1, 2, .nan] as [Float]).enumerated() { buffer.samples[index] = sample }
        let packets = try encoder.encode(buffer) + encoder.finish().accessUnits
        let scale = 1 << (bitDepth - 1)
        #expect(try Self.decode(packets, configuration) == [[scale / 4, -scale / 2, scale - 1, -scale, scale - 1, 0]])
    }

    @Test("An empty signal has a packet of padding; unsupported formats and input after the end throw")
    func errors() throws {
        #expect(throws: CodecError.unsupportedBitDepth(20, allowed: [16, 24, 32])) {
            try ALACEncoder(ALACConfiguration(sampleRate: 48_000, channelCount: 1, bitDepth: 20))
        }
        #expect(throws: CodecError.unsupportedChannelCount(9, allowed: Array(1...8))) {
            try ALACEncoder(ALACConfiguration(sampleRate: 48_000, channelCount: 9))
        }
        let encoder = try ALACEncoder(ALACConfiguration(sampleRate: 48_000, channelCount: 2))
        #expect(throws: CodecError.channelCountMismatch(expected: 2, found: 1)) {
            try encoder.encode(PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 1))
        }
        let tail = encoder.finish()
        #expect(tail.accessUnits.map(\.duration) == [4096] && tail.gapless.validFrames == 0 && tail.gapless.remainderFrames == 4096)
        #expect(encoder.finish().accessUnits.isEmpty)
        #expect(throws: CodecError.finished) { try encoder.encode(PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 1)) }
        encoder.reset()
        #expect(try encoder.encode(PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 1)).isEmpty)
    }
}
