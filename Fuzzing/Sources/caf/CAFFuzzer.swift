// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers

/// Reads a file to its end and from a place inside; every unit lies in the file, and there are not more than twice as many as it has bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard var reader = try? CAFReader(bytes) else { return 0 }
    var events = 0
    while let event = try? reader.next() {
        if case .accessUnit(let unit) = event { precondition(unit.byteRange.upperBound <= count) }
        events += 1
        precondition(events <= 2 * count + 1)
    }
    let frame = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
    if let skipped = try? reader.seek(toFrame: frame) { precondition(skipped <= frame) }
    _ = try? reader.next()
    return 0
}
