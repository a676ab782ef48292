// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio

/// Reads an AAC, Opus or Apple Lossless track of a Matroska or WebM file (RFC 9559).
///
/// By default, the track is the first default one with a supported codec. Opening reads all block headers, so that lengths are exact also
/// in files without an index. One entry per cluster is kept in memory.
package struct MatroskaReader<Source: ByteSource>: ContainerReader {
    package let configuration: CodecConfiguration
    /// Gapless information, access unit count, tags and more.
    package let metadata: ContainerMetadata

    private let source: Source
    private let index: MatroskaIndex
    private let track: MatroskaTrack
    private let entries: [MatroskaUnits<Source>.Entry]
    private let frameCount: Int
    private var units: MatroskaUnits<Source>
    private var isAnnounced = false
    private var isAtEnd = false
    /// Events to return first.
    private var pendingEvents = ReaderEventQueue()

    /// Opens a file and reads its block headers.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - number: The number of the audio track to read, or `nil` for the default.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` for unsupported codecs and encrypted tracks, and with `nil` if the file has no audio
    ///   track with this number; other ``ContainerError``s for damaged files.
    package init(_ source: Source, audioTrack number: Int? = nil) throws(ContainerError) {
        var index = try MatroskaIndex(source)
        guard let track = index.audioTrack(number, where: { $0.isCoded }) else { throw index.unsupportedCodec(number) }
        configuration = try track.configuration()
        try configuration.checkFrameLength()
        var scan = MatroskaUnits(source, index, track, configuration, readsPayloads: false)
        var entries: [MatroskaUnits<Source>.Entry] = []
        var timeline = MatroskaTrims()
        while let event = try scan.next() {
            switch event {
            case .unit(let unit):
                if entries.last?.clusterOffset != unit.clusterOffset {
                    entries.append(.init(clusterOffset: unit.clusterOffset, position: unit.position, segmentEnd: scan.segmentEnd))
                }
                timeline.add(unit.trim, from: unit.position, to: unit.end)
            case .section(let id, let range): try index.take(id, range, source)
            case .skipped: break
            }
        }
        var metadata = ContainerMetadata()
        metadata.accessUnitCount = timeline.unitCount
        metadata.frameCount = timeline.frameCount
        metadata.audioTracks = index.audioTracks(reading: track)
        metadata.otherTracksByteCount = Swift.min(source.byteCount, scan.otherByteCount)
        metadata.tags = index.tags(for: track, startTime: scan.startTime ?? 0)
        metadata.loudness = configuration.audioSpecificConfig?.usac?.loudness
        metadata.gaplessInfo = timeline.gaplessInfo(configuration, delay: track.frames(track.codecDelay, atRate: configuration.sampleRate))
        metadata.omittedRanges = timeline.omittedRanges
        self.metadata = metadata
        self.source = source
        self.index = index
        self.track = track
        self.entries = entries
        frameCount = timeline.frameCount
        units = MatroskaUnits(source, index, track, configuration)
    }

    package mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        guard isAnnounced else {
            isAnnounced = true
            return .configuration(configuration)
        }
        if !pendingEvents.isEmpty { return pendingEvents.removeFirst() }
        while !isAtEnd, let event = try units.next() {
            switch event {
            case .unit(let unit): return .accessUnit(demuxed(unit))
            case .skipped(let skipped): return .skipped(skipped)
            case .section: continue
            }
        }
        return nil
    }

    private func demuxed(_ unit: MatroskaUnits<Source>.Unit) -> DemuxedAccessUnit {
        let accessUnit = AccessUnit(
            payload: unit.payload,
            presentationTime: MediaTime(value: Int64(unit.position), timescale: Int32(clamping: configuration.sampleRate)),
            duration: unit.duration)
        var demuxed = DemuxedAccessUnit(accessUnit: accessUnit, byteRange: unit.byteRange)
        demuxed.trim = unit.trim
        return demuxed
    }

    package var canSeek: Bool { true }

    /// Seeks to the access unit that contains a decoded sample frame, counted at the output rate.
    ///
    /// If that is missing, seeks to the last access unit before it, so that the loss can be concealed.
    package mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int {
        let frame = Swift.max(0, frame)
        pendingEvents = ReaderEventQueue()
        isAtEnd = frame >= frameCount
        guard !isAtEnd else { return 0 }
        let preroll = Swift.max(configuration.prerollFrames, track.frames(track.seekPreRoll, atRate: configuration.sampleRate))
        let first = Swift.max(0, frame - preroll)
        units = MatroskaUnits(source, index, track, configuration, from: entries.last { $0.position <= first })
        var start: Int?
        while let event = try units.next() {
            switch event {
            case .section: continue
            case .skipped(let skipped): pendingEvents.append(.skipped(skipped))
            case .unit(let unit):
                // Damage before the first access unit is not reported.
                if start == nil || unit.position <= first { (start, pendingEvents) = (unit.position, ReaderEventQueue()) }
                pendingEvents.append(.accessUnit(demuxed(unit)))
                if unit.end > first { return Swift.max(0, frame - (start ?? frame)) }
            }
        }
        return Swift.max(0, frame - (start ?? frame))
    }
}

extension MatroskaReader: Sequence, IteratorProtocol where Source == MemorySource {
    package mutating func next() -> DemuxedAccessUnit? { nextUnitInMemory() }
}

/// The decoded length of a track, and the parts of it that blocks discard.
private struct MatroskaTrims {
    private(set) var unitCount = 0
    private(set) var frameCount = 0
    private var leadingFrames = 0
    private var ranges: [Range<Int>] = []

    mutating func add(_ trim: UnitTrim, from start: Int, to end: Int) {
        if unitCount == 0 {
            leadingFrames = trim.leading
        } else if trim.leading > 0 {
            ranges.append(start..<start + trim.leading)
        }
        if trim.trailing > 0 { ranges.append(end - trim.trailing..<end) }
        unitCount += 1
        frameCount = end
    }

    /// The discarded ranges inside the signal.
    var omittedRanges: [Range<Int>] { ranges.filter { $0.upperBound < frameCount } }

    /// Returns the gapless information, or `nil` if the file doesn't have any.
    func gaplessInfo(_ configuration: CodecConfiguration, delay: Int) -> GaplessInfo? {
        let priming: Int
        var isExact = false
        switch configuration {
        case .opus(let opus): (priming, isExact) = (Swift.max(Int(opus.preSkip), leadingFrames), true)
        case .alac: (priming, isExact) = (0, true)
        case .aac, .ilbc: priming = Swift.max(delay, leadingFrames)
        }
        let remainder = ranges.last.map { $0.upperBound == frameCount ? $0.count : 0 } ?? 0
        guard frameCount > 0, isExact || priming + remainder > 0, priming <= frameCount - remainder else { return nil }
        return GaplessInfo(primingFrames: priming, validFrames: frameCount - priming - remainder, remainderFrames: remainder)
    }
}
#endif
