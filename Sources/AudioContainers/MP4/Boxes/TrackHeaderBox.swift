// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Number and length of a track (`tkhd`, ISO/IEC 14496-12, 8.3.2).
package struct TrackHeaderBox: Box, Equatable {
    package static let type: FourCharCode = "tkhd"

    /// The number, at least 1.
    package var trackID = 1
    /// Length in ticks of the movie.
    package var duration = 0
    /// Whether the track is to be played.
    var isEnabled = true

    /// Creates an empty box.
    package init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let (version, flags) = try cursor.readFullBox()
        isEnabled = flags & 1 != 0
        try cursor.skip(version == 1 ? 16 : 8)
        trackID = try cursor.readInteger(4)
        try cursor.skip(4)
        duration = version == 1 ? try cursor.readLong() : try cursor.readInteger(4)
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        let isLong = duration > Int(clamping: UInt32.max)
        let partOfMovie = 2 | 4
        writer.writeFullBox(version: isLong ? 1 : 0, flags: isEnabled ? 1 | partOfMovie : partOfMovie)
        writer.write(repeatElement(0, count: isLong ? 16 : 8))
        writer.write(trackID, 4)
        writer.write(0, 4)
        writer.write(duration, isLong ? 8 : 4)
        writer.write(repeatElement(0, count: 8))
        writer.write(0, 2)  // layer
        writer.write(1, 2)  // alternate group: tracks of one group are a choice
        writer.write(0x100, 2)  // volume 1
        writer.write(0, 2)
        for value in MovieHeaderBox.unitMatrix {
            writer.write(value, 4)
        }
        writer.write(repeatElement(0, count: 8))  // no width, no height
    }
}
