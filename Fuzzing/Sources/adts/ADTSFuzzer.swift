// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import Expectations

/// What `expectSameEvents` says.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    expectSameEvents({ ADTSReader() }, Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
