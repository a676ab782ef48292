// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import MPEG4Audio

/// Returns all events of a stream, read in chunks of the given sizes.
///
/// The last size repeats.
func streamEvents(of reader: some StreamParser, _ bytes: [UInt8], chunks: [Int] = [1 << 20]) -> [ReaderEvent] {
    var reader = reader
    var events: [ReaderEvent] = []
    var position = 0
    var sizes = chunks[...]
    while position < bytes.count {
        let size = max(1, sizes.count > 1 ? sizes.removeFirst() : sizes[sizes.startIndex])
        let end = min(bytes.count, position + size)
        reader.append(bytes[position..<end])
        position = end
        while let event = reader.nextEvent() { events.append(event) }
    }
    reader.finish()
    while let event = reader.nextEvent() { events.append(event) }
    return events
}

extension [ReaderEvent] {
    var accessUnits: [DemuxedAccessUnit] {
        compactMap {
            if case .accessUnit(let accessUnit) = $0 { accessUnit } else { nil }
        }
    }

    var skips: [SkippedBytes] {
        compactMap {
            if case .skipped(let bytes) = $0 { bytes } else { nil }
        }
    }

    var configurations: [AudioSpecificConfig] {
        compactMap {
            if case .configuration(.aac(let config)) = $0 { config } else { nil }
        }
    }

    /// Whether access units and skipped bytes cover the whole stream once, in order.
    func covers(_ byteCount: Int) -> Bool {
        var position = 0
        for event in self {
            switch event {
            case .configuration: continue
            case .accessUnit(let accessUnit):
                guard accessUnit.byteRange.lowerBound == position else { return false }
                position = accessUnit.byteRange.upperBound
            case .skipped(let bytes):
                guard bytes.byteRange.lowerBound == position, !bytes.byteRange.isEmpty else { return false }
                position = bytes.byteRange.upperBound
            }
        }
        return position == byteCount
    }
}
