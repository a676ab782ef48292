// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// Collects the contents of a file's index (`moov`), and creates it.
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

    /// Creates a builder; units of a chunk, about a second by default, are contiguous in the file.
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

    /// Returns the information for iTunes' tag in ticks of the track, as players expect it; valid frames are rounded up.
    private func inTicks(_ info: GaplessInfo) -> GaplessInfo {
        guard timescale < outputRate else { return info }
        let total = ticks(ofFrames: info.totalFrames)
        let priming = ticks(ofFrames: info.primingFrames)
        let valid = min(total - priming, ticks(ofFrames: info.validFrames))
        return GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: total - priming - valid)
    }

    /// Adds an access unit by its size and offset in the file.
    mutating func add(_ byteCount: Int, at offset: Int) {
        if sizes.count % unitsPerChunk == 0 { offsets.append(offset) }
        sizes.append(UInt32(byteCount))
        meter.add(byteCount: byteCount, duration: configuration.frameLength ?? 1024, sampleRate: configuration.sampleRate)
    }

    /// Returns the size of the index of a number of units with all tags, for files below 4 GiB.
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

    /// Returns the index of the units so far.
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

    /// Returns the index at the start of a fragmented file.
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

    /// Returns a movie with one track and no units.
    private func emptyMovie(duration: Int) -> MovieBox {
        var movie = MovieBox()
        // Only sample frames express every length exactly.
        movie.header.timescale = outputRate
        movie.header.duration = duration
        var track = TrackBox()
        track.header.duration = duration
        track.media.header.timescale = timescale
        movie.tracks = [track]
        return movie
    }

    /// Returns an edit list that skips the priming.
    private func editList(_ priming: Int, duration: Int) -> EditListBox {
        EditListBox(edits: [.init(duration: duration, mediaTime: ticks(ofFrames: priming))])
    }

    /// Returns the sample entry with the configuration and the bit rates so far.
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
