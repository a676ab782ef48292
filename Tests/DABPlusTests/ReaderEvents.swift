// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import MPEG4Audio

func streamEvents(of reader: some StreamParser, _ bytes: [UInt8]) -> [ReaderEvent] {
    var reader = reader
    var events: [ReaderEvent] = []
    reader.append(bytes)
    reader.finish()
    while let event = reader.nextEvent() { events.append(event) }
    return events
}

extension [ReaderEvent] {
    var accessUnits: [DemuxedAccessUnit] {
        compactMap { if case .accessUnit(let accessUnit) = $0 { accessUnit } else { nil } }
    }

    var skips: [SkippedBytes] {
        compactMap { if case .skipped(let bytes) = $0 { bytes } else { nil } }
    }

    var configurations: [AudioSpecificConfig] {
        compactMap { if case .configuration(.aac(let config)) = $0 { config } else { nil } }
    }

    /// Whether access units and skipped bytes cover the whole stream once, in order.
    func covers(_ byteCount: Int) -> Bool {
        let ranges = compactMap { event -> Range<Int>? in
            switch event {
            case .configuration: nil
            case .accessUnit(let accessUnit): accessUnit.byteRange
            case .skipped(let bytes): bytes.byteRange
            }
        }
        return ranges.reduce(0) { $1.lowerBound == $0 ? $1.upperBound : -1 } == byteCount
    }
}
