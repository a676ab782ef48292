// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A run of contiguous access units (`trun`, ISO/IEC 14496-12, 8.8.8).
package struct TrackRunBox: Box, Equatable {
    package static let type: FourCharCode = "trun"

    /// Flags of the optional fields.
    private enum Flags {
        static let dataOffset = 0x1
        static let firstUnitFlags = 0x4
        static let duration = 0x100
        static let size = 0x200
        static let unitFlags = 0x400
        static let compositionOffset = 0x800
    }

    /// The number of access units.
    var count = 0
    /// The offset of the first access unit, relative to the fragment's base; `nil`: directly after the previous run.
    package var dataOffset: Int?
    /// Access unit sizes, or empty for the default.
    var sizes: [UInt32] = []
    /// Access unit durations, or empty for the default.
    var durations: [UInt32] = []

    /// Whether decoding can start at each access unit, or empty if at all; written but never parsed.
    var syncs: [Bool] = []

    /// `sample_flags` of an access unit that depends on no other, and of a dependent one that is not a sync sample.
    private static let unitFlags = (sync: 0x0200_0000, other: 0x0101_0000)

    package init(sizes: [UInt32], durations: [UInt32] = []) {
        count = sizes.count
        dataOffset = 0
        self.sizes = sizes
        self.durations = durations
    }

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let flags = try cursor.readFullBox().flags
        count = try cursor.readInteger(4)
        if flags & Flags.dataOffset != 0 { dataOffset = try cursor.readSigned(4) }
        if flags & Flags.firstUnitFlags != 0 { try cursor.skip(4) }
        let perUnit = [Flags.duration, Flags.size, Flags.unitFlags, Flags.compositionOffset].filter { flags & $0 != 0 }
        try cursor.require(count, entriesOf: 4 * perUnit.count)
        guard !perUnit.isEmpty else { return }
        for _ in 0..<count {
            for field in perUnit {
                let value = UInt32(truncatingIfNeeded: try cursor.readBits(4))
                if field == Flags.duration { durations.append(value) }
                if field == Flags.size { sizes.append(value) }
            }
        }
    }

    package func write(to writer: inout BoxWriter) {
        var flags = dataOffset == nil ? 0 : Flags.dataOffset
        if !sizes.isEmpty { flags |= Flags.size }
        if !durations.isEmpty { flags |= Flags.duration }
        if !syncs.isEmpty { flags |= Flags.unitFlags }
        writer.writeFullBox(flags: flags)
        writer.write(count, 4)
        if let dataOffset { writer.write(dataOffset, 4) }
        for index in 0..<(sizes.isEmpty && durations.isEmpty && syncs.isEmpty ? 0 : count) {
            if !durations.isEmpty { writer.write(Int(durations[index]), 4) }
            if !sizes.isEmpty { writer.write(Int(sizes[index]), 4) }
            if !syncs.isEmpty { writer.write(syncs[index] ? Self.unitFlags.sync : Self.unitFlags.other, 4) }
        }
    }
}
