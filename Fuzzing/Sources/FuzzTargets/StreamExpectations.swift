// SPDX-License-Identifier: Apache-2.0

import AudioContainers

/// Parses a stream in chunks of two sizes: the events are the same and account for every byte.
///
/// - Parameters:
///   - parser: The type of the parser.
///   - coversAllBytes: Whether each byte belongs to an access unit or is skipped. `false` for multiplexed streams with other bytes.
///   - bytes: The bytes of the stream. The first one selects the smaller chunk size.
func expectSameEvents<Parser: StreamParser>(_ parser: Parser.Type, coversAllBytes: Bool = true, _ bytes: [UInt8]) {
    let chunk = Int(bytes.first ?? 0) + 1
    let found = events(parser, of: bytes, chunk: chunk)
    precondition(found == events(parser, of: bytes, chunk: max(1, bytes.count)))
    if coversAllBytes { expectAllBytes(found, count: bytes.count) }
    precondition(found.count <= 2 * bytes.count + 1)
}

/// Returns the events of a stream parsed in chunks of one size.
private func events<Parser: StreamParser>(_ type: Parser.Type, of bytes: [UInt8], chunk: Int) -> [ReaderEvent] {
    var parser = Parser()
    var events: [ReaderEvent] = []
    for first in stride(from: 0, to: bytes.count, by: chunk) {
        parser.append(bytes[first..<min(bytes.count, first + chunk)])
        while let event = parser.nextEvent() { events.append(event) }
    }
    parser.finish()
    while let event = parser.nextEvent() { events.append(event) }
    return events
}

/// Expects that access units and skipped bytes cover the whole stream once, in order.
private func expectAllBytes(_ events: [ReaderEvent], count: Int) {
    var position = 0
    for event in events {
        let range: Range<Int>
        switch event {
        case .configuration: continue
        case .accessUnit(let accessUnit): range = accessUnit.byteRange
        case .skipped(let skipped):
            range = skipped.byteRange
            precondition(!range.isEmpty)
        }
        precondition(range.lowerBound == position)
        position = range.upperBound
    }
    precondition(position == count)
}
