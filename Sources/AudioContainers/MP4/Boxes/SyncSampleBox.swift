// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The access units at which decoding may begin, where these are not all (`stss`, ISO/IEC 14496-12, 8.6.2).
struct SyncSampleBox: Box, Equatable {
    static let type: FourCharCode = "stss"

    /// The numbers of the units, counted from 1, ascending.
    var numbers: [UInt32] = []

    /// Creates a box.
    init(numbers: [UInt32] = []) { self.numbers = numbers }

    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        let count = try cursor.readInteger(4)
        try cursor.require(count, entriesOf: 4)
        for _ in 0..<count { numbers.append(UInt32(truncatingIfNeeded: try cursor.readBits(4))) }
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(numbers.count, 4)
        for number in numbers { writer.write(Int(number), 4) }
    }
}
