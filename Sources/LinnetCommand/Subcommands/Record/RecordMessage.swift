// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioDevices
import AudioFiles
import AudioMetadata
import AudioPrimitives
import LiveAudio
import PCMFiles

enum RecordMessage {
    /// Returns a line for an event; `nil` for events in the status line.
    ///
    /// - Parameter sampleRate: The capture sample rate, in hertz.
    static func text(for event: RecorderEvent, sampleRate: Int) -> String? {
        switch event {
        case .capture(let event): text(for: event, sampleRate: sampleRate)
        case .source(let name, let event): text(for: event, sampleRate: sampleRate).map { "\(name): \($0)" }
        case .sinkFailed(let name, let failure): "\(name): \(text(for: failure))"
        case .marked(let mark): "mark at \(ChapterTime.text(mark)): \(mark.title)"
        case .waitingForLevel(let isWaiting): isWaiting ? "waiting for the start level" : "the start level was exceeded"
        case .fileStarted(let path, _): "recording to \(path)"
        case .paused, .resumed, .bitRateChanged, .fileFinished, .finished: nil
        }
    }

    /// Returns the warning when clipping begins.
    ///
    /// - Parameter labels: The names of the clipped channels; empty for mono.
    static func clipping(at seconds: Double, labels: [String]) -> String {
        let channels = labels.filter { !$0.isEmpty }
        let place = channels.isEmpty ? "" : " (\(channels.joined(separator: ", ")))"
        return "the recording clips since \(Format.clock(seconds))\(place); lower the level of the input or --gain"
    }

    /// Returns the note about marks that an output cannot store.
    static func lostMarks(_ marks: [AudioTags.Chapter], of name: String) -> String {
        "note: \(name) cannot store the marks: " + marks.map { "\(ChapterTime.text($0)) \($0.title)" }.joined(separator: ", ")
    }

    /// Returns the clipped samples of a summary; `nil` without any.
    static func clipped(_ summary: RecordingSummary) -> String? {
        let count = summary.clippedSampleCounts.reduce(0, +)
        guard count > 0 else { return nil }
        return "clipped \(Format.count(count, "sample")) (\(Format.count(summary.clippedPlaceCount, "place")))"
    }

    /// Returns the name of the codec of a recording without an AAC profile.
    static func codec(_ format: RecordingFormat?) -> String {
        if case .alac = format?.configuration { OutputCodec.alac.name } else { OutputCodec.opus.name }
    }

    static func text(for failure: DeviceError) -> String {
        switch failure {
        case .sinkFailed(let name, let error as AudioFileError) where error.code == .noSpace:
            // A later file of `--split` has another name.
            "no space is left\(error.path == name ? "" : " for \(error.path)"); the recording until then is kept"
        case .sinkFailed(_, let error): CommandFailure(error).message
        case .sinkTooSlow: "is too slow for the recording; closed"
        case .sinkTimedOut: "could not be finished in time; closed"
        default: failure.description
        }
    }

    /// Returns the gaps and losses of a source, with a leading comma; empty without any.
    static func losses(_ capture: CaptureStatistics, sampleRate: Int) -> String {
        var text = ""
        if capture.filledFrames > 0 { text += ", \(Format.seconds(capture.filledFrames, sampleRate)) of silence in gaps" }
        if capture.lostFrames > 0 { text += ", lost \(Format.seconds(capture.lostFrames, sampleRate))" }
        return text
    }

    /// Returns the line of one of several sources in the summary.
    static func text(for source: SourceSummary, sampleRate: Int) -> String {
        let drift = Format.fixed(source.drift * 1e6, digits: 0)
        let reopened = source.capture.openings > 1 ? ", reopened \(source.capture.openings - 1) times" : ""
        return "  \(source.name): clock \(drift) ppm" + losses(source.capture, sampleRate: sampleRate) + reopened
    }

    private static func text(for event: CaptureEvent, sampleRate: Int) -> String? {
        switch event {
        case .started, .stopped, .failed, .muted(_, by: .program): nil
        case .routeChanged(let change): text(for: change)
        case .interrupted(let reason): "interrupted: \(words(reason))"
        case .interruptionEnded(let shouldResume): shouldResume ? nil : "the system advises not to resume"
        case .resumed: "recording continues"
        case .formatChanged(_, let new): "the device now delivers \(new.sampleRate) Hz, \(Format.channels(new.pcm.channelCount))"
        case .discontinuity(let frames): "there was no audio for \(Format.seconds(frames, sampleRate))"
        case .overrun(let frames): "this machine was too slow; lost \(Format.seconds(frames, sampleRate)) of audio"
        case .muted(let isMuted, by: .system): isMuted ? "the microphone is muted" : "the microphone is no longer muted"
        case .deviceLost(let device): "\(device) was disconnected"
        case .stalled(let time): "the device has delivered nothing for \(Format.fixed(time.inSeconds, digits: 1)) s"
        case .silent(let time):
            "the device has delivered only zeros for \(Format.fixed(time.inSeconds, digits: 0)) s; it can be muted, or access denied"
        case .echoCancellationUnavailable(let error): "without echo cancellation: \(error.description)"
        case .serverLost: "the connection to the sound server was lost"
        case .serverRestored: "the connection to the sound server was restored"
        }
    }

    /// Whether an event means that audio is or can be missing.
    static func isLoss(_ event: CaptureEvent) -> Bool {
        switch event {
        case .interrupted(.programNotPlaying): false
        case .interrupted, .discontinuity, .overrun, .deviceLost, .stalled, .silent, .serverLost: true
        case .started, .stopped, .failed, .muted, .routeChanged, .interruptionEnded, .resumed, .formatChanged, .echoCancellationUnavailable,
            .serverRestored:
            false
        }
    }

    private static func text(for change: RouteChange) -> String {
        let devices = change.old == change.new ? change.subject.map { " (\($0))" } ?? "" : " (\(change.old) → \(change.new))"
        return words(change.reason) + devices
    }

    private static func words(_ reason: RouteChangeReason) -> String {
        switch reason {
        case .newDeviceAvailable: "a device was added"
        case .oldDeviceUnavailable: "a device was removed"
        case .override: "the recording was moved to another device"
        case .routeConfigurationChange: "the default device or its configuration changed"
        case .noSuitableRouteForCategory: "there is no device to record from"
        case .unknown, .categoryChange, .wakeFromSleep: reason.description
        }
    }

    private static func words(_ reason: InterruptionReason) -> String {
        switch reason {
        case .deviceSuspended: "the system suspended the device"
        case .requestedByOther: "another program requested the device"
        case .deviceLost: "waiting for the device"
        case .serverLost: "waiting for the sound server"
        case .stalled: "reopening the device"
        case .formatChanged: "the device changed its format"
        case .programNotPlaying: "the program plays nothing; waiting for it"
        }
    }
}
