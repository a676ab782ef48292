// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The access unit sizes and the gapless information (`pakt`, Core Audio Format specification 1.0).
package struct CAFPacketTable: Equatable {
    static let type: FourCharCode = "pakt"

    /// In output sample frames.
    var gaplessInfo: GaplessInfo
    var sizes: [UInt32] = []
    /// Access unit durations in sample frames, empty if constant.
    package var durations: [Int] = []
}

extension CAFPacketTable {
    /// Parses the body of the chunk.
    ///
    /// It does not list sizes or durations that are constant.
    init(parsing cursor: inout ByteCursor, _ description: CAFDescription) throws(ContainerError) {
        let count = try cursor.readInteger(8)
        let valid = try cursor.readSigned(8)
        let priming = try cursor.readSigned(4)
        let remainder = try cursor.readSigned(4)
        gaplessInfo = GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: remainder)
        let listed = (description.bytesPerPacket == 0 ? 1 : 0) + (description.framesPerPacket == 0 ? 1 : 0)
        guard listed > 0 else { return }
        try cursor.require(count, entriesOf: listed)
        for _ in 0..<count {
            sizes.append(
                description.bytesPerPacket == 0
                    ? UInt32(clamping: try Self.readNumber(&cursor)) : UInt32(description.bytesPerPacket))
            if description.framesPerPacket == 0 { durations.append(try Self.readNumber(&cursor)) }
        }
    }

    func write(to writer: inout BoxWriter, listsSizes: Bool) {
        writer.write(sizes.count, 8)
        writer.write(gaplessInfo.validFrames, 8)
        writer.write(gaplessInfo.primingFrames, 4)
        writer.write(gaplessInfo.remainderFrames, 4)
        for (index, size) in sizes.enumerated() {
            if listsSizes { Self.write(Int(size), to: &writer) }
            if !durations.isEmpty { Self.write(durations[index], to: &writer) }
        }
    }

    /// Writes a number in groups of seven bits, most significant first.
    private static func write(_ number: Int, to writer: inout BoxWriter) {
        for shift in [28, 21, 14, 7] where number >> shift > 0 {
            writer.write(number >> shift & 0x7F | 0x80, 1)
        }
        writer.write(number & 0x7F, 1)
    }

    /// Reads a number in groups of seven bits, most significant first, at most five groups.
    private static func readNumber(_ cursor: inout ByteCursor) throws(ContainerError) -> Int {
        var value: Int64 = 0
        for _ in 0..<5 {
            let byte = try cursor.readInteger(1)
            value = value << 7 | Int64(byte & 0x7F)
            if byte & 0x80 == 0 { return Int(clamping: value) }
        }
        throw .invalidBox(type, offset: cursor.offset)
    }
}
