// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio

/// Reads an audio track of an MP4, M4A, 3GP or QuickTime file, fragmented or not.
///
/// By default, the track is the first enabled one with a supported codec, or else the first with a supported codec. Only the index is kept
/// in memory. Lengths and counts are checked against the file size before use.
package struct MP4Reader<Source: ByteSource>: ContainerReader {
    package let configuration: CodecConfiguration
    /// Gapless information, access unit count, tags and more.
    package let metadata: ContainerMetadata
    /// The media timescale, in ticks per second.
    package let timescale: Int

    private var cursor: UnitCursor<Source>
    /// The bytes of a second file, until they are reported.
    private var nextFile: Range<Int>?

    /// Opens a file and reads its index.
    ///
    /// - Parameter number: The number of the track to read among the audio tracks, from 1, or `nil` for the default.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` for unsupported codecs, and with `nil` if the file has no audio track with this
    ///   number; other ``ContainerError``s for damaged files.
    package init(_ source: Source, audioTrack number: Int? = nil) throws(ContainerError) {
        let index = try MP4Index(source)
        let (track, entry) = try Self.audioTrack(number, of: index)
        configuration = try entry.configuration()
        let outputRate = configuration.sampleRate
        let timescale = track.mediaTimes.timescale
        // The output rate replaces an invalid timescale.
        self.timescale = (1...Int(Int32.max)).contains(timescale) ? timescale : outputRate
        let table = index.sampleTable(of: track, byteCount: source.byteCount)
        cursor = UnitCursor(source, configuration: configuration, table: table, timescale: self.timescale)
        nextFile = index.nextFile.map { $0..<source.byteCount }
        var metadata = ContainerMetadata()
        metadata.accessUnitCount = table.count
        metadata.frameCount = cursor.frameCount
        metadata.tags = index.movie.userData?.tags ?? AudioTags()
        #if !hasFeature(Embedded) || LINNET_FILES
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
        metadata.hasFalsePositions = table.hasFalseTimes
        metadata.otherTracksByteCount = index.byteCount(ofTracksOtherThan: track, fileByteCount: source.byteCount)
        self.metadata = metadata
    }

    private static func audioTrack(_ number: Int?, of index: MP4Index) throws(ContainerError) -> (TrackBox, AudioSampleEntry) {
        if let track = index.audioTrack(number, where: { $0.entry?.isSupported == true }),
            let entry = track.sampleTable.description.entry
        {
            return (track, entry)
        }
        throw .unsupportedCodec(index.audioTrack(number, where: { _ in true })?.sampleTable.description.codec)
    }

    /// Reads the next event.
    ///
    /// Reports an access unit beyond the end of the file as skipped, and a second file after the first.
    package mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        if let event = try cursor.nextEvent() { return event }
        defer { nextFile = nil }
        return nextFile.map { .skipped(SkippedBytes(byteRange: $0, reason: .unrecognized)) }
    }

    package var canSeek: Bool { true }

    /// Seeks to the access unit that contains a decoded sample frame, counted at the output rate.
    package mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int { cursor.seek(toFrame: frame) }
}

extension MP4Reader: Sequence, IteratorProtocol where Source == MemorySource {
    package mutating func next() -> DemuxedAccessUnit? { nextUnitInMemory() }
}
