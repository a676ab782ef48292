// SPDX-License-Identifier: Apache-2.0

/// The beginning of `mvhd` and `mdhd`: times of creation and modification, time scale and length (ISO/IEC 14496-12, 8.2.2 and 8.4.2).
package struct MediaTimes: Equatable {
    /// Ticks a second; 0 in damaged files.
    package var timescale: Int
    /// Length in ticks.
    package var duration = 0

    /// Creates times of nothing.
    init(timescale: Int) { self.timescale = timescale }

    /// Parses version, flags and times.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let isLong = try cursor.readFullBox().version == 1
        try cursor.skip(isLong ? 16 : 8)
        timescale = try cursor.readInteger(4)
        duration = try cursor.readInteger(isLong ? 8 : 4)
    }

    /// Writes version, flags and times, without those of creation and modification: the same audio produces the same file.
    func write(to writer: inout BoxWriter) {
        let isLong = duration > Int(clamping: UInt32.max)
        writer.writeFullBox(version: isLong ? 1 : 0)
        writer.write(repeatElement(0, count: isLong ? 16 : 8))
        writer.write(timescale, 4)
        writer.write(duration, isLong ? 8 : 4)
    }
}
