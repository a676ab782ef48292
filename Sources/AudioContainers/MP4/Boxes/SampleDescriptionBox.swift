// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The kinds of access unit in a track (`stsd`, ISO/IEC 14496-12, 8.5.2); the first kind that is supported counts.
package struct SampleDescriptionBox: Box, Equatable {
    package static let type: FourCharCode = "stsd"

    var entry: AudioSampleEntry?
    /// The name of the first entry, whatever it is.
    var firstType: FourCharCode?
    /// The body of the first entry if that is one of ``MP4SampleStream``, and not longer than 64 KiB.
    private(set) var streamEntry: [UInt8] = []
    /// The version of the box.
    ///
    /// In version 1 entries of version 1 have the fields of version 0, and perhaps a box with the sample rate
    /// (ISO/IEC 14496-12, 12.2.3); in version 0 they are those of QuickTime.
    private(set) var version = 0

    /// The longest entry that is kept, in bytes: FLAC's has the blocks of metadata.
    private static let longestEntry = 65_536

    /// The codec of the first entry: its name or, for `mp4a` with a codec other than AAC, the codec's own code.
    var codec: FourCharCode? { entry?.descriptor?.otherCodec ?? firstType }

    #if !hasFeature(Embedded)
    /// The usual name of the codec.
    var codecName: String {
        if let entry, entry.isSupported, let configuration = try? entry.configuration() { return configuration.formatID.codecName }
        return codec?.codecName ?? "unknown"
    }
    #endif

    /// Whether ``MP4SampleStream`` reads the first entry, as far as its name says.
    var isSampleStream: Bool { entry?.descriptor?.otherCodec.map(MP4SampleStream.mpegAudio.contains) ?? !streamEntry.isEmpty }

    /// Creates an empty box.
    init() {}

    /// Creates a box.
    package init(entry: AudioSampleEntry) {
        self.entry = entry
        firstType = entry.type
    }

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        version = try cursor.readFullBox().version
        try cursor.skip(4)
        while case (let type, var body)? = try cursor.nextBox() {
            if firstType == nil {
                firstType = type
                if MP4SampleStream.entryTypes.contains(type), body.remaining <= Self.longestEntry {
                    streamEntry = try body.readRest()
                }
            }
            if AudioSampleEntry.types.contains(type), entry == nil { entry = try AudioSampleEntry(type, version: version, parsing: &body) }
        }
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(firstType == nil ? 0 : 1, 4)
        entry?.write(to: &writer)
        #if !hasFeature(Embedded)
        if firstType == "text" { writer.box("text") { ChapterTrack.writeDescription(to: &$0) } }
        #endif
    }
}
