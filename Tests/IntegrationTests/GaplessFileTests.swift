// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

/// Files preserve the exact length and alignment of their input: encode, write, read, decode.
@Suite struct GaplessFileTests {
    /// All sample rates that have an index.
    static let rates = SamplingFrequencyIndex.standardRates

    /// File layouts.
    enum Kind: CaseIterable {
        case indexAtEnd, indexAtStart, fragmented, caf
    }

    /// Returns a file with the signal, in memory.
    private func file(
        _ channels: [[Float]], sampleRate: Int, _ kind: Kind, lowDelay: Bool = false
    ) throws -> (bytes: [UInt8], gapless: GaplessInfo) {
        var configuration = AACEncoderConfiguration(
            sampleRate: sampleRate, channelCount: channels.count, rateControl: .variable(quality: 90))
        configuration.settings.lowDelay = lowDelay
        let encoder = try AACEncoder(configuration)
        let config = encoder.audioSpecificConfig
        var bytes: [UInt8] = []
        var gapless = GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0)
        /// Encodes the signal to a writer.
        func write(_ writer: some ContainerWriter<MemorySink>) throws {
            var writer = writer
            let buffer = EncodedStream.buffer(channels, sampleRate: sampleRate)
            try encoder.encode(buffer) { try writer.append($0) }
            gapless = try encoder.finish { try writer.append($0) }
            try writer.finish(gapless)
            bytes = writer.sink.bytes
        }
        let accessUnitCount = (channels[0].count + encoder.delay + 1023) / 1024
        switch kind {
        case .indexAtEnd: try write(MP4Writer(to: MemorySink(), .aac(config)))
        case .indexAtStart:
            try write(MP4Writer(to: MemorySink(), .aac(config), options: .init(layout: .indexAtStart(expectedUnitCount: accessUnitCount))))
        case .fragmented:
            let layout = MP4WriterOptions.Layout.fragmented(unitsPerFragment: 3, priming: 2112)
            try write(MP4Writer(to: MemorySink(), .aac(config), options: .init(layout: layout)))
        case .caf: try write(CAFWriter(to: MemorySink(), .aac(config)))
        }
        return (bytes, gapless)
    }

    private func reader(_ bytes: [UInt8], _ kind: Kind) throws -> any ContainerReader {
        kind == .caf ? try CAFReader(MemorySource(bytes)) : try MP4Reader(MemorySource(bytes))
    }

    /// Returns the first channel from the reader's position: at least `limit` frames, or all remaining frames.
    private func decode(_ reader: inout any ContainerReader, _ config: AudioSpecificConfig, limit: Int = .max) throws -> [Float] {
        let decoder = try AACDecoder(config)
        var buffer = PCMBuffer(sampleRate: config.sampleRate, channelCount: 1, frameCapacity: 0)
        var samples: [Float] = []
        while samples.count < limit, let event = try reader.nextEvent() {
            guard case .accessUnit(let unit) = event else { continue }
            #expect(decoder.decode(unit.accessUnit.payload.span, into: &buffer).damage == nil)
            samples += buffer.channel(0)
        }
        return samples
    }

    @Test("Length and alignment match the input at every sample rate and in every layout", arguments: rates, Kind.allCases)
    func roundTrip(rate: Int, kind: Kind) throws {
        var random = SeededRandom(seed: UInt64(rate))
        let length = Int.random(in: 3000...6000, using: &random)
        let signal = TestSignal.softNoise(length, seed: UInt64(rate))
        let (bytes, gapless) = try file([signal], sampleRate: rate, kind)
        var reader = try reader(bytes, kind)
        let info = try #require(reader.metadata.gaplessInfo)
        #expect(info == gapless && info.validFrames == length)
        let config = try Self.configuration(&reader)
        let decoded = try decode(&reader, config)
        #expect(decoded.count == info.totalFrames)
        let first = info.primingFrames
        let best = signalToError(signal, decoded[first..<first + length])
        #expect(best > 12)
        #expect(best > signalToError(signal, decoded[first - 1..<first - 1 + length]) + 6)
        #expect(best > signalToError(signal, decoded[first + 1..<min(decoded.count, first + 1 + length)]) + 6)
    }

    @Test("An empty input produces an empty file", arguments: [Kind.indexAtEnd, .indexAtStart, .caf], [false, true])
    func emptyInput(kind: Kind, lowDelay: Bool) throws {
        let (bytes, gapless) = try file([[]], sampleRate: 48_000, kind, lowDelay: lowDelay)
        let reader = try reader(bytes, kind)
        #expect(reader.metadata.accessUnitCount == (lowDelay ? 1 : 3))
        let (priming, remainder) = lowDelay ? (1024, 0) : (2112, 960)
        #expect(gapless == GaplessInfo(primingFrames: priming, validFrames: 0, remainderFrames: remainder))
        #expect(reader.metadata.gaplessInfo == gapless)
    }

    @Test("Samples after seeking equal those decoded from the start", arguments: Kind.allCases)
    func seeking(kind: Kind) throws {
        let signal = TestSignal.softNoise(20_000, seed: 5)
        let (bytes, _) = try file([signal], sampleRate: 44_100, kind)
        var reader = try reader(bytes, kind)
        let config = try Self.configuration(&reader)
        let whole = try decode(&reader, config)
        for frame in [0, 1, 1024, 5000, 10_239, 10_240, 19_999] {
            let skip = try reader.seek(toFrame: frame)
            let part = try decode(&reader, config, limit: skip + 1500)
            let found = part[skip..<min(part.count, skip + 1500)]
            #expect(found.elementsEqual(whole[frame..<frame + found.count]), "frame \(frame)")
            #expect(found.count == min(1500, whole.count - frame))
        }
    }

    /// Reads the first event, which is the configuration.
    private static func configuration(_ reader: inout any ContainerReader) throws -> AudioSpecificConfig {
        guard case .configuration(.aac(let config)) = try reader.nextEvent() else { throw ContainerError.missingConfiguration }
        return config
    }
}
