// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import Expectations

/// What `expectBoundedEvents` says.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let reader = try? MP4Reader(MemorySource(bytes)) { expectBoundedEvents(reader, bytes) }
    return 0
}
