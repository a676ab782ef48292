// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Time scale and length of the whole (`mvhd`, ISO/IEC 14496-12, 8.2.2).
package struct MovieHeaderBox: Box, Equatable {
    package static let type: FourCharCode = "mvhd"

    /// Time scale and length.
    package var times = MediaTimes(timescale: 1000)
    /// A number that no track has yet.
    var nextTrackID = 2

    /// The unit matrix, by which nothing is turned.
    static let unitMatrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]

    /// Creates an empty box.
    init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        times = try MediaTimes(parsing: &cursor)
        try cursor.skip(4 + 2 + 10 + 36 + 24)
        nextTrackID = try cursor.readInteger(4)
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        times.write(to: &writer)
        writer.write(0x10000, 4)  // rate 1
        writer.write(0x100, 2)  // volume 1
        writer.write(repeatElement(0, count: 10))
        for value in Self.unitMatrix {
            writer.write(value, 4)
        }
        writer.write(repeatElement(0, count: 24))
        writer.write(nextTrackID, 4)
    }
}
