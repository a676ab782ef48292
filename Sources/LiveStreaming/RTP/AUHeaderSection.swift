// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The section of a payload that says how long its access units are (RFC 3640, 3.2.1), with the fields of AAC: sizes and indexes.
package struct AUHeaderSection: Sendable {
    /// The lengths of the fields in bits, as the session description tells them.
    package struct Layout: Hashable, Sendable {
        /// Of the size of a unit.
        package var sizeLength: Int
        /// Of the index of the first unit.
        package var indexLength: Int
        /// Of the index of each other unit, less that of the unit before and 1.
        package var indexDeltaLength: Int

        /// Units of up to 8191 bytes (mode `AAC-hbr`, 3.3.6).
        package static let highBitRate = Layout(sizeLength: 13, indexLength: 3, indexDeltaLength: 3)
        /// Units of up to 63 bytes (mode `AAC-lbr`, 3.3.5).
        package static let lowBitRate = Layout(sizeLength: 6, indexLength: 2, indexDeltaLength: 2)

        /// The size of the longest unit, in bytes.
        var largestSize: Int { (1 << sizeLength) - 1 }
    }

    /// The headers of the units: the size of the whole unit in bytes, also in a fragment of it, and the number of units that precede it since
    /// the first one of the packet, skipped ones of an interleaved stream included.
    package var headers: [(size: Int, index: Int)]
    /// The length of the section in the payload, in bytes.
    package var byteCount: Int

    /// Reads the section at the start of a payload.
    ///
    /// - Returns: Nil if it is longer than the payload, has no unit, or has bits that are no whole header.
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
                // The serial number of the first unit says nothing where units are not interleaved.
                reader.skip(layout.indexLength)
            } else {
                index += 1 + (layout.indexDeltaLength > 0 ? Int(reader.read(layout.indexDeltaLength)) : 0)
            }
            headers.append((size, index))
        }
        guard !headers.isEmpty, reader.bitPosition == bitCount else { return nil }
    }

    /// Returns the section for units of some sizes that follow each other.
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
