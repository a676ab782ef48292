// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The edit list: the parts of the media to play, and when (`elst`, ISO/IEC 14496-12, 8.6.6).
package struct EditListBox: Box, Equatable {
    package static let type: FourCharCode = "elst"

    /// A part of the media, or a pause.
    package struct Edit: Equatable {
        /// The duration in movie ticks.
        ///
        /// In a fragmented file, 0 means up to the end.
        var duration: Int
        /// The start in media ticks, or -1 for a pause.
        var mediaTime: Int

        package init(duration: Int, mediaTime: Int) {
            self.duration = duration
            self.mediaTime = mediaTime
        }
    }

    var edits: [Edit]

    package init(edits: [Edit]) { self.edits = edits }

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let isLong = try cursor.readFullBox().version == 1
        let byteCount = isLong ? 8 : 4
        edits = try cursor.readEntries(of: 2 * byteCount + 4) { cursor throws(ContainerError) in
            let edit = Edit(duration: try cursor.readInteger(byteCount), mediaTime: try cursor.readSigned(byteCount))
            try cursor.skip(4)
            return edit
        }
    }

    package func write(to writer: inout BoxWriter) {
        let isLong = edits.contains { $0.duration > Int(clamping: UInt32.max) || $0.mediaTime > Int(Int32.max) }
        writer.writeFullBox(version: isLong ? 1 : 0)
        writer.write(edits.count, 4)
        for edit in edits {
            writer.write(edit.duration, isLong ? 8 : 4)
            writer.write(edit.mediaTime, isLong ? 8 : 4)
            writer.write(0x10000, 4)  // rate 1
        }
    }
}
