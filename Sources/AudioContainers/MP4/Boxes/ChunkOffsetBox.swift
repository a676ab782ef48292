// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Where each chunk lies in the file (`stco`, or `co64` with 64 bits; ISO/IEC 14496-12, 8.7.5).
package struct ChunkOffsetBox: Equatable {
    static let type: FourCharCode = "stco"
    static let longType: FourCharCode = "co64"

    package var offsets: [Int] = []

    /// Creates a box.
    package init(offsets: [Int] = []) { self.offsets = offsets }

    /// Parses the body with 32-bit offsets (stco).
    init(parsing cursor: inout ByteCursor) throws(ContainerError) { try self.init(&cursor, byteCount: 4) }

    /// Parses the body with 64-bit offsets (co64).
    init(parsingLong cursor: inout ByteCursor) throws(ContainerError) { try self.init(&cursor, byteCount: 8) }

    /// Parses offsets of `byteCount` bytes each.
    private init(_ cursor: inout ByteCursor, byteCount: Int) throws(ContainerError) {
        _ = try cursor.readFullBox()
        let count = try cursor.readInteger(4)
        try cursor.require(count, entriesOf: byteCount)
        offsets.reserveCapacity(count)
        for _ in 0..<count {
            offsets.append(byteCount == 8 ? try cursor.readLong() : try cursor.readInteger(4))
        }
    }

    /// Writes the box that the largest offset needs.
    package func writeBox(to writer: inout BoxWriter) {
        let isLong = offsets.contains { $0 > Int(clamping: UInt32.max) }
        writer.box(isLong ? Self.longType : Self.type) {
            $0.writeFullBox()
            $0.write(offsets.count, 4)
            for offset in offsets {
                $0.write(offset, isLong ? 8 : 4)
            }
        }
    }
}
