// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The index of one fragment (`moof` with `mfhd`, ISO/IEC 14496-12, 8.8.4 and 8.8.5).
package struct MovieFragmentBox: Equatable {
    package static let type: FourCharCode = "moof"
    private static let header: FourCharCode = "mfhd"

    /// 1 for the first fragment.
    var sequenceNumber = 1
    var tracks: [TrackFragmentBox] = []

    package init(sequenceNumber: Int = 1, tracks: [TrackFragmentBox] = []) {
        self.sequenceNumber = sequenceNumber
        self.tracks = tracks
    }
}

extension MovieFragmentBox: Box {
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            if type == Self.header {
                _ = try body.readFullBox()
                sequenceNumber = try body.readInteger(4)
            } else if type == TrackFragmentBox.type {
                tracks.append(try TrackFragmentBox(parsing: &body))
            }
        }
    }

    package func write(to writer: inout BoxWriter) {
        writer.box(Self.header) {
            $0.writeFullBox()
            $0.write(sequenceNumber, 4)
        }
        for track in tracks {
            writer.write(track)
        }
    }
}
