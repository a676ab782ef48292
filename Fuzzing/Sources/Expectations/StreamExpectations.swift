// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers

/// Reads a stream in two ways of chunking: the events must be the same and account for every byte.
public func expectSameEvents(_ makeReader: () -> some AudioStreamReader, _ bytes: [UInt8]) {
    let chunk = Int(bytes.first ?? 0) + 1
    precondition(events(makeReader(), of: bytes, chunk: chunk) == events(makeReader(), of: bytes, chunk: max(1, bytes.count)))
}

private func events(_ reader: some AudioStreamReader, of bytes: [UInt8], chunk: Int) -> [ReaderEvent] {
    var reader = reader
    var events: [ReaderEvent] = []
    for first in stride(from: 0, to: bytes.count, by: chunk) {
        reader.append(bytes[first..<min(bytes.count, first + chunk)])
        while let event = reader.next() { events.append(event) }
    }
    reader.finish()
    while let event = reader.next() { events.append(event) }
    expectAllBytes(events, count: bytes.count)
    return events
}

private func expectAllBytes(_ events: [ReaderEvent], count: Int) {
    var position = 0
    for event in events {
        let range: Range<Int>
        switch event {
        case .configuration: continue
        case .accessUnit(let unit): range = unit.byteRange
        case .skipped(let skipped):
            range = skipped.byteRange
            precondition(!range.isEmpty)
        }
        precondition(range.lowerBound == position)
        position = range.upperBound
    }
    precondition(position == count)
}
