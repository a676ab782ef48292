// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The sample entry, and the offset, size and time of each access unit (`stbl`, ISO/IEC 14496-12, 8.5.1).
package struct SampleTableBox: Box, Equatable {
    package static let type: FourCharCode = "stbl"

    package var description = SampleDescriptionBox()
    package var times = TimeToSampleBox()
    package var chunks = SampleToChunkBox()
    package var sizes = SampleSizeBox()
    package var offsets = ChunkOffsetBox()
    /// The numbers of the units at which decoding may begin (`stss`), from 1 on, ascending; nil: all.
    ///
    /// They are only written.
    var syncNumbers: [UInt32]?
    /// The roll group; nil if there is none.
    var rollGroup: RollGroup?

    /// Creates an empty box.
    package init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case SampleDescriptionBox.type: description = try SampleDescriptionBox(parsing: &body)
            case TimeToSampleBox.type: times = try TimeToSampleBox(parsing: &body)
            case SampleToChunkBox.type: chunks = try SampleToChunkBox(parsing: &body)
            case SampleSizeBox.type: sizes = try SampleSizeBox(parsing: &body)
            case SampleSizeBox.compactType: sizes = try SampleSizeBox(parsingCompact: &body)
            case ChunkOffsetBox.type: offsets = try ChunkOffsetBox(parsing: &body)
            case ChunkOffsetBox.longType: offsets = try ChunkOffsetBox(parsingLong: &body)
            default: break
            }
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.write(description)
        writer.write(times)
        writer.write(chunks)
        writer.write(sizes)
        offsets.writeBox(to: &writer)
        if let syncNumbers {
            writer.box("stss") {
                $0.writeFullBox()
                $0.write(syncNumbers.count, 4)
                for number in syncNumbers { $0.write(Int(number), 4) }
            }
        }
        rollGroup?.writeBoxes(to: &writer)
    }
}
