// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A 16-bit CRC of DAB, MSB first and byte by byte.
package struct DABChecksum: Sendable {
    private let table: ContiguousArray<UInt16>
    /// The checksum of each byte value followed by a zero byte.
    private let nextTable: ContiguousArray<UInt16>
    private let initial: UInt16
    /// The final XOR value.
    private let inversion: UInt16

    /// Creates a CRC from its polynomial without the leading term.
    private init(polynomial: UInt16, initial: UInt16, inversion: UInt16) {
        self.initial = initial
        self.inversion = inversion
        let table = ContiguousArray(
            (0..<256).map { byte in
                (0..<8).reduce(UInt16(byte) << 8) { value, _ in value & 0x8000 != 0 ? value << 1 ^ polynomial : value << 1 }
            })
        self.table = table
        nextTable = ContiguousArray(table.map { $0 << 8 ^ table[Int($0 >> 8)] })
    }

    /// The Fire code of bytes 2 to 10 of a superframe (ETSI TS 102 563, 5.2).
    static let fireCode = DABChecksum(polynomial: 0x782F, initial: 0, inversion: 0)

    /// The checksum of access units and data groups (ETSI EN 300 401, Annex E).
    package static let accessUnits = DABChecksum(polynomial: 0x1021, initial: 0xFFFF, inversion: 0xFFFF)

    /// Returns the checksum, computed two bytes at a time.
    func value(_ bytes: Span<UInt8>) -> UInt16 {
        let (table, nextTable) = (table.span.extracting(0..<256), nextTable.span.extracting(0..<256))
        var value = initial
        var index = 0
        while index &+ 1 < bytes.count {
            // Both indices are less than the count.
            let both = unsafe value ^ (UInt16(bytes[unchecked: index]) &<< 8 | UInt16(bytes[unchecked: index &+ 1]))
            value = nextTable[Int(both &>> 8)] ^ table[Int(both & 0xFF)]
            index &+= 2
        }
        if index < bytes.count { value = value << 8 ^ table[Int(UInt8(value >> 8) ^ bytes[index])] }
        return value ^ inversion
    }

    /// Whether the last two bytes are the checksum of the preceding ones.
    func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count > 2 else { return false }
        let stored = UInt16(bytes[bytes.endIndex - 2]) << 8 | UInt16(bytes[bytes.endIndex - 1])
        let data = bytes.dropLast(2)
        return value(data.span) == stored
    }

    /// Appends the checksum of all bytes starting at index `start`.
    package func append(to bytes: inout [UInt8], from start: Int) {
        let value = bytes.withSpan { self.value($0.extracting(start..<$0.count)) }
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(value & 0xFF))
    }
}
