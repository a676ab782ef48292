// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives

/// Writes an M4A file (ISO/IEC 14496-12 and 14496-14).
///
/// Gapless playback is signalled by an edit list, a roll group and the iTunes tag `iTunSMPB`. SBR and PS are signalled as in the
/// configuration. The same access units always produce the same bytes.
///
/// In files with several tracks, each fragment has access units of one track. It is written when it is full, so a track that lags behind
/// does not delay the others.
package struct MP4Writer<Sink: ByteSink>: ContainerWriter {
    package var sink: Sink

    private let layout: MP4WriterOptions.Layout
    private var movie: MP4MovieBuilder
    private var fragments: [TrackFragments]
    private var fragmentCount = 0
    private var isStarted = false
    private var isFinished = false
    /// The offset of the file's first byte in the sink.
    private var start = 0
    /// The range reserved for the index.
    private var reserved = 0..<0
    /// The offset of the media data header.
    private var mediaStart = 0

    /// Creates a writer.
    ///
    /// - Parameter sink: The destination. The file starts at the sink's current end.
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types with unknown frame length;
    ///   ``ContainerError/codecNotStorable(_:in:)`` for iLBC; ``ContainerError/sinkCannotOverwrite`` if the layout requires overwriting.
    package init(
        to sink: Sink, _ configuration: CodecConfiguration, options: MP4WriterOptions = MP4WriterOptions()
    ) throws(ContainerError) {
        guard sink.canOverwrite || !options.layout.hasIndexAtEnd else { throw .sinkCannotOverwrite }
        try MP4TrackBuilder.check(configuration)
        self.sink = sink
        layout = options.layout
        let track = MP4TrackBuilder(
            configuration, usesCoreTimescale: options.usesCoreTimescale, unitsPerChunk: options.layout.fragments?.accessUnitCount)
        movie = MP4MovieBuilder([track], tags: options.tags)
        fragments = [
            TrackFragments(
                accessUnitCount: options.layout.fragments?.accessUnitCount ?? 0, priming: options.layout.fragments?.priming ?? 0)
        ]
    }

    /// Creates a writer of a fragmented file with one or more tracks.
    ///
    /// - Parameters:
    ///   - sink: The destination. The file starts at the sink's current end.
    ///   - tracks: The tracks, at least one. The first has track ID 1.
    ///   - tags: Title, artist and other tags.
    ///   - isIndexed: Whether ``finish(_:)`` replaces the fragments by one index. The sink must support overwriting then.
    /// - Throws: ``ContainerError`` as for other configurations.
    package init(to sink: Sink, tracks: [MP4WriterOptions.Track], tags: AudioTags, isIndexed: Bool) throws(ContainerError) {
        precondition(!tracks.isEmpty, "no tracks")
        for track in tracks { try MP4TrackBuilder.check(track.configuration) }
        guard sink.canOverwrite || !isIndexed else { throw .sinkCannotOverwrite }
        self.sink = sink
        // Only the kind of layout matters: each track has its own counts.
        layout = isIndexed ? .fragmentedUntilFinished(unitsPerFragment: 1, priming: 0) : .fragmented(unitsPerFragment: 1, priming: 0)
        let builders = tracks.enumerated().map { index, track in
            MP4TrackBuilder(
                track.configuration, trackID: index + 1, usesCoreTimescale: true, unitsPerChunk: max(1, track.unitsPerFragment),
                name: track.name, startFrame: track.startFrame)
        }
        movie = MP4MovieBuilder(builders, tags: tags)
        fragments = tracks.map { TrackFragments(accessUnitCount: max(1, $0.unitsPerFragment), priming: $0.priming) }
    }

    /// Writes an access unit of the first track, or buffers it for the next fragment.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or
    ///   ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) { try append(accessUnit, toTrack: 0) }

    /// Writes an access unit of the track with an index, or buffers it for the track's next fragment.
    ///
    /// - Throws: ``ContainerError`` as for the first track.
    package mutating func append(_ accessUnit: AccessUnit, toTrack index: Int) throws(ContainerError) {
        precondition(!isFinished && !fragments[index].isFinished, "append after finish")
        try accessUnit.checkLength(limit: SampleTable.maximumUnitByteCount)
        try begin()
        guard layout.fragments != nil else {
            let offset = sink.byteCount - start
            try sink.append(accessUnit.payload)
            return movie.tracks[index].add(accessUnit, at: offset)
        }
        let randomAccess = movie.tracks[index].randomAccess(at: accessUnit.payload)
        // A full fragment waits for the next access unit, because the last fragment also signals the padding.
        if fragments[index].isFull(before: randomAccess) { try writeFragment(ofTrack: index, remainder: 0) }
        fragments[index].pending.add(accessUnit.payload, ticks: movie.tracks[index].ticks(of: accessUnit), randomAccess)
    }

    /// Writes the last fragment of a track.
    ///
    /// Do not append to the track afterwards.
    ///
    /// - Parameter gaplessInfo: Priming and padding in output sample frames, or `nil` if unknown.
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    package mutating func finishTrack(_ index: Int, _ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        precondition(!isFinished && !fragments[index].isFinished, "finish after finish")
        try begin()
        fragments[index].isFinished = true
        movie.tracks[index].gaplessInfo = gaplessInfo
        if fragments[index].pending.accessUnitCount > 0 {
            try writeFragment(ofTrack: index, remainder: gaplessInfo?.remainderFrames ?? 0)
        }
        // Without an edit list, the priming would delay the track against the others.
        if gaplessInfo == nil, fragments.count > 1 {
            movie.tracks[index].gaplessInfo = movie.tracks[index].unpadded(priming: fragments[index].priming)
        }
    }

    /// Writes the index or the last fragments.
    ///
    /// - Parameter gaplessInfo: Priming and padding of a single track in output sample frames, or `nil` if unknown. With several tracks,
    ///   those that are not finished have no padding.
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        precondition(!isFinished, "finish after finish")
        try begin()
        for track in fragments.indices where !fragments[track].isFinished {
            try finishTrack(track, fragments.count == 1 ? gaplessInfo : nil)
        }
        isFinished = true
        guard layout.hasIndexAtEnd else { return }
        let titles = movie.placeChapters(at: sink.byteCount - start)
        if !titles.isEmpty { try sink.append(titles) }
        let mediaEnd = sink.byteCount
        var index = BoxWriter()
        index.write(movie.movie())
        let left = reserved.count - index.bytes.count
        if left == 0 || left >= 8 {
            if left > 0 { index.box("free") { $0.write(repeatElement(0, count: left - 8)) } }
            try sink.overwrite(index.bytes, at: reserved.lowerBound)
        } else {
            try sink.append(index.bytes)
        }
        try finishMedia(end: mediaEnd)
    }

    /// Writes the boxes before the media data, if not yet written.
    private mutating func begin() throws(ContainerError) {
        guard !isStarted else { return }
        start = sink.byteCount
        var front = BoxWriter()
        if layout.fragments != nil {
            front.fileType(brands(last: "iso5"))
            mediaStart = start + front.bytes.count
            front.write(movie.fragmentedMovie(priming: fragments.map { $0.priming }))
            try sink.append(front.bytes)
        } else {
            front.fileType(brands(last: "isom"))
            if case .indexAtStart(let count) = layout, count <= MP4WriterOptions.Layout.reservedUnitLimit {
                reserve(movie.indexByteCount(accessUnitCount: max(0, count)), &front)
            }
            mediaStart = start + front.bytes.count
            // An empty box, which a 64-bit size can overwrite.
            front.box("free") { _ in }
            front.box("mdat") { _ in }
            try sink.append(front.bytes)
        }
        isStarted = true
    }

    /// Returns the brands, with Apple's brand only for Apple's codecs.
    private func brands(last: FourCharCode) -> [FourCharCode] {
        movie.tracks.contains { $0.isOpus } ? [last, "iso2", "mp41"] : ["M4A ", "mp42", last]
    }

    /// Writes a fragment with the pending access units of a track.
    ///
    /// The last `remainder` output sample frames are padding.
    private mutating func writeFragment(ofTrack track: Int, remainder: Int) throws(ContainerError) {
        let (sizes, durations) = (fragments[track].pending.sizes, fragments[track].pending.durations)
        let randomAccess = fragments[track].pending.randomAccess
        fragmentCount += 1
        let bytes = fragments[track].pending.flush(movie.tracks[track], sequenceNumber: fragmentCount, remainder: remainder)
        var offset = sink.byteCount - start + bytes.count - sizes.reduce(0) { $0 + Int($1) }
        try sink.append(bytes)
        guard layout.hasIndexAtEnd else { return }
        for index in sizes.indices {
            movie.tracks[track].add(Int(sizes[index]), ticks: durations[index], randomAccess[index], at: offset)
            offset += Int(sizes[index])
        }
    }

    private mutating func reserve(_ byteCount: Int, _ front: inout BoxWriter) {
        reserved = start + front.bytes.count..<start + front.bytes.count + byteCount
        front.box("free") { $0.write(repeatElement(0, count: byteCount - 8)) }
    }

    /// Writes the size of the media data, which includes the fragments' boxes.
    private mutating func finishMedia(end: Int) throws(ContainerError) {
        let byteCount = end - (mediaStart + 8)
        var header = BoxWriter()
        guard layout.fragments != nil || byteCount > Int(clamping: UInt32.max) else {
            header.write(byteCount, 4)
            return try sink.overwrite(header.bytes, at: mediaStart + 8)
        }
        header.write(1, 4)
        header.write("mdat")
        header.write(end - mediaStart, 8)
        try sink.overwrite(header.bytes, at: mediaStart)
    }
}

private struct TrackFragments {
    /// The number of access units per fragment, at least 1.
    let accessUnitCount: Int
    /// The number of output sample frames before the first valid one.
    let priming: Int
    /// The access units of the next fragment.
    var pending = MP4FragmentBuilder()
    var isFinished = false

    /// The largest multiple of ``accessUnitCount`` without a sync access unit.
    private static let maximumExcess = 8

    /// Returns whether the fragment ends before an access unit.
    ///
    /// Fragments start at sync access units, unless these are rare.
    func isFull(before next: RandomAccess) -> Bool {
        pending.accessUnitCount >= accessUnitCount
            && (next == .sync || pending.accessUnitCount / accessUnitCount >= Self.maximumExcess)
    }
}

#if !hasFeature(Embedded)
extension MP4Writer: ChapterWriter {
    /// Replaces the chapters if the index is written at the end.
    package mutating func setChapters(_ chapters: [AudioTags.Chapter]) -> Bool {
        if layout.hasIndexAtEnd { movie.tags.setChapters(chapters) }
        return layout.hasIndexAtEnd
    }
}

extension MP4Writer: OmittingWriter {
    /// Omits decoded frames of the first track with an edit list if the index is written at the end.
    package mutating func omit(_ ranges: [Range<Int>]) -> Bool {
        if layout.hasIndexAtEnd { movie.tracks[0].omittedRanges = ranges }
        return layout.hasIndexAtEnd
    }
}
#endif

extension MP4Writer: Sendable where Sink: Sendable {}
