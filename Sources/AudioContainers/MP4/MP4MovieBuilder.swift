// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// Collects what the index of a file needs, and makes it.
struct MP4MovieBuilder: Sendable {
    /// Ticks a second of the units' times.
    let timescale: Int
    /// Ticks of a unit.
    let unitDuration: Int

    private let configuration: AudioSpecificConfig
    private let outputRate: Int
    private let tags: AudioTags
    private let unitsPerChunk: Int
    private var sizes: [UInt32] = []
    private var offsets: [Int] = []
    private var meter = BitRateMeter()

    /// Makes a builder; units of a chunk, about a second by default, lie behind one another without anything in between.
    init(_ configuration: AudioSpecificConfig, usesCoreTimescale: Bool, tags: AudioTags, unitsPerChunk: Int? = nil) {
        self.configuration = configuration
        self.tags = tags
        outputRate = configuration.outputSampleRate
        let frameLength = configuration.frameLength ?? 1024
        timescale = usesCoreTimescale ? configuration.sampleRate : outputRate
        unitDuration = TimeRatio(timescale, configuration.sampleRate).applied(to: frameLength)
        self.unitsPerChunk = unitsPerChunk ?? max(1, configuration.sampleRate / frameLength)
    }

    /// The ticks of so many sample frames of the output rate.
    func ticks(ofFrames frames: Int) -> Int { TimeRatio(timescale, outputRate).applied(to: max(0, frames)) }

    /// The account for iTunes' tag, which players count in the frames that the track counts in; sound is rounded up.
    private func inTicks(_ info: GaplessInfo) -> GaplessInfo {
        guard timescale < outputRate else { return info }
        let total = ticks(ofFrames: info.totalFrames)
        let priming = ticks(ofFrames: info.primingFrames)
        let valid = min(total - priming, ticks(ofFrames: info.validFrames))
        return GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: total - priming - valid)
    }

    /// Counts a unit of so many bytes at a place of the file.
    mutating func add(_ byteCount: Int, at offset: Int) {
        if sizes.count % unitsPerChunk == 0 { offsets.append(offset) }
        sizes.append(UInt32(byteCount))
        meter.add(byteCount: byteCount, duration: configuration.frameLength ?? 1024, sampleRate: configuration.sampleRate)
    }

    /// The bytes that the index of so many units takes with every tag, as long as the file has less than 4 GiB.
    func indexByteCount(unitCount: Int) -> Int {
        var copy = self
        for _ in 0..<unitCount {
            copy.add(1, at: 0)
        }
        var writer = BoxWriter()
        writer.write(copy.movie(GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0)))
        // One more run in `stsc`, in case the last chunk is not full.
        return writer.bytes.count + 12 + 8
    }

    /// The index of the units so far.
    func movie(_ gaplessInfo: GaplessInfo?) -> MovieBox {
        let mediaDuration = sizes.count * unitDuration
        let duration = gaplessInfo?.validFrames ?? TimeRatio(outputRate, timescale).applied(to: mediaDuration)
        var movie = emptyMovie(duration: duration)
        movie.tracks[0].media.header.duration = mediaDuration
        if let gaplessInfo { movie.tracks[0].editList = editList(gaplessInfo.primingFrames, duration: gaplessInfo.validFrames) }
        var table = SampleTableBox()
        table.description = SampleDescriptionBox(entry: sampleEntry())
        if !sizes.isEmpty { table.times.runs = [TimeToSampleBox.Run(count: sizes.count, duration: unitDuration)] }
        table.chunks.runs = chunkRuns
        table.sizes.sizes = sizes
        table.offsets.offsets = offsets
        if gaplessInfo != nil { table.rollGroup = RollGroup(unitCount: sizes.count) }
        movie.tracks[0].media.information.sampleTable = table
        var userData = UserDataBox()
        userData.tags = tags
        userData.gapless = gaplessInfo.map { ITunesGapless(inTicks($0)) }
        if userData != UserDataBox() { movie.userData = userData }
        return movie
    }

    /// The front of a fragmented file.
    func fragmentedMovie(priming: Int) -> MovieBox {
        var movie = emptyMovie(duration: 0)
        if priming > 0 { movie.tracks[0].editList = editList(priming, duration: 0) }
        movie.tracks[0].media.information.sampleTable.description = SampleDescriptionBox(entry: sampleEntry())
        movie.extends = MovieExtendsBox(tracks: [.init(trackID: 1, duration: unitDuration)])
        if !tags.isEmpty {
            movie.userData = UserDataBox()
            movie.userData?.tags = tags
        }
        return movie
    }

    private func emptyMovie(duration: Int) -> MovieBox {
        var movie = MovieBox()
        // Sample frames are the only scale in which a length is exact.
        movie.header.timescale = outputRate
        movie.header.duration = duration
        var track = TrackBox()
        track.header.duration = duration
        track.media.header.timescale = timescale
        movie.tracks = [track]
        return movie
    }

    private func editList(_ priming: Int, duration: Int) -> EditListBox {
        EditListBox(edits: [.init(duration: duration, mediaTime: ticks(ofFrames: priming))])
    }

    private func sampleEntry() -> AudioSampleEntry {
        var descriptor = ESDescriptorBox(audioSpecificConfig: configuration.serialized())
        descriptor.bufferByteCount = meter.largestUnitByteCount
        descriptor.maximumBitRate = Int(meter.peakBitRate.rounded())
        descriptor.averageBitRate = Int(meter.averageBitRate.rounded())
        let hasStereo = configuration.extensionConfig.hasParametricStereo == true
        return AudioSampleEntry(
            channelCount: hasStereo ? 2 : configuration.channelCount ?? 2, sampleRate: configuration.sampleRate, descriptor: descriptor)
    }

    private var chunkRuns: [SampleToChunkBox.Run] {
        let rest = sizes.count % unitsPerChunk
        var runs: [SampleToChunkBox.Run] = []
        if sizes.count >= unitsPerChunk { runs.append(.init(firstChunk: 1, unitsPerChunk: unitsPerChunk)) }
        if rest > 0 { runs.append(.init(firstChunk: offsets.count, unitsPerChunk: rest)) }
        return runs
    }
}
