// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import LiveAudio
import LiveStreaming

/// The status of a recording on a terminal: time, level, bit rate, losses and state, and a line per live destination.
final class RecordLine {
    private static let meterWidth = 24
    private static let meterFloor = -60.0

    /// The peak levels of the last buffers, in dBFS.
    private var peaks: [Double] = []
    private var isOnScreen = false
    private let streams: [StreamingSink]
    private var rates: [RecentBitRate]

    /// Creates a status without drawing it.
    init(_ streams: [StreamingSink]) {
        self.streams = streams
        rates = streams.map { _ in RecentBitRate() }
    }

    func draw(_ recorder: Recorder, _ levels: AudioLevels?) {
        let summary = recorder.summary
        if let levels { peaks = levels.peak.map { AudioLevels.decibels($0) } }
        let text = Self.text(summary, peaks: peaks, state: Self.state(recorder), captureRate: recorder.captureRate(summary))
        isOnScreen = true
        let width = max(0, StandardError.columnCount - 1)
        var lines = [text]
        for (index, stream) in streams.enumerated() {
            let bitRate = rates[index].update(byteCount: stream.statistics.sentByteCount)
            lines.append(StreamText.line(stream, bitRate: bitRate, unitDuration: summary.unitDuration))
        }
        let block = lines.map { "\r" + String($0.prefix(width)) + "\u{1B}[K" }.joined(separator: "\n")
        StandardError.write(block + (streams.isEmpty ? "" : "\u{1B}[\(streams.count)A\r"))
    }

    /// Erases the status before other text is written.
    func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        StandardError.write(streams.isEmpty ? "\r\u{1B}[K" : "\r\u{1B}[J")
    }

    /// Returns the state of a recording; empty while it records.
    static func state(_ recorder: Recorder) -> String {
        isInterrupted(recorder) ? "interrupted" : recorder.isPaused ? "paused" : recorder.isMuted ? "muted" : ""
    }

    /// Whether a recording waits for its device.
    static func isInterrupted(_ recorder: Recorder) -> Bool {
        switch recorder.captureState {
        case .interrupted, .reconfiguring: true
        default: false
        }
    }

    /// Returns the text.
    ///
    /// Levels are in dBFS.
    static func text(_ summary: RecordingSummary, peaks: [Double], state: String, captureRate: Int) -> String {
        let loudest = peaks.max() ?? -120
        let part = min(max((loudest - meterFloor) / -meterFloor, 0), 1)
        let bar = Format.padded(String(repeating: "=", count: Int(part * Double(meterWidth))), to: -meterWidth)
        let decibels = loudest > -120 ? Format.padded(Format.fixed(loudest, digits: 0), to: 4) + " dB" : "silence"
        var text = "\(Format.padded(Format.clock(summary.duration.inSeconds), to: 7)) [\(bar)] \(decibels)"
        text += "  \(Format.padded(Format.bitRate(summary.bitRate), to: 10))"
        text += summary.capture.lostFrames == 0 ? "  nothing lost" : "  lost \(Format.seconds(summary.capture.lostFrames, captureRate))"
        if !state.isEmpty { text += "  \(state)" }
        return text
    }
}

extension Recorder {
    /// Returns the sample rate of captured frames in hertz, or the output's before capture has started.
    func captureRate(_ summary: RecordingSummary) -> Int { captureFormat?.sampleRate ?? summary.sampleRate }
}

extension RecordingSummary {
    /// The mean duration of an access unit, in seconds.
    var unitDuration: Double { accessUnitCount > 0 ? duration.inSeconds / Double(accessUnitCount) : 0 }
}
