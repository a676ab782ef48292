// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The defaults of the fragments of a file (`mvex` and `trex`, ISO/IEC 14496-12, 8.8.1 and 8.8.3).
package struct MovieExtendsBox: Box, Equatable {
    package static let type: FourCharCode = "mvex"
    private static let trackExtends: FourCharCode = "trex"

    /// The defaults of the fragments of a track.
    package struct Defaults: Equatable {
        var trackID = 1
        /// Length of a unit in ticks of the media.
        var duration = 0
        /// Bytes of a unit.
        var size = 0

        /// Creates a value from its parts.
        package init(trackID: Int = 1, duration: Int = 0, size: Int = 0) {
            self.trackID = trackID
            self.duration = duration
            self.size = size
        }
    }

    var tracks: [Defaults] = []

    /// Creates a box.
    package init(tracks: [Defaults]) { self.tracks = tracks }

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            guard type == Self.trackExtends else { continue }
            _ = try body.readFullBox()
            let trackID = try body.readInteger(4)
            try body.skip(4)
            tracks.append(Defaults(trackID: trackID, duration: try body.readInteger(4), size: try body.readInteger(4)))
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        for track in tracks {
            writer.box(Self.trackExtends) {
                $0.writeFullBox()
                $0.write(track.trackID, 4)
                $0.write(1, 4)
                $0.write(track.duration, 4)
                $0.write(track.size, 4)
                $0.write(0, 4)
            }
        }
    }
}
