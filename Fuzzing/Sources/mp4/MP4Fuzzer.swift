// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import Expectations

/// Tests ``expectBoundedEvents(_:_:_:)`` with the reader of MP4.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt { expectBoundedEvents(start, count) { try MP4Reader($0) } }
