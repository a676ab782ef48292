// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import AudioFiles
import AudioPrimitives
import LiveAudio

/// What happens to a recording, in words.
enum RecordMessage {
    /// A line for an event; nil for what the live line shows anyway.
    static func text(for event: RecorderEvent) -> String? {
        switch event {
        case .capture(let event): text(for: event)
        case .sinkFailed(let name, let failure): "\(name): \(text(for: failure))"
        case .paused, .resumed, .finished: nil
        }
    }

    /// Why an output gets no more.
    static func text(for failure: SinkFailure) -> String {
        switch failure {
        case .failed(OutputError.noSpace): "no space is left; what was recorded until then is kept"
        case .failed(let error): CommandFailure(error).message
        case .tooSlow: "takes less than is recorded, and gets no more"
        case .stuck: "doesn't come to its end, and was given up"
        }
    }

    private static func text(for event: CaptureEvent) -> String? {
        switch event {
        case .started, .stopped, .failed, .muted(_, by: .program): nil
        case .routeChanged(let change): text(for: change)
        case .interrupted(let reason): "interrupted: \(words(reason))"
        case .resumed: "recording goes on"
        case .formatChanged(_, let new): "the device gives \(new.sampleRate) Hz, \(new.pcm.channelCount) channels now"
        case .discontinuity(let frames): "\(frames) frames were missing"
        case .overrun(let frames): "this machine was too slow: \(frames) frames were lost"
        case .muted(let isMuted, by: .system): isMuted ? "the microphone is muted" : "the microphone is no longer muted"
        case .deviceLost(let device): "\(device) is gone"
        case .stalled(let seconds): "the device has given nothing for \(Format.fixed(seconds, digits: 1)) s"
        case .serverLost: "the sound server is gone"
        case .serverRestored: "the sound server is back"
        }
    }

    private static func text(for change: RouteChange) -> String {
        let devices = change.old == change.new ? change.subject.map { " (\($0))" } ?? "" : " (\(change.old) → \(change.new))"
        return change.reason.description + devices
    }

    private static func words(_ reason: InterruptionReason) -> String {
        switch reason {
        case .deviceSuspended: "the system suspended the device"
        case .requestedByOther: "another program asked for the device"
        case .deviceLost: "waiting for the device"
        case .serverLost: "waiting for the sound server"
        case .stalled: "opening the device again"
        }
    }
}
