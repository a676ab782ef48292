// SPDX-License-Identifier: Apache-2.0

/// The first fields of `mvhd` and `mdhd`: creation and modification time, timescale and duration (ISO/IEC 14496-12, 8.2.2 and 8.4.2).
package struct MediaTimes: Equatable {
    /// Ticks per second, or 0 in damaged files.
    package var timescale: Int
    /// In ticks.
    package var duration = 0

    init(timescale: Int) { self.timescale = timescale }

    /// Parses version, flags and times.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let isLong = try cursor.readFullBox().version == 1
        try cursor.skip(isLong ? 16 : 8)
        timescale = try cursor.readInteger(4)
        duration = try cursor.readInteger(isLong ? 8 : 4)
    }

    /// Writes version, flags and times.
    ///
    /// Creation and modification time are 0, so that the same audio produces the same file.
    func write(to writer: inout BoxWriter) {
        let isLong = duration > Int(clamping: UInt32.max)
        writer.writeFullBox(version: isLong ? 1 : 0)
        writer.write(repeatElement(0, count: isLong ? 16 : 8))
        writer.write(timescale, 4)
        writer.write(duration, isLong ? 8 : 4)
    }
}
