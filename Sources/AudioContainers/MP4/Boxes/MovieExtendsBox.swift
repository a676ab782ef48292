// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// That a file has fragments, and what they have in common (`mvex` and `trex`, ISO/IEC 14496-12, 8.8.1 and 8.8.3).
struct MovieExtendsBox: Box, Equatable {
    static let type: FourCharCode = "mvex"
    private static let trackExtends: FourCharCode = "trex"

    /// What the fragments of a track have in common.
    struct Defaults: Equatable {
        var trackID = 1
        /// Length of a unit in ticks of the media.
        var duration = 0
        /// Bytes of a unit.
        var size = 0
    }

    var tracks: [Defaults] = []

    init(tracks: [Defaults]) { self.tracks = tracks }

    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            guard type == Self.trackExtends else { continue }
            _ = try body.readFullBox()
            let trackID = try body.readInteger(4)
            try body.skip(4)
            tracks.append(Defaults(trackID: trackID, duration: try body.readInteger(4), size: try body.readInteger(4)))
        }
    }

    func write(to writer: inout BoxWriter) {
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
