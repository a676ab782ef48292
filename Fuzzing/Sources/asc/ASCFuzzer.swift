// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import MPEG4Audio

/// Parses a configuration; what can be parsed must come out the same after a round trip.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let config = try? AudioSpecificConfig(parsing: bytes) else { return 0 }
    let again = try? AudioSpecificConfig(parsing: config.serialized())
    precondition(again == config)
    return 0
}
