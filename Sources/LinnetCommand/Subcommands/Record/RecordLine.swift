// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import LiveAudio

/// The live line of a recording: time, level, bit rate, what was lost, and the state.
final class RecordLine {
    private static let meterWidth = 24
    private static let meterFloor = -60.0

    private var held: [Double] = []
    private var isOnScreen = false

    func draw(_ recorder: Recorder) {
        let summary = recorder.summary
        let levels = recorder.takeLevels()
        if let levels { held = levels.peak.map { AudioLevels.decibels($0) } }
        let text = Self.text(summary, peaks: held, state: Self.state(recorder))
        isOnScreen = true
        StandardError.write("\r" + String(text.prefix(max(0, StandardError.columnCount - 1))) + "\u{1B}[K")
    }

    /// Takes the line off the screen, before other text is written.
    func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        StandardError.write("\r\u{1B}[K")
    }

    /// What else there is to say than that it records; empty if nothing.
    static func state(_ recorder: Recorder) -> String {
        switch recorder.captureState {
        case .interrupted, .reconfiguring: "interrupted"
        default: recorder.isPaused ? "paused" : recorder.isMuted ? "muted" : ""
        }
    }

    static func text(_ summary: RecordingSummary, peaks: [Double], state: String) -> String {
        let loudest = peaks.max() ?? -120
        let part = min(max((loudest - meterFloor) / -meterFloor, 0), 1)
        let bar = Format.padded(String(repeating: "=", count: Int(part * Double(meterWidth))), to: -meterWidth)
        let decibels = loudest > -120 ? Format.padded(Format.fixed(loudest, digits: 0), to: 4) + " dB" : "silence"
        var text = "\(Format.padded(Format.clock(summary.seconds), to: 7)) [\(bar)] \(decibels)"
        text += "  \(Format.padded(Format.bitRate(summary.bitRate), to: 10))"
        text += summary.capture.lostFrames == 0 ? "  nothing lost" : "  \(summary.capture.lostFrames) frames lost"
        if !state.isEmpty { text += "  \(state)" }
        return text
    }
}
