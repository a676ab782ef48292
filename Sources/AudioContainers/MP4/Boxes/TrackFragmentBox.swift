// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A track's access units in a fragment (`traf` with `tfhd` and `tfdt`, ISO/IEC 14496-12, 8.8.6, 8.8.7 and 8.8.12).
package struct TrackFragmentBox: Box, Equatable {
    package static let type: FourCharCode = "traf"
    private static let header: FourCharCode = "tfhd"
    private static let decodeTime: FourCharCode = "tfdt"

    /// Flags of the optional `tfhd` fields.
    private enum Flags {
        static let baseOffset = 0x1
        static let description = 0x2
        static let duration = 0x8
        static let size = 0x10
        static let baseIsFragment = 0x20000
    }

    var trackID = 1
    /// The file offset that data offsets are relative to; `nil`: see ``isBasedOnFragment``.
    package var baseOffset: Int?
    /// The number of the sample description, if it differs from the file's default; never written.
    var descriptionNumber: Int?
    /// The duration of an access unit, if it differs from the file's default.
    var defaultDuration: Int?
    /// The size of an access unit, if it differs from the file's default.
    package var defaultSize: Int?
    /// Whether offsets are relative to the start of the fragment.
    ///
    /// Otherwise, to the end of the fragment's previous track.
    package var isBasedOnFragment = false
    /// The time of the first access unit, in media ticks; `nil`: directly after the preceding access units.
    package var startTime: Int?
    package var runs: [TrackRunBox] = []
    /// The preroll of each access unit; written but never parsed.
    var rollGroup: RollGroup?

    package init(startTime: Int, defaultDuration: Int, runs: [TrackRunBox]) {
        self.startTime = startTime
        self.defaultDuration = defaultDuration
        self.runs = runs
        isBasedOnFragment = true
    }

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case Self.header: try parseHeader(&body)
            case Self.decodeTime:
                startTime = try body.readInteger(try body.readFullBox().version == 1 ? 8 : 4)
            case TrackRunBox.type: runs.append(try TrackRunBox(parsing: &body))
            default: break
            }
        }
    }

    private mutating func parseHeader(_ cursor: inout ByteCursor) throws(ContainerError) {
        let flags = try cursor.readFullBox().flags
        trackID = try cursor.readInteger(4)
        if flags & Flags.baseOffset != 0 { baseOffset = try cursor.readInteger(8) }
        if flags & Flags.description != 0 { descriptionNumber = try cursor.readInteger(4) }
        if flags & Flags.duration != 0 { defaultDuration = try cursor.readInteger(4) }
        if flags & Flags.size != 0 { defaultSize = try cursor.readInteger(4) }
        isBasedOnFragment = flags & Flags.baseIsFragment != 0
    }

    package func write(to writer: inout BoxWriter) {
        writer.box(Self.header) {
            var flags = isBasedOnFragment ? Flags.baseIsFragment : 0
            if baseOffset != nil { flags |= Flags.baseOffset }
            if defaultDuration != nil { flags |= Flags.duration }
            if defaultSize != nil { flags |= Flags.size }
            $0.writeFullBox(flags: flags)
            $0.write(trackID, 4)
            if let baseOffset { $0.write(baseOffset, 8) }
            if let defaultDuration { $0.write(defaultDuration, 4) }
            if let defaultSize { $0.write(defaultSize, 4) }
        }
        if let startTime {
            writer.box(Self.decodeTime) {
                $0.writeFullBox(version: 1)
                $0.write(startTime, 8)
            }
        }
        for run in runs {
            writer.write(run)
        }
        rollGroup?.writeBoxes(to: &writer, inFragment: true)
    }
}
