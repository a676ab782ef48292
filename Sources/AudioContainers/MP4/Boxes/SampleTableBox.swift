// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The sample entry, and the offset, size and time of each access unit (`stbl`, ISO/IEC 14496-12, 8.5.1).
struct SampleTableBox: Box, Equatable {
    static let type: FourCharCode = "stbl"

    var description = SampleDescriptionBox()
    var times = TimeToSampleBox()
    var chunks = SampleToChunkBox()
    var sizes = SampleSizeBox()
    var offsets = ChunkOffsetBox()
    /// The units at which decoding may begin; nil: all.
    var syncSamples: SyncSampleBox?
    /// The roll group; nil if there is none.
    var rollGroup: RollGroup?

    /// Creates an empty box.
    init() {}

    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
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
    func write(to writer: inout BoxWriter) {
        writer.write(description)
        writer.write(times)
        writer.write(chunks)
        writer.write(sizes)
        offsets.writeBox(to: &writer)
        if let syncSamples { writer.write(syncSamples) }
        rollGroup?.writeBoxes(to: &writer)
    }
}
