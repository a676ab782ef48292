// SPDX-License-Identifier: Apache-2.0

import AudioContainers

/// Reads a file to its end and from an offset inside it: every access unit is within the file, and there are at most two events per byte.
///
/// - Parameters:
///   - bytes: The bytes of the file.
///   - open: Opens the file. Throwing is a valid result.
func expectBoundedEvents(_ bytes: [UInt8], open: (MemorySource) throws -> any ContainerReader) {
    guard var reader = try? open(MemorySource(bytes)) else { return }
    var events = 0
    while let event = try? reader.nextEvent() {
        if case .accessUnit(let accessUnit) = event { precondition(accessUnit.byteRange.upperBound <= bytes.count) }
        events += 1
        precondition(events <= 2 * bytes.count + 1)
    }
    let frame = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
    if let skipped = try? reader.seek(toFrame: frame) { precondition(skipped <= frame) }
    _ = try? reader.nextEvent()
}
