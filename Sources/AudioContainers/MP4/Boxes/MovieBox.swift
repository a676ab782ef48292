// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The index of a file (`moov` with `mvhd` and `mvex`, ISO/IEC 14496-12, 8.2, 8.8.1 and 8.8.3).
package struct MovieBox: Box, Equatable {
    package static let type: FourCharCode = "moov"

    /// The defaults for a track's fragments (`trex`).
    package struct FragmentDefaults: Equatable {
        package var trackID = 1
        /// The number of the sample description, counted from 1; always written as 1.
        var descriptionNumber = 1
        /// The duration of an access unit, in media ticks.
        package var duration = 0
        /// The size of an access unit, in bytes.
        package var size = 0

        package init(trackID: Int = 1, duration: Int = 0, size: Int = 0) {
            (self.trackID, self.duration, self.size) = (trackID, duration, size)
        }
    }

    package var times = MediaTimes(timescale: 1000)
    /// An unused track ID.
    package var nextTrackID = 2
    package var tracks: [TrackBox] = []
    /// Fragment defaults, or `nil` in unfragmented files.
    package var fragmentDefaults: [FragmentDefaults]?
    package var userData: UserDataBox?
    /// The profile and level of the audio (`audioProfileLevelIndication`, ISO/IEC 14496-3, 1.5.2.4) in `iods`, or `nil` without the box.
    ///
    /// Written but never parsed.
    var audioProfileLevel: Int?

    /// The identity matrix (no rotation).
    static let unitMatrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]

    package init() {}

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        var meta: ByteCursor?
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case "mvhd":
                times = try MediaTimes(parsing: &body)
                try body.skip(4 + 2 + 10 + 36 + 24)
                nextTrackID = try body.readInteger(4)
            case TrackBox.type: tracks.append(try TrackBox(parsing: &body))
            case "mvex": fragmentDefaults = try Self.fragmentDefaults(&body)
            // Damaged tags do not make the audio unreadable.
            case UserDataBox.type: userData = UserDataBox(parsing: &body)
            case UserDataBox.meta: meta = body
            default: break
            }
        }
        guard var meta else { return }
        var tagged = userData ?? UserDataBox()
        tagged.add(meta: &meta)
        if tagged != UserDataBox() { userData = tagged }
    }

    /// The maximum number of tracks with fragment defaults, which each fragment searches.
    private static let fragmentedTrackLimit = 1024

    private static func fragmentDefaults(_ cursor: inout ByteCursor) throws(ContainerError) -> [FragmentDefaults] {
        var defaults: [FragmentDefaults] = []
        while case (let type, var body)? = try cursor.nextBox() {
            guard type == "trex", defaults.count < fragmentedTrackLimit else { continue }
            _ = try body.readFullBox()
            let trackID = try body.readInteger(4)
            let number = try body.readInteger(4)
            var values = FragmentDefaults(trackID: trackID, duration: try body.readInteger(4), size: try body.readInteger(4))
            values.descriptionNumber = number
            defaults.append(values)
        }
        return defaults
    }

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
        if let audioProfileLevel { Self.writeDescriptor(audioProfileLevel, to: &writer) }
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

    /// Writes the object descriptor (`iods`, ISO/IEC 14496-14, 5.1; ISO/IEC 14496-1, 7.2.6.4), without other profiles.
    private static func writeDescriptor(_ audioProfileLevel: Int, to writer: inout BoxWriter) {
        writer.box("iods") {
            $0.writeFullBox()
            $0.write(0x10, 1)
            $0.write(7, 1)
            $0.write(0x004F, 2)  // object descriptor 1
            for level in [0xFF, 0xFF, audioProfileLevel, 0xFF, 0xFF] { $0.write(level, 1) }
        }
    }
}
