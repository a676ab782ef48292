// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Time scale and length of the media (`mdhd`, ISO/IEC 14496-12, 8.4.2).
struct MediaHeaderBox: Box, Equatable {
    static let type: FourCharCode = "mdhd"

    /// Ticks a second; 0 in damaged files.
    var timescale = 0
    /// Length in ticks.
    var duration = 0

    /// "und", an unknown language, in three times five bits.
    private static let undetermined = 0x55C4

    /// Creates an empty box.
    init() {}

    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let isLong = try cursor.readFullBox().version == 1
        try cursor.skip(isLong ? 16 : 8)
        timescale = try cursor.readInteger(4)
        duration = isLong ? try cursor.readLong() : try cursor.readInteger(4)
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        let isLong = duration > Int(clamping: UInt32.max)
        writer.writeFullBox(version: isLong ? 1 : 0)
        writer.write(repeatElement(0, count: isLong ? 16 : 8))
        writer.write(timescale, 4)
        writer.write(duration, isLong ? 8 : 4)
        writer.write(Self.undetermined, 2)
        writer.write(0, 2)
    }
}
