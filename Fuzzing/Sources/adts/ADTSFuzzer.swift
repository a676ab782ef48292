// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import Expectations

/// Tests ``expectSameEvents(_:_:_:)`` with the parser of ADTS.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt { expectSameEvents(ADTSParser.self, start, count) }
