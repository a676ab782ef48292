// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
package import AudioPrimitives
internal import MPEG4Audio

/// Reads a track of an MP4, M4A, 3GP or QuickTime file, fragmented or not: of those with a supported codec the first that is enabled, else the
/// first.
///
/// Only the index is kept in memory. Lengths and counts in the file are checked against its size before they are used.
package struct MP4Reader<Source: ByteSource>: ContainerReader {
    /// The configuration of all access units.
    package let configuration: CodecConfiguration
    /// Gapless information, number of access units, tags.
    package let metadata: ContainerMetadata
    /// Ticks a second of the times of the units.
    package let timescale: Int
    /// The brand of the file.
    package let brand: FourCharCode?

    private var cursor: UnitCursor<Source>

    /// Opens a file and reads its index.
    ///
    /// - Parameter source: The bytes of the file.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` for other codecs, and other ``ContainerError``s for damaged files.
    package init(_ source: Source) throws(ContainerError) {
        let index = try MP4Index(source)
        let (track, entry) = try Self.audioTrack(of: index)
        configuration = try entry.configuration()
        let outputRate = configuration.sampleRate
        let timescale = track.mediaTimes.timescale
        // An invalid timescale is replaced by the output rate.
        self.timescale = (1...Int(Int32.max)).contains(timescale) ? timescale : outputRate
        brand = index.brand
        let table = index.sampleTable(of: track, byteCount: source.byteCount)
        cursor = UnitCursor(source, configuration: configuration, table: table, timescale: self.timescale)
        var metadata = ContainerMetadata()
        metadata.accessUnitCount = table.count
        metadata.tags = index.movie.userData?.tags ?? AudioTags()
        #if !hasFeature(Embedded)
        metadata.audioTracks = index.audioTracks(reading: track)
        index.readChapters(of: track, source, into: &metadata.tags)
        #endif
        var gapless = GaplessMetadata(
            index.movie, track, mediaTimescale: self.timescale, mediaDuration: table.duration, totalFrames: cursor.frameCount,
            sampleRate: outputRate)
        gapless.framesPerUnit = configuration.framesPerUnit
        gapless.iTunes = index.movie.userData?.gapless
        if configuration.audioSpecificConfig != nil { gapless.encoder = metadata.tags.encoder }
        gapless.preSkip = entry.opus.map { Int($0.configuration.preSkip) }
        metadata.gaplessInfo = gapless.info
        metadata.loudness = track.loudness?.loudness ?? configuration.audioSpecificConfig?.usac?.loudness
        metadata.omittedRanges = gapless.omittedRanges
        metadata.isRearranged = gapless.isRearranged
        metadata.otherTracksByteCount = index.byteCount(ofTracksOtherThan: track, fileByteCount: source.byteCount)
        self.metadata = metadata
    }

    /// Returns the track to read, and its sample entry.
    private static func audioTrack(of index: MP4Index) throws(ContainerError) -> (TrackBox, AudioSampleEntry) {
        if let track = index.audioTrack(where: { $0.entry?.isSupported == true }),
            let entry = track.sampleTable.description.entry
        {
            return (track, entry)
        }
        throw .unsupportedCodec(index.audioTrack(where: { _ in true })?.sampleTable.description.codec)
    }

    /// Reads the next event; an access unit outside the file is reported as skipped.
    package mutating func nextEvent() throws(ContainerError) -> ReaderEvent? { try cursor.nextEvent() }

    /// True: the index has the offset of every access unit.
    package var canSeek: Bool { true }

    /// Moves to the access unit that holds a decoded sample frame of the output rate.
    package mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int { cursor.seek(toFrame: frame) }
}

extension MP4Reader: Sequence, IteratorProtocol where Source == MemorySource {
    /// Returns the next access unit; nil at the end.
    package mutating func next() -> CodedUnit? { nextUnitInMemory() }
}
