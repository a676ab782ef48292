// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The index of a file (`moov` with `mvhd` and `mvex`, ISO/IEC 14496-12, 8.2, 8.8.1 and 8.8.3).
package struct MovieBox: Box, Equatable {
    package static let type: FourCharCode = "moov"

    /// The defaults of the fragments of a track (`trex`).
    package struct FragmentDefaults: Equatable {
        package var trackID = 1
        /// Length of a unit in ticks of the media.
        package var duration = 0
        /// Bytes of a unit.
        package var size = 0

        /// Creates the defaults of a track.
        package init(trackID: Int = 1, duration: Int = 0, size: Int = 0) {
            (self.trackID, self.duration, self.size) = (trackID, duration, size)
        }
    }

    /// Time scale and length of the whole.
    package var times = MediaTimes(timescale: 1000)
    /// A number that no track has yet.
    package var nextTrackID = 2
    package var tracks: [TrackBox] = []
    /// Defaults for fragments; nil in a file without.
    package var fragmentDefaults: [FragmentDefaults]?
    package var userData: UserDataBox?

    /// The unity matrix: no rotation.
    static let unitMatrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]

    /// Creates an empty box.
    package init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case "mvhd":
                times = try MediaTimes(parsing: &body)
                try body.skip(4 + 2 + 10 + 36 + 24)
                nextTrackID = try body.readInteger(4)
            case TrackBox.type: tracks.append(try TrackBox(parsing: &body))
            case "mvex": fragmentDefaults = try Self.fragmentDefaults(&body)
            // Damaged tags don't make the audio unreadable.
            case UserDataBox.type: userData = try? UserDataBox(parsing: &body)
            default: break
            }
        }
    }

    /// Parses the defaults of all tracks.
    private static func fragmentDefaults(_ cursor: inout ByteCursor) throws(ContainerError) -> [FragmentDefaults] {
        var defaults: [FragmentDefaults] = []
        while case (let type, var body)? = try cursor.nextBox() {
            guard type == "trex" else { continue }
            _ = try body.readFullBox()
            let trackID = try body.readInteger(4)
            try body.skip(4)
            defaults.append(FragmentDefaults(trackID: trackID, duration: try body.readInteger(4), size: try body.readInteger(4)))
        }
        return defaults
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.box("mvhd") {
            times.write(to: &$0)
            $0.write(0x10000, 4)  // rate 1
            $0.write(0x100, 2)  // volume 1
            $0.write(repeatElement(0, count: 10))
            for value in Self.unitMatrix { $0.write(value, 4) }
            $0.write(repeatElement(0, count: 24))
            $0.write(nextTrackID, 4)
        }
        for track in tracks { writer.write(track) }
        if let fragmentDefaults {
            writer.box("mvex") { writer in
                for track in fragmentDefaults {
                    writer.box("trex") {
                        $0.writeFullBox()
                        for value in [track.trackID, 1, track.duration, track.size, 0] { $0.write(value, 4) }
                    }
                }
            }
        }
        if let userData { writer.write(userData) }
    }
}
