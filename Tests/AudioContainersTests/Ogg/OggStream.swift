// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import TestSupport

/// Ogg Opus streams whose packets have valid TOC bytes and random payloads.
struct OggStream {
    var bytes: [UInt8] = []
    var accessUnits: [AccessUnit] = []
    var gapless = GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0)
    var configuration: OpusConfiguration

    /// Returns a random packet with a duration of 1, 2, 4, 8, 24 or 48 times 2.5 ms.
    static func packet(_ quarters: Int, byteCount: Int, random: inout SeededRandom) -> [UInt8] {
        let contents: UInt8 =
            switch quarters {
            case 1: 16 << 3
            case 2: 17 << 3
            case 4: 18 << 3
            case 8: 19 << 3
            default: 19 << 3 | 3
            }
        var packet = [contents]
        if quarters > 8 { packet.append(UInt8(quarters / 8)) }
        return packet + random.bytes(max(0, byteCount - packet.count))
    }

    /// Returns a stream from ``OggOpusWriter``.
    static func written(
        seed: UInt64, packetCount: Int = 120, options: OggOpusWriterOptions = OggOpusWriterOptions(), largest: Int = 600
    ) throws -> OggStream {
        var random = SeededRandom(seed: seed)
        let channelCount = Int.random(in: 1...8, using: &random)
        let configuration = OpusConfiguration(
            mapping: try OpusChannelMapping(channelCount: channelCount), preSkip: .random(in: 0...4000, using: &random),
            inputSampleRate: 44_100)
        var stream = OggStream(configuration: configuration)
        var writer = OggOpusWriter(to: MemorySink(), configuration, options: options)
        var time = 0
        for _ in 0..<packetCount {
            let quarters = [1, 2, 4, 8, 24, 48].randomElement(using: &random) ?? 8
            let payload = packet(quarters, byteCount: .random(in: 1...largest, using: &random), random: &random)
            let accessUnit = AccessUnit(
                payload: payload, presentationTime: MediaTime(value: Int64(time), timescale: 48_000), duration: quarters * 120)
            time += accessUnit.duration
            stream.accessUnits.append(accessUnit)
            try writer.append(accessUnit)
        }
        let last = stream.accessUnits.last?.duration ?? 0
        let remainder = Int.random(in: 0...max(0, last - 1), using: &random)
        let priming = min(time - remainder, options.preSkip ?? Int(configuration.preSkip))
        stream.gapless = GaplessInfo(primingFrames: priming, validFrames: time - remainder - priming, remainderFrames: remainder)
        try writer.finish(stream.gapless)
        stream.bytes = writer.sink.bytes
        return stream
    }

    /// Returns the pages of a stream, which must be undamaged.
    static func pages(of bytes: [UInt8]) -> [(page: OggPage, byteRange: Range<Int>)] {
        var parser = OggPageParser()
        parser.append(bytes)
        parser.finish()
        var pages: [(OggPage, Range<Int>)] = []
        while let event = parser.nextEvent() {
            if case .page(let page, let range) = event { pages.append((page, range)) }
        }
        return pages
    }
}
