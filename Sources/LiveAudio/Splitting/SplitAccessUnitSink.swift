// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles

/// Writes access units to files that are cut at the boundaries.
///
/// Formats with gapless info are cut exactly: a file starts with the access units that its first frame needs. Other formats are cut after
/// the access unit that contains the boundary, so that their files joined are the whole stream. Files of xHE-AAC start with an access point in
/// all formats.
final class SplitAccessUnitSink: AccessUnitSink, SplittableSink, GrowingSink, DiscardableSink, MarkableSink, @unchecked Sendable {
    let name: String
    private let isExact: Bool
    // Used only on the sink's thread.
    private var series: FileSeries<ContainerFileSink>
    private var boundaries = FileBoundaryQueue()
    private var framesPerUnit = 1
    private var prerollFrames = 0
    /// The stream's configuration if decoding can start only at some access units.
    private var accessPoints: CodecConfiguration?
    /// The decoded frames before the recording's first frame.
    private var priming = 0
    /// The decoded frames before the current file's first frame.
    private var filePriming = 0
    private var hasStarted = false
    private var hasFailed = false
    /// The latest access units that were written, for the start of the next file.
    private var recent: [AccessUnit] = []
    /// The access units after them, whose file is not decided yet.
    private var held: [AccessUnit] = []
    /// The decoded frame after the written access units.
    private var end = 0

    init(_ series: FileSeries<ContainerFileSink>, isExact: Bool) {
        self.series = series
        self.isExact = isExact
        name = series.name
    }

    func begin(_ format: RecordingFormat) throws {
        framesPerUnit = max(1, format.framesPerUnit)
        prerollFrames = isExact ? format.configuration.cutPrerollFrames(isStored: true) : 0
        accessPoints = format.configuration.hasAccessPoints ? format.configuration : nil
        (priming, filePriming) = (format.primingFrames, format.primingFrames)
        try series.begin(format)
    }

    func split(at boundaries: [FileBoundary], decidedFrame: Int) { self.boundaries.append(boundaries, decidedFrame: decidedFrame) }

    func append(_ accessUnit: AccessUnit) throws {
        held.append(accessUnit)
        do { try write(decidedFrame: boundaries.decidedFrame) } catch {
            hasFailed = true
            throw error
        }
    }

    func finish(_ gaplessInfo: GaplessInfo?) throws {
        if !hasFailed { try write(decidedFrame: .max) }
        guard let gaplessInfo, !hasFailed else {
            let end = max(series.startFrame, end - priming)
            return try series.close(at: nil) { [info = fileInfo(upTo: end), isExact] in try $0.finish(isExact ? info : nil) }
        }
        // The last access unit can contain the start of the last file.
        if isExact { try startFiles(before: min(end, priming + gaplessInfo.validFrames - 1)) }
        try closeFile(at: gaplessInfo.validFrames, isLast: true)
    }

    func mark(_ mark: AudioTags.Chapter) { series.marks.append(mark) }

    var lostMarks: [AudioTags.Chapter] { series.lostMarks }

    func growth(_ format: RecordingFormat) -> FileGrowth { series.growth(format) }

    func discard() throws { try series.discard() }

    /// Writes the held access units as far as their file is decided.
    private func write(decidedFrame: Int) throws {
        let limit = decidedFrame == .max ? .max : priming + decidedFrame
        while let first = held.first, end < limit {
            if !hasStarted, boundaries.first != nil {
                hasStarted = true
                try series.open(at: boundaries.removeFirst())
            }
            try startFiles(before: end)
            try series.file?.append(first)
            held.removeFirst()
            if accessPoints?.isAccessPoint(first) == true { recent.removeAll() }
            recent.append(first)
            if accessPoints == nil, recent.count > prerollFrames / framesPerUnit + 2 { recent.removeFirst() }
            end += framesPerUnit
        }
    }

    /// Starts the files with boundaries at or before a decoded frame.
    private func startFiles(before frame: Int) throws {
        while let next = boundaries.first, priming + next.frame <= frame {
            _ = boundaries.removeFirst()
            // A file without an access unit is omitted.
            if !isExact, let following = boundaries.first, priming + following.frame <= frame { continue }
            try closeFile(at: next.frame)
            try openFile(at: next)
        }
    }

    private func closeFile(at frame: Int, isLast: Bool = false) throws {
        try series.close(at: frame, isLast: isLast) { [info = fileInfo(upTo: frame), isExact] in try $0.finish(isExact ? info : nil) }
    }

    /// Returns the gapless info of the current file if it ends at a frame.
    private func fileInfo(upTo frame: Int) -> GaplessInfo {
        GaplessInfo(
            primingFrames: filePriming, validFrames: frame - series.startFrame, remainderFrames: max(0, end - priming - frame))
    }

    private func openFile(at boundary: FileBoundary) throws {
        let first = priming + boundary.frame
        let unitCount = end / framesPerUnit
        let unit =
            accessPoints != nil
            ? unitCount - recent.count
            : isExact ? max(unitCount - recent.count, max(0, first - prerollFrames) / framesPerUnit) : unitCount
        filePriming = isExact ? first - unit * framesPerUnit : 0
        try series.open(at: boundary, priming: filePriming)
        for accessUnit in recent.suffix(unitCount - unit) { try series.file?.append(accessUnit) }
    }
}
