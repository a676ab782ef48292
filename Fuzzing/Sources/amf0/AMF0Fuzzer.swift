// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import LiveStreamingParts

/// Reads values of AMF 0: written and read again they have the same bytes, and none comes from nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let values = AMF0Reader.values(Array(UnsafeBufferPointer(start: start, count: count)))
    precondition(values.count <= count)
    let written = bytes(of: values)
    // Malformed UTF-8 becomes a replacement character of three bytes, after which a text may need a longer length.
    let read = AMF0Reader.values(written)
    precondition(bytes(of: read) == written || written.count > 65_535)
    return 0
}

/// Returns the bytes of values.
private func bytes(of values: [AMF0Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { value.write(to: &bytes) }
    return bytes
}
