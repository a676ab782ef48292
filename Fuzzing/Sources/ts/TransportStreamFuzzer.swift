// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import Expectations

/// Tests ``expectSameEvents(_:_:_:)`` with the parser of MPEG transport streams.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    expectSameEvents(TransportStreamParser.self, coversAllBytes: false, start, count)
}
