// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The sample entry, and the offset, size and time of each access unit (`stbl`, ISO/IEC 14496-12, 8.5.1).
package struct SampleTableBox: Box, Equatable {
    package static let type: FourCharCode = "stbl"

    /// Units of the same length.
    package struct TimeRun: Equatable {
        package var count: Int
        /// Length of each in ticks of the media.
        package var duration: Int

        /// Creates a run.
        package init(count: Int, duration: Int) { (self.count, self.duration) = (count, duration) }
    }

    /// Chunks of as many units each, up to the next run.
    package struct ChunkRun: Equatable {
        /// The first chunk, counted from 1.
        package var firstChunk: Int
        package var unitsPerChunk: Int

        /// Creates a run.
        package init(firstChunk: Int, unitsPerChunk: Int) { (self.firstChunk, self.unitsPerChunk) = (firstChunk, unitsPerChunk) }
    }

    package var description = SampleDescriptionBox()
    /// The duration of each access unit (`stts`, 8.6.1.2).
    package var times: [TimeRun] = []
    /// The number of access units in each chunk (`stsc`, 8.7.4).
    package var chunks: [ChunkRun] = []
    package var sizes = SampleSizeBox()
    /// Where each chunk lies in the file (`stco`, or `co64` with 64 bits; 8.7.5).
    package var offsets: [Int] = []
    /// The numbers of the units at which decoding may begin (`stss`), from 1 on, ascending; nil: all.
    ///
    /// They are only written.
    package var syncNumbers: [UInt32]?
    /// The roll group; nil if there is none.
    var rollGroup: RollGroup?

    /// Creates an empty box.
    package init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case SampleDescriptionBox.type: description = try SampleDescriptionBox(parsing: &body)
            case "stts":
                _ = try body.readFullBox()
                times = try body.readEntries(of: 8) { cursor throws(ContainerError) in
                    TimeRun(count: try cursor.readInteger(4), duration: try cursor.readInteger(4))
                }
            case "stsc":
                _ = try body.readFullBox()
                chunks = try body.readEntries(of: 12) { cursor throws(ContainerError) in
                    let run = ChunkRun(firstChunk: try cursor.readInteger(4), unitsPerChunk: try cursor.readInteger(4))
                    try cursor.skip(4)
                    return run
                }
            case SampleSizeBox.type: sizes = try SampleSizeBox(parsing: &body)
            case SampleSizeBox.compactType: sizes = try SampleSizeBox(parsingCompact: &body)
            case "stco", "co64":
                _ = try body.readFullBox()
                let byteCount = type == "co64" ? 8 : 4
                offsets = try body.readEntries(of: byteCount) { cursor throws(ContainerError) in try cursor.readInteger(byteCount) }
            default: break
            }
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.write(description)
        writer.table("stts", times) {
            $0.write($1.count, 4)
            $0.write($1.duration, 4)
        }
        writer.table("stsc", chunks) {
            $0.write($1.firstChunk, 4)
            $0.write($1.unitsPerChunk, 4)
            $0.write(1, 4)  // the only sample description
        }
        writer.write(sizes)
        let isLong = offsets.contains { $0 > Int(clamping: UInt32.max) }
        writer.table(isLong ? "co64" : "stco", offsets) { $0.write($1, isLong ? 8 : 4) }
        if let syncNumbers { writer.table("stss", syncNumbers) { $0.write(Int($1), 4) } }
        rollGroup?.writeBoxes(to: &writer)
    }
}
