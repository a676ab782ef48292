// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import TestSupport
import Testing

@Suite struct OpusInTransportStreamTests {
    /// Returns a transport stream with an Ogg stream's packets.
    private func transport(_ stream: OggStream) throws -> [UInt8] {
        var writer = try TransportStreamWriter(to: MemorySink(), .opus(stream.configuration))
        for accessUnit in stream.accessUnits { try writer.append(accessUnit) }
        try writer.finish(stream.gapless)
        return writer.sink.bytes
    }

    @Test("Packets, channels, pre-skip and padding round-trip with any chunk sizes", arguments: 0..<16)
    func roundTrip(seed: Int) throws {
        let stream = try OggStream.written(seed: UInt64(seed), largest: seed % 4 == 0 ? 20_000 : 600)
        let bytes = try transport(stream)
        #expect(ContainerProbe.format(of: bytes, isWhole: true) == .transportStream)
        for chunks in [[1 << 20], [1, 187, 3, 700]] {
            let events = streamEvents(of: TransportStreamParser(), bytes, chunks: chunks)
            #expect(events.first == .configuration(.opus(expected(stream))))
            #expect(events.accessUnits.map(\.accessUnit.payload) == stream.accessUnits.map(\.payload) && events.skips.isEmpty)
            #expect(events.accessUnits.map(\.accessUnit.duration) == stream.accessUnits.map(\.duration))
            #expect(events.accessUnits.reduce(0) { $0 + $1.trim.leading } == stream.gapless.primingFrames)
            #expect(events.accessUnits.reduce(0) { $0 + $1.trim.trailing } == stream.gapless.remainderFrames)
        }
    }

    /// Returns the configuration that the stream signals, without the input sample rate.
    private func expected(_ stream: OggStream) -> OpusConfiguration {
        OpusConfiguration(mapping: stream.configuration.mapping, preSkip: stream.configuration.preSkip)
    }

    @Test("Lost transport packets cost only the Opus packets in them", arguments: 0..<10)
    func losses(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let stream = try OggStream.written(seed: UInt64(seed), packetCount: 200)
        let bytes = try transport(stream)
        let count = bytes.count / 188
        let lost = Set((0..<3).map { _ in Int.random(in: 4..<count, using: &random) })
        let kept = (0..<count).filter { !lost.contains($0) }.flatMap { bytes[$0 * 188..<($0 + 1) * 188] }
        let events = streamEvents(of: TransportStreamParser(), kept)
        let payloads = Set(stream.accessUnits.map(\.payload))
        let intact = events.accessUnits.filter { payloads.contains($0.accessUnit.payload) }
        // A false header can confirm an invalid access unit, at most one per loss.
        #expect(events.accessUnits.count - intact.count <= lost.count)
        #expect(intact.count >= stream.accessUnits.count - 12 * lost.count && intact.count < stream.accessUnits.count)
    }

    @Test("An output gain throws in containers without a place for it", arguments: [AudioFileFormat.transportStream, .caf])
    func outputGain(format: AudioFileFormat) throws {
        let configuration = OpusConfiguration(mapping: try OpusChannelMapping(channelCount: 2), preSkip: 312, outputGain: -1536)
        let error = ContainerError.outputGainNotStorable(-1536, in: format)
        #expect(throws: error) { _ = try format.makeWriter(to: MemorySink(), .opus(configuration)) }
        #expect(error.description == "\(format.name) has no place for the output gain of -6.00 dB")
    }

    @Test("Other channel mappings throw")
    func unusualMapping() throws {
        let mapping = try OpusChannelMapping(family: 1, streamCount: 2, coupledCount: 0, channels: [0, 1])
        #expect(throws: ContainerError.codecNotStorable(.opus, in: .transportStream)) {
            try TransportStreamWriter(to: MemorySink(), .opus(OpusConfiguration(mapping: mapping, preSkip: 0)))
        }
    }
}
