// SPDX-License-Identifier: Apache-2.0

import LiveStreaming

extension FuzzTarget {
    /// Reads AMF 0 values: there are no more values than bytes, and a round trip produces the same bytes.
    static let amf0 = FuzzTarget("amf0") { bytes in
        let values = AMF0Reader.values(bytes)
        precondition(values.count <= bytes.count)
        let written = serialized(values)
        // Malformed UTF-8 becomes a replacement character of three bytes, so that a string may need a longer length field.
        let read = AMF0Reader.values(written)
        precondition(serialized(read) == written || written.count > 65_535)
    }
}

/// Returns the encoded values.
private func serialized(_ values: [AMF0Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { value.write(to: &bytes) }
    return bytes
}
