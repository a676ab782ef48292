// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The units of one fragment (`moof` with `mfhd`, ISO/IEC 14496-12, 8.8.4 and 8.8.5).
struct MovieFragmentBox: Equatable {
    static let type: FourCharCode = "moof"
    private static let header: FourCharCode = "mfhd"

    /// 1 for the first fragment.
    var sequenceNumber = 1
    var tracks: [TrackFragmentBox] = []
}

extension MovieFragmentBox: Box {
    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            if type == Self.header {
                _ = try body.readFullBox()
                sequenceNumber = try body.readInteger(4)
            } else if type == TrackFragmentBox.type {
                tracks.append(try TrackFragmentBox(parsing: &body))
            }
        }
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        writer.box(Self.header) {
            $0.writeFullBox()
            $0.write(sequenceNumber, 4)
        }
        for track in tracks {
            writer.write(track)
        }
    }
}
