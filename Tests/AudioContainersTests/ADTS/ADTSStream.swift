// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport

/// ADTS streams with random payloads, to be damaged.
struct ADTSStream {
    var frames: [[UInt8]] = []

    var bytes: [UInt8] { frames.flatMap { $0 } }

    /// Frames that hold random bytes and, here and there, what looks like a header of the same stream.
    static func random(frameCount: Int, rate: Int = 32_000, channels: Int = 2, seed: UInt64 = 1) throws -> ADTSStream {
        var random = SeededRandom(seed: seed)
        let writer = try ADTSWriter(
            AudioSpecificConfig(sampleRate: rate, channelConfiguration: ChannelConfiguration(channelCount: channels)))
        var stream = ADTSStream()
        for _ in 0..<frameCount {
            var payload = (0..<Int.random(in: 40...400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                var decoy: [UInt8] = []
                try writer.append([UInt8](repeating: 7, count: Int.random(in: 1...300, using: &random)), to: &decoy)
                payload.replaceSubrange(10..<17, with: decoy.prefix(7))
            }
            var frame: [UInt8] = []
            try writer.append(payload, to: &frame)
            stream.frames.append(frame)
        }
        return stream
    }

    /// The bytes before a frame.
    func offset(of frame: Int) -> Int { frames[..<frame].reduce(0) { $0 + $1.count } }
}

/// All events of a stream read in chunks of the sizes given, the last one repeated.
func adtsEvents(_ bytes: [UInt8], chunks: [Int] = [1 << 20]) -> [ReaderEvent] {
    var reader = ADTSReader()
    var events: [ReaderEvent] = []
    var position = 0
    var sizes = chunks[...]
    while position < bytes.count {
        let size = max(1, sizes.count > 1 ? sizes.removeFirst() : sizes[sizes.startIndex])
        let end = min(bytes.count, position + size)
        reader.append(bytes[position..<end])
        position = end
        while let event = reader.next() { events.append(event) }
    }
    reader.finish()
    while let event = reader.next() { events.append(event) }
    return events
}

extension [ReaderEvent] {
    var units: [CodedUnit] {
        compactMap {
            if case .accessUnit(let unit) = $0 { unit } else { nil }
        }
    }

    var skips: [SkippedBytes] {
        compactMap {
            if case .skipped(let bytes) = $0 { bytes } else { nil }
        }
    }

    var configurations: [AudioSpecificConfig] {
        compactMap {
            if case .configuration(let config) = $0 { config } else { nil }
        }
    }

    /// Whether units and skipped bytes cover the whole stream once, in order.
    func covers(_ byteCount: Int) -> Bool {
        var position = 0
        for event in self {
            switch event {
            case .configuration: continue
            case .accessUnit(let unit):
                guard unit.byteRange.lowerBound == position else { return false }
                position = unit.byteRange.upperBound
            case .skipped(let bytes):
                guard bytes.byteRange.lowerBound == position, !bytes.byteRange.isEmpty else { return false }
                position = bytes.byteRange.upperBound
            }
        }
        return position == byteCount
    }
}
