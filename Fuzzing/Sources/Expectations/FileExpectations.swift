// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers

/// Reads a file to its end and from a place inside; every unit lies in the file, and there are not more than twice as many as it has bytes.
public func expectBoundedEvents(_ reader: some AudioReader, _ bytes: [UInt8]) {
    var reader = reader
    var events = 0
    while let event = try? reader.next() {
        if case .accessUnit(let unit) = event { precondition(unit.byteRange.upperBound <= bytes.count) }
        events += 1
        precondition(events <= 2 * bytes.count + 1)
    }
    let frame = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
    if let skipped = try? reader.seek(toFrame: frame) { precondition(skipped <= frame) }
    _ = try? reader.next()
}
