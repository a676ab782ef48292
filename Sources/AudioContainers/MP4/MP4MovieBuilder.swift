// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio

/// Collects the contents of the index (`moov`) and builds it.
struct MP4MovieBuilder: Sendable {
    /// The media timescale, in ticks per second.
    let timescale: Int
    /// Ticks per access unit, or `nil` if variable.
    let unitDuration: Int?

    private let configuration: CodecConfiguration
    private let outputRate: Int
    private let tags: AudioTags
    private let unitsPerChunk: Int
    private var sizes: [UInt32] = []
    private var syncNumbers: [UInt32] = []
    private var times: [SampleTableBox.TimeRun] = []
    private var mediaDuration = 0
    private var offsets: [Int] = []
    private var meter = BitRateMeter()
    /// The file offset of the chapter titles.
    private var chapterOffset = 0

    /// Creates a builder.
    ///
    /// The access units of a chunk, about one second by default, are contiguous in the file.
    init(_ configuration: CodecConfiguration, usesCoreTimescale: Bool, tags: AudioTags, unitsPerChunk: Int? = nil) {
        self.configuration = configuration
        self.tags = tags
        outputRate = configuration.sampleRate
        timescale = usesCoreTimescale ? configuration.coreSampleRate : outputRate
        unitDuration = configuration.framesPerUnit.map(TimeRatio(timescale, outputRate).applied)
        self.unitsPerChunk = unitsPerChunk ?? max(1, outputRate / (configuration.framesPerUnit ?? outputRate / 50))
    }

    func ticks(of accessUnit: AccessUnit) -> Int {
        unitDuration ?? TimeRatio(timescale, Int(accessUnit.presentationTime.timescale)).applied(to: accessUnit.duration)
    }

    /// Returns the number of ticks in `frames` output sample frames.
    func ticks(ofFrames frames: Int) -> Int { TimeRatio(timescale, outputRate).applied(to: max(0, frames)) }

    /// Returns the information for the iTunes tag in track ticks, as players expect, with valid frames rounded up.
    private func inTicks(_ info: GaplessInfo) -> GaplessInfo {
        guard timescale < outputRate else { return info }
        let total = ticks(ofFrames: info.totalFrames)
        let priming = ticks(ofFrames: info.primingFrames)
        let valid = min(total - priming, ticks(ofFrames: info.validFrames))
        return GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: total - priming - valid)
    }

    /// Whether decoding can start only at some access units, as in USAC.
    var hasSyncUnits: Bool { configuration.audioSpecificConfig?.usac != nil }

    /// Whether decoding can start at an access unit.
    ///
    /// A USAC access unit must have its first bit set, which signals independence from other access units. If the configuration allows an
    /// audio pre-roll, the second bit, which signals its presence, must also be set.
    func isSync(_ payload: [UInt8]) -> Bool {
        guard let usac = configuration.audioSpecificConfig?.usac else { return true }
        let hasPreRoll = usac.elements.first.map { $0.kind == .extension && $0.extensionType == .audioPreRoll } ?? false
        let mask: UInt8 = hasPreRoll ? 0xC0 : 0x80
        return payload.first.map { $0 & mask == mask } ?? false
    }

    /// Adds an access unit with its size, duration and file offset; `isSync` means that decoding can start there.
    mutating func add(_ byteCount: Int, ticks: Int, isSync: Bool = true, at offset: Int) {
        if isSync && hasSyncUnits { syncNumbers.append(UInt32(sizes.count + 1)) }
        if sizes.count % unitsPerChunk == 0 { offsets.append(offset) }
        sizes.append(UInt32(byteCount))
        if times.last?.duration != ticks { times.append(SampleTableBox.TimeRun(count: 0, duration: ticks)) }
        times[times.count - 1].count += 1
        mediaDuration += ticks
        meter.add(byteCount: byteCount, duration: ticks, sampleRate: timescale)
    }

    /// Sets the file offset of the chapter titles and returns their bytes (none without chapters).
    mutating func placeChapters(at offset: Int) -> [UInt8] {
        chapterOffset = offset
        #if hasFeature(Embedded)
        return []
        #else
        return ChapterTrack(tags.chapters, duration: 0, timescale: outputRate)?.samples ?? []
        #endif
    }

    /// Returns the size of the index for `accessUnitCount` access units with all tags, in files below 4 GiB.
    func indexByteCount(accessUnitCount: Int) -> Int {
        var copy = self
        for _ in 0..<accessUnitCount {
            copy.add(1, ticks: unitDuration ?? 1, at: 0)
        }
        var writer = BoxWriter()
        writer.write(copy.movie(GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0)))
        // One more run in `stsc`, if the last chunk is not full, and all access units but one in `stss`.
        return writer.bytes.count + 12 + 8 + (hasSyncUnits ? 16 + 4 * accessUnitCount : 0)
    }

    /// Returns the index of all access units so far.
    func movie(_ gaplessInfo: GaplessInfo?) -> MovieBox {
        let duration = gaplessInfo?.validFrames ?? TimeRatio(outputRate, timescale).applied(to: mediaDuration)
        var movie = emptyMovie(duration: duration)
        movie.tracks[0].mediaTimes.duration = mediaDuration
        if let gaplessInfo { movie.tracks[0].editList = editList(gaplessInfo.primingFrames, duration: gaplessInfo.validFrames) }
        var table = SampleTableBox()
        table.description = SampleDescriptionBox(entry: sampleEntry())
        table.times = times
        table.chunks = chunkRuns
        table.sizes.sizes = sizes
        table.offsets = offsets
        if hasSyncUnits && syncNumbers.count < sizes.count { table.syncNumbers = syncNumbers }
        if gaplessInfo != nil, configuration.prerollFrames > 0 {
            table.rollGroup = RollGroup(accessUnitCount: sizes.count, distance: prerollUnits(times.map { $0.duration }))
        }
        movie.tracks[0].sampleTable = table
        #if !hasFeature(Embedded)
        movie.tracks[0].loudness = LoudnessInfoSet(tags).map { LoudnessBox($0) }
        #endif
        var userData = UserDataBox()
        userData.tags = tags
        // Opus players use the edit list.
        if !isOpus { userData.gapless = gaplessInfo.map { ITunesGapless(inTicks($0)) } }
        if userData != UserDataBox() { movie.userData = userData }
        #if !hasFeature(Embedded)
        if let chapters = ChapterTrack(tags.chapters, duration: duration, timescale: outputRate) {
            movie.tracks[0].chapterTrackIDs = [ChapterTrack.trackID]
            movie.tracks.append(chapters.box(at: chapterOffset))
            movie.nextTrackID = ChapterTrack.trackID + 1
        }
        #endif
        return movie
    }

    var isOpus: Bool { if case .opus = configuration { true } else { false } }

    /// Returns the number of access units to decode before a target: 80 ms for Opus, otherwise one.
    ///
    /// - Parameter durations: The durations of access units, in ticks.
    func prerollUnits(_ durations: some Sequence<Int>) -> Int {
        guard isOpus, let shortest = durations.min(), shortest > 0 else { return 1 }
        return (configuration.prerollFrames + shortest - 1) / shortest
    }

    /// Returns the index at the start of a fragmented file.
    func fragmentedMovie(priming: Int) -> MovieBox {
        var movie = emptyMovie(duration: 0)
        if priming > 0 { movie.tracks[0].editList = editList(priming, duration: 0) }
        movie.tracks[0].sampleTable.description = SampleDescriptionBox(entry: sampleEntry())
        movie.fragmentDefaults = [.init(duration: unitDuration ?? 0)]
        if !tags.isEmpty {
            movie.userData = UserDataBox()
            movie.userData?.tags = tags
        }
        return movie
    }

    /// Returns a movie with one empty track.
    private func emptyMovie(duration: Int) -> MovieBox {
        var movie = MovieBox()
        // Only sample frames express every duration exactly.
        movie.times.timescale = outputRate
        movie.times.duration = duration
        var track = TrackBox()
        track.duration = duration
        track.mediaTimes.timescale = timescale
        movie.tracks = [track]
        return movie
    }

    private func editList(_ priming: Int, duration: Int) -> EditListBox {
        EditListBox(edits: [.init(duration: duration, mediaTime: ticks(ofFrames: priming))])
    }

    /// Returns the sample entry with the configuration and the bit rates so far.
    private func sampleEntry() -> AudioSampleEntry {
        if case .alac(let config) = configuration { return AudioSampleEntry(config) }
        if case .opus(let config) = configuration { return AudioSampleEntry(config) }
        var descriptor = ESDescriptorBox(audioSpecificConfig: configuration.audioSpecificConfig?.serialized() ?? [])
        descriptor.bufferByteCount = meter.maximumAccessUnitByteCount
        descriptor.maximumBitRate = Int(meter.peakBitRate.rounded())
        descriptor.averageBitRate = Int(meter.averageBitRate.rounded())
        return AudioSampleEntry(
            channelCount: configuration.channelCount ?? 2, sampleRate: configuration.coreSampleRate, descriptor: descriptor)
    }

    private var chunkRuns: [SampleTableBox.ChunkRun] {
        let rest = sizes.count % unitsPerChunk
        var runs: [SampleTableBox.ChunkRun] = []
        if sizes.count >= unitsPerChunk { runs.append(.init(firstChunk: 1, unitsPerChunk: unitsPerChunk)) }
        if rest > 0 { runs.append(.init(firstChunk: offsets.count, unitsPerChunk: rest)) }
        return runs
    }
}
