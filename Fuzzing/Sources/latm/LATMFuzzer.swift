// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers

/// Reads a stream in two ways of chunking: the events must be the same and account for every byte.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let chunk = Int(bytes.first ?? 0) + 1
    precondition(events(of: bytes, chunk: chunk) == events(of: bytes, chunk: max(1, count)))
    return 0
}

private func events(of bytes: [UInt8], chunk: Int) -> [ReaderEvent] {
    var reader = LOASReader()
    var events: [ReaderEvent] = []
    for first in stride(from: 0, to: bytes.count, by: chunk) {
        reader.append(bytes[first..<min(bytes.count, first + chunk)])
        while let event = reader.next() { events.append(event) }
    }
    reader.finish()
    while let event = reader.next() { events.append(event) }
    var position = 0
    for event in events {
        let range: Range<Int>
        switch event {
        case .configuration: continue
        case .accessUnit(let unit): range = unit.byteRange
        case .skipped(let skipped): range = skipped.byteRange
        }
        precondition(range.lowerBound == position)
        position = range.upperBound
    }
    precondition(position == bytes.count)
    return events
}
