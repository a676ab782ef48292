// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers

/// Reads a file to its end and from an offset inside: every unit lies in the file, and there are at most two events per byte.
///
/// - Parameters:
///   - start: The bytes of the file.
///   - count: The number of bytes.
///   - open: Opens the file; an error is a valid result.
/// - Returns: 0, as libFuzzer expects.
public func expectBoundedEvents(
    _ start: UnsafePointer<UInt8>?, _ count: Int, open: (MemorySource) throws -> any ContainerReader
) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard var reader = try? open(MemorySource(bytes)) else { return 0 }
    var events = 0
    while let event = try? reader.nextEvent() {
        if case .accessUnit(let unit) = event { precondition(unit.byteRange.upperBound <= bytes.count) }
        events += 1
        precondition(events <= 2 * bytes.count + 1)
    }
    let frame = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
    if let skipped = try? reader.seek(toFrame: frame) { precondition(skipped <= frame) }
    _ = try? reader.nextEvent()
    return 0
}
