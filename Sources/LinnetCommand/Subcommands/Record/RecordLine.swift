// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import LiveAudio
import LiveStreaming

/// Draws the status of a recording on a terminal, each time over the previous one.
final class RecordLine {
    /// Seconds between readings of the free space.
    private static let spaceInterval = 1.0

    private let streams: [StreamingSink]
    private let takesKeys: Bool
    private let usesColor = StandardError.usesColor
    private let start = ContinuousClock.now
    private var rates: [RecentBitRate]
    private var peaks = PeakHold()
    private var space: RecordSpace
    private var estimate: RecordSpace.Estimate?
    private var nextSpace = 0.0
    private var isOnScreen = false

    /// Creates a status without drawing it.
    ///
    /// - Parameter outputs: The files and live destinations.
    init(_ outputs: RecordOutputs, takesKeys: Bool) {
        self.takesKeys = takesKeys
        streams = outputs.streams
        rates = streams.map { _ in RecentBitRate() }
        space = RecordSpace(paths: outputs.files)
    }

    func draw(_ recorder: Recorder, _ levels: AudioLevels?) {
        isOnScreen = true
        let lines = screen(recorder, levels)
            .lines(columnCount: StandardError.columnCount, rowCount: StandardError.rowCount, usesColor: usesColor)
        let block = lines.map { "\r\($0)\u{1B}[K" }.joined(separator: "\n")
        // The rest of a previous status with more lines is erased.
        StandardError.write(block + "\u{1B}[J" + (lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : "") + "\r")
    }

    /// Returns the present status.
    private func screen(_ recorder: Recorder, _ levels: AudioLevels?) -> RecordScreen {
        let summary = recorder.summary
        let time = start.duration(to: .now).inSeconds
        peaks.update(levels.map { $0.peak.map { AudioLevels.decibels($0) } }, at: time)
        if time >= nextSpace {
            nextSpace = time + Self.spaceInterval
            estimate = space.update(at: summary.duration.inSeconds)
        }
        var screen = RecordScreen()
        screen.seconds = summary.duration.inSeconds
        screen.bitRate = summary.counting(streams).bitRate
        screen.lostSeconds = Double(summary.capture.lostFrames) / Double(max(1, recorder.captureRate(summary)))
        screen.state = Self.state(recorder)
        if summary.sources.count > 1 {
            screen.sources = zip(summary.sources, recorder.captureStates).map {
                .init(name: $0.name, state: Self.isInterrupted($1) ? "interrupted" : "")
            }
        }
        screen.markCount = summary.marks.count
        screen.space = estimate
        screen.takesKeys = takesKeys
        let held = peaks.peaks
        let count = peaks.levels.count
        let labels = Self.labels(summary.sources, channelCount: count)
        screen.channels = peaks.levels.indices.map { channel in
            let clipped = channel < summary.clippedSampleCounts.count ? summary.clippedSampleCounts[channel] : 0
            return LevelBar(label: labels[channel], level: peaks.levels[channel], peak: held[channel], clippedSampleCount: clipped)
        }
        for (index, stream) in streams.enumerated() {
            let bitRate = rates[index].update(byteCount: stream.statistics.sentByteCount)
            screen.streamLines.append(StreamText.line(stream, bitRate: bitRate))
        }
        return screen
    }

    /// Erases the status before other text is written.
    func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        StandardError.write("\r\u{1B}[J")
    }

    /// Returns the labels of the channels, with the names of several sources.
    private static func labels(_ sources: [SourceSummary], channelCount: Int) -> [String] {
        guard sources.count > 1, sources.reduce(0, { $0 + $1.channelCount }) == channelCount else {
            return RecordScreen.labels(channelCount: channelCount)
        }
        return sources.flatMap { source in
            RecordScreen.labels(channelCount: source.channelCount).map { $0.isEmpty ? source.name : "\(source.name) \($0)" }
        }
    }

    /// Returns the state of a recording; empty while it records.
    static func state(_ recorder: Recorder) -> String {
        if isInterrupted(recorder) { return "interrupted" }
        if recorder.isPaused { return "paused" }
        if recorder.summary.isWaitingForLevel { return "waiting" }
        return recorder.isMuted ? "muted" : ""
    }

    /// Whether a recording waits for its device.
    static func isInterrupted(_ recorder: Recorder) -> Bool { recorder.captureStates.allSatisfy(isInterrupted) }

    private static func isInterrupted(_ state: CaptureState) -> Bool {
        switch state {
        case .interrupted, .reconfiguring: true
        default: false
        }
    }
}

extension Recorder {
    /// Returns the sample rate of captured frames in hertz, or the output's before capture has started.
    func captureRate(_ summary: RecordingSummary) -> Int { captureFormat?.sampleRate ?? summary.sampleRate }
}

extension RecordingSummary {
    /// Returns the summary with the counts of streams with their own encoders (`--hls-rates`), if nothing else is encoded.
    func counting(_ streams: [StreamingSink]) -> RecordingSummary {
        guard accessUnitCount == 0, let longest = streams.max(by: { $0.statistics.sentUnitCount < $1.statistics.sentUnitCount }) else {
            return self
        }
        var result = self
        result.accessUnitCount = longest.statistics.sentUnitCount
        result.byteCount = streams.reduce(0) { $0 + $1.statistics.sentByteCount }
        result.framesPerAccessUnit = Int((longest.unitDuration * Double(sampleRate)).rounded())
        return result
    }
}
