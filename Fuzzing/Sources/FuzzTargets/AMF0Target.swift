// SPDX-License-Identifier: Apache-2.0

import LiveStreaming

extension FuzzTarget {
    /// Reads values of AMF 0: written and read again they have the same bytes, and none comes from nothing.
    static let amf0 = FuzzTarget("amf0") { bytes in
        let values = AMF0Reader.values(bytes)
        precondition(values.count <= bytes.count)
        let written = serialized(values)
        // Malformed UTF-8 becomes a replacement character of three bytes, after which a text may need a longer length.
        let read = AMF0Reader.values(written)
        precondition(serialized(read) == written || written.count > 65_535)
    }
}

/// Returns the bytes of values.
private func serialized(_ values: [AMF0Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { value.write(to: &bytes) }
    return bytes
}
