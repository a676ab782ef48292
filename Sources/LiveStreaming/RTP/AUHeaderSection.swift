// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The AU Header Section of a payload (RFC 3640, 3.2.1) with the fields that AAC uses: sizes and indexes.
package struct AUHeaderSection: Sendable {
    /// The field lengths in bits, from the session description.
    package struct Layout: Hashable, Sendable {
        /// `sizeLength`: the length of AU-size.
        package var sizeLength: Int
        /// `indexLength`: the length of AU-Index, for the first access unit.
        package var indexLength: Int
        /// `indexDeltaLength`: the length of AU-Index-delta, for the other access units.
        package var indexDeltaLength: Int

        /// Access units of up to 8191 bytes (mode `AAC-hbr`, 3.3.6).
        package static let highBitRate = Layout(sizeLength: 13, indexLength: 3, indexDeltaLength: 3)
        /// Access units of up to 63 bytes (mode `AAC-lbr`, 3.3.5).
        package static let lowBitRate = Layout(sizeLength: 6, indexLength: 2, indexDeltaLength: 2)

        /// The maximum access unit size, in bytes.
        var maximumSize: Int { (1 << sizeLength) - 1 }
    }

    /// The AU headers: `size` is the size of the whole access unit in bytes, even in a fragment.
    ///
    /// `index` counts access units from the first one of the packet, including skipped ones of an interleaved stream.
    package var headers: [(size: Int, index: Int)]
    /// The length of the section in the payload, in bytes.
    package var byteCount: Int

    /// Parses the section at the start of a payload.
    ///
    /// - Returns: `nil` if the section exceeds the payload, has no header, or ends with a partial header.
    package init?(parsing payload: [UInt8], _ layout: Layout) {
        guard payload.count >= 2, layout.sizeLength > 0 else { return nil }
        let bitCount = Int(payload[0]) << 8 | Int(payload[1])
        byteCount = 2 + (bitCount + 7) / 8
        guard byteCount <= payload.count else { return nil }
        var reader = BitReader(payload[2..<byteCount])
        headers = []
        var index = 0
        while reader.bitPosition < bitCount {
            let size = Int(reader.read(layout.sizeLength))
            if headers.isEmpty {
                // Without interleaving, the first access unit's serial number has no meaning.
                reader.skip(layout.indexLength)
            } else {
                index += 1 + (layout.indexDeltaLength > 0 ? Int(reader.read(layout.indexDeltaLength)) : 0)
            }
            headers.append((size, index))
        }
        guard !headers.isEmpty, reader.bitPosition == bitCount else { return nil }
    }

    /// Serializes the section for consecutive access units.
    package static func serialize(sizes: [Int], _ layout: Layout) -> [UInt8] {
        var writer = BitWriter()
        for (number, size) in sizes.enumerated() {
            writer.write(UInt32(size), count: layout.sizeLength)
            writer.write(0, count: number == 0 ? layout.indexLength : layout.indexDeltaLength)
        }
        let bitCount = writer.bitCount
        writer.alignToByte()
        return [UInt8(truncatingIfNeeded: bitCount >> 8), UInt8(truncatingIfNeeded: bitCount)] + writer.bytes
    }
}
