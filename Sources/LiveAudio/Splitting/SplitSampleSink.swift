// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles

/// Writes samples to files that are cut exactly at the boundaries.
final class SplitSampleSink: PCMSink, SplittableSink, GrowingSink, DiscardableSink, MarkableSink, @unchecked Sendable {
    let name: String
    // Used only on the sink's thread.
    private var series: FileSeries<PCMFileSink>
    private var boundaries = FileBoundaryQueue()
    /// The samples from ``position`` whose file is not decided yet.
    private var held: [PCMBuffer] = []
    private var position = 0
    private var hasFailed = false

    init(_ series: FileSeries<PCMFileSink>) {
        self.series = series
        name = series.name
    }

    func begin(_ format: RecordingFormat) throws { try series.begin(format) }

    func split(at boundaries: [FileBoundary], decidedFrame: Int) { self.boundaries.append(boundaries, decidedFrame: decidedFrame) }

    func append(_ buffer: PCMBuffer) throws {
        held.append(buffer)
        do { try write() } catch {
            hasFailed = true
            throw error
        }
    }

    func finish() throws {
        if !hasFailed {
            boundaries.append([], decidedFrame: .max)
            try write()
        }
        try series.close(at: hasFailed ? nil : position, isLast: true) { try $0.finish() }
    }

    func mark(_ mark: AudioTags.Chapter) { series.marks.append(mark) }

    var lostMarks: [AudioTags.Chapter] { series.lostMarks }

    func growth(_ format: RecordingFormat) -> FileGrowth { series.growth(format) }

    func discard() throws { try series.discard() }

    /// Writes the held samples as far as their file is decided.
    private func write() throws {
        while let first = held.first, position < boundaries.decidedFrame {
            if let next = boundaries.first, next.frame <= position {
                if next.frame > 0 { try series.close(at: position) { try $0.finish() } }
                try series.open(at: boundaries.removeFirst())
                continue
            }
            let end = min(boundaries.first?.frame ?? .max, boundaries.decidedFrame, position + first.frameCount)
            let count = end - position
            try series.file?.append(first.frames(0..<count))
            held[0] = first.frames(count..<first.frameCount)
            if count == first.frameCount { held.removeFirst() }
            position = end
        }
    }
}
