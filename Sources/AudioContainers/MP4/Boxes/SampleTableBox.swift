// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The sample entries and the offset, size and time of each access unit (`stbl`, ISO/IEC 14496-12, 8.5.1).
package struct SampleTableBox: Box, Equatable {
    package static let type: FourCharCode = "stbl"

    /// A run of access units with the same duration.
    package struct TimeRun: Equatable {
        package var count: Int
        /// The duration of each, in media ticks.
        package var duration: Int

        package init(count: Int, duration: Int) { (self.count, self.duration) = (count, duration) }
    }

    /// A run of chunks with the same number of access units, up to the next run.
    package struct ChunkRun: Equatable {
        /// The first chunk, counted from 1.
        package var firstChunk: Int
        package var unitsPerChunk: Int
        /// The number of the sample description, counted from 1.
        var descriptionNumber = 1

        package init(firstChunk: Int, unitsPerChunk: Int) { (self.firstChunk, self.unitsPerChunk) = (firstChunk, unitsPerChunk) }
    }

    package var description = SampleDescriptionBox()
    /// Access unit durations (`stts`, 8.6.1.2).
    package var times: [TimeRun] = []
    /// Access units per chunk (`stsc`, 8.7.4).
    package var chunks: [ChunkRun] = []
    package var sizes = SampleSizeBox()
    /// The file offset of each chunk (`stco`, or `co64` with 64 bits; 8.7.5).
    package var offsets: [Int] = []
    /// The numbers of sync access units (`stss`), counted from 1 and ascending, or `nil` for all.
    ///
    /// Written but never parsed.
    package var syncNumbers: [UInt32]?
    var rollGroup: RollGroup?

    package init() {}

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
                    var run = ChunkRun(firstChunk: try cursor.readInteger(4), unitsPerChunk: try cursor.readInteger(4))
                    run.descriptionNumber = try cursor.readInteger(4)
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
