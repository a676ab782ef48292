// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// The start of decoding at an access unit.
enum RandomAccess {
    /// With complete output.
    case sync
    /// With incomplete output at first.
    case recovery
    case none
}

/// Collects the contents of a track (`trak`) and builds its box.
struct MP4TrackBuilder: Sendable {
    /// 1 for the first track of a file.
    let trackID: Int
    /// The output sample rate, in hertz.
    let outputRate: Int
    /// The media timescale, in ticks per second.
    let timescale: Int
    /// Ticks per access unit, or `nil` if variable.
    let unitDuration: Int?
    /// The priming and padding, or `nil` if unknown.
    var gaplessInfo: GaplessInfo?
    /// The ranges of decoded frames between the valid ones that are not played, in order.
    var omittedRanges: [Range<Int>] = []

    private let configuration: CodecConfiguration
    /// The configuration of xHE-AAC, otherwise `nil`.
    private let usac: USACConfig?
    private let name: String?
    /// The time of the first valid sample frame in the movie, in output sample frames.
    private let startFrame: Int
    private let unitsPerChunk: Int
    private var sizes: [UInt32] = []
    private var syncNumbers: [UInt32] = []
    private var recoveryNumbers: [UInt32] = []
    private var times: [SampleTableBox.TimeRun] = []
    private var mediaDuration = 0
    private var offsets: [Int] = []
    /// The runs of all chunks except the last one.
    private var chunkRuns: [SampleTableBox.ChunkRun] = []
    /// The last chunk's number of access units and its end in the file.
    private var (chunkUnitCount, chunkEnd) = (0, 0)
    private var meter = BitRateMeter()

    /// Throws if a track cannot store the codec.
    static func check(_ configuration: CodecConfiguration) throws(ContainerError) {
        try configuration.checkFrameLength()
        if case .ilbc = configuration { throw .codecNotStorable(configuration.formatID, in: .m4a) }
    }

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - unitsPerChunk: The maximum number of access units per chunk, or `nil` for about one second.
    ///   - name: The track's name for players, or `nil` for none.
    ///   - startFrame: The time of the first valid sample frame in the movie, in output sample frames.
    init(
        _ configuration: CodecConfiguration, trackID: Int = 1, usesCoreTimescale: Bool, unitsPerChunk: Int? = nil, name: String? = nil,
        startFrame: Int = 0
    ) {
        self.configuration = configuration
        usac = configuration.audioSpecificConfig?.usac
        self.trackID = trackID
        self.name = name
        self.startFrame = startFrame
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

    /// The gapless information for the iTunes tag in track ticks, as players expect, with valid frames rounded up.
    var gaplessTicks: GaplessInfo? {
        guard let info = gaplessInfo, timescale < outputRate else { return gaplessInfo }
        let total = ticks(ofFrames: info.totalFrames)
        let priming = ticks(ofFrames: info.primingFrames)
        let valid = min(total - priming, ticks(ofFrames: info.validFrames))
        return GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: total - priming - valid)
    }

    /// Returns the gapless information of a track without padding.
    func unpadded(priming: Int) -> GaplessInfo? {
        let frames = TimeRatio(outputRate, timescale).applied(to: mediaDuration)
        guard priming < frames else { return nil }
        return GaplessInfo(primingFrames: priming, validFrames: frames - priming, remainderFrames: 0)
    }

    /// Whether some access units are no sync samples.
    var hasSyncUnits: Bool { usac != nil }

    /// Returns how decoding can start at an access unit.
    func randomAccess(at payload: [UInt8]) -> RandomAccess {
        guard let usac else { return .sync }
        return usac.isAccessPoint(payload) ? .sync : usac.isIndependent(payload) ? .recovery : .none
    }

    /// Returns the group of the access units with incomplete output (`prol`), or `nil` without any.
    ///
    /// - Parameter numbers: Their numbers, counted from 1 and ascending.
    func recoveryGroup(_ numbers: [UInt32], of accessUnitCount: Int) -> RollGroup? {
        guard let usac else { return nil }
        return RollGroup(independent: numbers, accessUnitCount: accessUnitCount, distance: usac.recoveryUnitCount)
    }

    mutating func add(_ accessUnit: AccessUnit, at offset: Int) {
        add(accessUnit.payload.count, ticks: ticks(of: accessUnit), randomAccess(at: accessUnit.payload), at: offset)
    }

    /// Adds an access unit with its size, duration and file offset.
    mutating func add(_ byteCount: Int, ticks: Int, _ randomAccess: RandomAccess = .sync, at offset: Int) {
        if randomAccess == .sync && hasSyncUnits { syncNumbers.append(UInt32(sizes.count + 1)) }
        if randomAccess == .recovery { recoveryNumbers.append(UInt32(sizes.count + 1)) }
        if offsets.isEmpty || chunkUnitCount == unitsPerChunk || chunkEnd != offset {
            if let run = lastChunkRun { chunkRuns.append(run) }
            chunkUnitCount = 0
            offsets.append(offset)
        }
        chunkUnitCount += 1
        chunkEnd = offset + byteCount
        sizes.append(UInt32(byteCount))
        if times.last?.duration != ticks { times.append(SampleTableBox.TimeRun(count: 0, duration: ticks)) }
        times[times.count - 1].count += 1
        mediaDuration += ticks
        meter.add(byteCount: byteCount, duration: ticks, sampleRate: timescale)
    }

    /// Extended HE-AAC at level 2 for mono and stereo up to 48 kHz; `nil` for other streams (ISO/IEC 14496-3, 1.5.2.4).
    var audioProfileLevel: Int? {
        guard let usac, usac.channelCount <= 2, outputRate <= 48_000 else { return nil }
        return 0x49
    }

    var isOpus: Bool { if case .opus = configuration { true } else { false } }

    /// Returns the number of access units to decode before a target: 80 ms for Opus, otherwise one.
    ///
    /// - Parameter durations: The durations of access units, in ticks. The last one may be shortened.
    func prerollUnits(_ durations: some Collection<Int>) -> Int {
        guard isOpus, let shortest = durations.dropLast().min() ?? durations.first, shortest > 0 else { return 1 }
        return (configuration.prerollFrames + shortest - 1) / shortest
    }

    /// Returns the track with all access units so far.
    func box(movieTimescale: Int) -> TrackBox {
        var track = emptyBox()
        let toMovie = TimeRatio(movieTimescale, outputRate)
        let start = toMovie.applied(to: startFrame)
        let valid = gaplessInfo?.validFrames ?? TimeRatio(outputRate, timescale).applied(to: mediaDuration)
        let duration = toMovie.applied(to: valid - omittedRanges.reduce(0) { $0 + $1.count })
        track.duration = start + duration
        track.mediaTimes.duration = mediaDuration
        track.editList =
            omittedRanges.isEmpty
            ? editList(start: start, priming: gaplessInfo?.primingFrames, duration: duration) : editList(start: start, toMovie)
        track.sampleTable.times = times
        track.sampleTable.chunks = chunkRuns + (lastChunkRun.map { [$0] } ?? [])
        track.sampleTable.sizes.sizes = sizes
        track.sampleTable.offsets = offsets
        if hasSyncUnits {
            track.sampleTable.syncNumbers = syncNumbers
            track.sampleTable.rollGroup = recoveryGroup(recoveryNumbers, of: sizes.count)
        }
        if gaplessInfo != nil, !hasSyncUnits, configuration.prerollFrames > 0 {
            track.sampleTable.rollGroup = RollGroup(
                accessUnitCount: sizes.count, distance: prerollUnits(times.flatMap { repeatElement($0.duration, count: min($0.count, 2)) }))
        }
        return track
    }

    /// Returns the track at the start of a fragmented file.
    ///
    /// - Parameter priming: The number of output sample frames before the first valid one.
    func fragmentedBox(movieTimescale: Int, priming: Int) -> TrackBox {
        var track = emptyBox()
        let start = TimeRatio(movieTimescale, outputRate).applied(to: startFrame)
        track.editList = editList(start: start, priming: priming > 0 ? priming : nil, duration: 0)
        return track
    }

    private func emptyBox() -> TrackBox {
        var track = TrackBox()
        track.trackID = trackID
        track.name = name
        track.mediaTimes.timescale = timescale
        track.sampleTable.description = SampleDescriptionBox(entry: sampleEntry())
        return track
    }

    /// Returns an edit list with an empty edit before a late start, or `nil` if all media is played from the start.
    ///
    /// - Parameters:
    ///   - start: The duration of the empty edit, in movie ticks.
    ///   - priming: The output sample frames to skip, or `nil` if unknown.
    ///   - duration: In movie ticks.
    private func editList(start: Int, priming: Int?, duration: Int) -> EditListBox? {
        guard priming != nil || start > 0 else { return nil }
        let media = EditListBox.Edit(duration: duration, mediaTime: ticks(ofFrames: priming ?? 0))
        return EditListBox(edits: start > 0 ? [.init(duration: start, mediaTime: -1), media] : [media])
    }

    /// Returns an edit list with an edit before, between and after the omitted ranges.
    ///
    /// - Parameters:
    ///   - start: The duration of an empty edit before them, in movie ticks.
    ///   - toMovie: Movie ticks per output sample frame.
    private func editList(start: Int, _ toMovie: TimeRatio) -> EditListBox? {
        guard let info = gaplessInfo else { return nil }
        let starts = [info.primingFrames] + omittedRanges.map { $0.upperBound }
        let ends = omittedRanges.map { $0.lowerBound } + [info.primingFrames + info.validFrames]
        let edits = zip(starts, ends).map { EditListBox.Edit(duration: toMovie.applied(to: $1 - $0), mediaTime: ticks(ofFrames: $0)) }
        return EditListBox(edits: (start > 0 ? [.init(duration: start, mediaTime: -1)] : []) + edits)
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

    /// The run that starts with the last chunk, or `nil` if it continues the previous one.
    private var lastChunkRun: SampleTableBox.ChunkRun? {
        guard !offsets.isEmpty, chunkRuns.last?.unitsPerChunk != chunkUnitCount else { return nil }
        return .init(firstChunk: offsets.count, unitsPerChunk: chunkUnitCount)
    }
}
