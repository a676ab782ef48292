// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The sample entries of a track (`stsd`, ISO/IEC 14496-12, 8.5.2); the first supported one is used.
package struct SampleDescriptionBox: Box, Equatable {
    package static let type: FourCharCode = "stsd"

    var entry: AudioSampleEntry?
    /// The type of the first entry, supported or not.
    var firstType: FourCharCode?
    /// The body of the first entry if ``TrackSampleStream`` supports it and it is at most 64 KiB long.
    private(set) var streamEntry: [UInt8] = []
    /// The version of the box.
    ///
    /// In version 0, entries of version 1 are QuickTime's. In version 1, they have the fields of version 0 and optionally a box with the
    /// sample rate (ISO/IEC 14496-12, 12.2.3).
    private(set) var version = 0

    /// The numbers of the entries whose configuration differs from that of ``entry``, counted from 1, at most ``numberLimit``.
    private(set) var otherNumbers: Set<Int> = []

    private static let numberLimit = 255
    /// The maximum size of a stored entry in bytes; FLAC entries include metadata blocks.
    private static let maximumEntryLength = 65_536

    /// The codec of the first entry: its type, or the codec's own code if `mp4a` stands for a codec other than AAC.
    var codec: FourCharCode? { entry?.descriptor?.otherCodec ?? firstType }

    #if !hasFeature(Embedded) || LINNET_FILES
    /// The common name of the codec.
    var codecName: String {
        if let entry, entry.isSupported, let configuration = try? entry.configuration() { return configuration.formatID.codecName }
        return codec?.codecName ?? "unknown"
    }
    #endif

    /// Whether ``TrackSampleStream`` supports the first entry, judging by its codec.
    var isSampleStream: Bool { entry?.descriptor?.otherCodec.map(TrackSampleStream.mpegAudio.contains) ?? !streamEntry.isEmpty }

    init() {}

    package init(entry: AudioSampleEntry) {
        self.entry = entry
        firstType = entry.type
    }

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        version = try cursor.readFullBox().version
        try cursor.skip(4)
        var number = 0
        while case (let type, var body)? = try cursor.nextBox() {
            number += 1
            if firstType == nil {
                firstType = type
                if TrackSampleStream.entryTypes.contains(type), body.remaining <= Self.maximumEntryLength {
                    streamEntry = try body.readRest()
                }
            }
            if AudioSampleEntry.types.contains(type), entry == nil {
                entry = try AudioSampleEntry(type, version: version, parsing: &body)
            } else if number <= Self.numberLimit, !hasConfiguration(ofEntry: type, body) {
                otherNumbers.insert(number)
            }
        }
        if entry == nil { otherNumbers = [] }
    }

    /// Whether an entry has the configuration of ``entry``.
    private func hasConfiguration(ofEntry type: FourCharCode, _ body: ByteCursor) -> Bool {
        var body = body
        guard type == entry?.type, let other = try? AudioSampleEntry(type, version: version, parsing: &body),
            let configuration = try? other.configuration()
        else { return false }
        return configuration == (try? entry?.configuration())
    }

    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(firstType == nil ? 0 : 1, 4)
        entry?.write(to: &writer)
        #if !hasFeature(Embedded)
        if firstType == "text" { writer.box("text") { ChapterTrack.writeDescription(to: &$0) } }
        #endif
    }
}
