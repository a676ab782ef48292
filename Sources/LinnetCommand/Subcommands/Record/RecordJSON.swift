// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioMetadata
import AudioPrimitives
import JSONText
import LiveAudio
import LiveStreaming

/// The events of a recording as JSON objects, each with the position in seconds.
enum RecordJSON {
    /// Returns the line of an event; `nil` for ``RecorderEvent/finished(_:)``, which ``finished(_:)`` describes.
    static func line(for event: RecorderEvent, seconds: Double) -> String? {
        switch event {
        case .capture(let event): line(name(event), seconds, members(event))
        case .source(let source, let event): line(name(event), seconds, [("source", .string(source))] + members(event))
        case .sinkFailed(let name, let failure):
            line("sinkFailed", seconds, [("output", .string(name)), ("reason", .string(RecordMessage.text(for: failure)))])
        case .paused: line("paused", seconds, [])
        case .resumed: line("unpaused", seconds, [])
        case .bitRateChanged(let bitRate): line("bitRateChanged", seconds, [("bitRate", .integer(bitRate))])
        case .marked(let mark): line("mark", mark.seconds, [("title", .string(mark.title))])
        case .waitingForLevel(let isWaiting): line(isWaiting ? "waitingForLevel" : "triggered", seconds, [])
        case .fileStarted(let path, let time):
            line("fileStarted", seconds, [("file", .string(path)), ("time", .string(localTime(time)))])
        case .fileFinished(let path, let start, let duration):
            line(
                "fileFinished", seconds,
                [
                    ("file", .string(path)), ("start", .rounded(start.inSeconds, digits: 3)),
                    ("duration", .rounded(duration.inSeconds, digits: 3)),
                ])
        case .finished: nil
        }
    }

    /// Returns a line with the state and the levels of each channel, in dBFS.
    static func levels(_ levels: AudioLevels, _ summary: RecordingSummary, state: String) -> String {
        func decibels(_ values: [Float]) -> JSONValue { .array(values.map { .rounded(AudioLevels.decibels($0), digits: 1) }) }
        let members: [JSONMember] = [
            ("peak", decibels(levels.peak)), ("rms", decibels(levels.rootMeanSquare)), ("bitRate", .integer(Int(summary.bitRate))),
            ("lostFrames", .integer(summary.capture.lostFrames)), ("state", .string(state)),
            ("clippedSamples", .array(levels.clippedSampleCounts.map { .integer($0) })),
        ]
        return line("levels", summary.duration.inSeconds, members)
    }

    /// Returns the line of an event of a live destination.
    static func line(for event: StreamingEvent, of name: String, seconds: Double) -> String {
        let (event, members) = StreamText.members(for: event)
        return line(event, seconds, [("output", .string(name))] + members)
    }

    /// Returns a line with the state and counts of a live destination.
    static func stream(_ stream: StreamingSink, seconds: Double) -> String { line("stream", seconds, StreamText.members(for: stream)) }

    /// Returns the last line, with the summary.
    static func finished(_ summary: RecordingSummary) -> String {
        var members: [JSONMember] = [
            ("frames", .integer(summary.frameCount)), ("sampleRate", .integer(summary.sampleRate)),
            ("accessUnits", .integer(summary.accessUnitCount)), ("bytes", .integer(summary.byteCount)),
            ("bitRate", .integer(Int(summary.bitRate))), ("lostFrames", .integer(summary.capture.lostFrames)),
            ("filledFrames", .integer(summary.capture.filledFrames)), ("discontinuities", .integer(summary.capture.discontinuities)),
            ("clippedSamples", .array(summary.clippedSampleCounts.map { .integer($0) })),
            ("clippedPlaces", .integer(summary.clippedPlaceCount)),
            (
                "marks",
                .array(summary.marks.map { .object([("seconds", .rounded($0.seconds, digits: 3)), ("title", .string($0.title))]) })
            ),
        ]
        if let gapless = summary.gaplessInfo {
            members += [("primingFrames", .integer(gapless.primingFrames)), ("remainderFrames", .integer(gapless.remainderFrames))]
        }
        if summary.sources.count > 1 { members.append(("sources", .array(summary.sources.map(source)))) }
        if let error = summary.failure { members.append(("error", .string(error.description))) }
        return line("finished", summary.duration.inSeconds, members)
    }

    private static func source(_ source: SourceSummary) -> JSONValue {
        var members: [JSONMember] = [
            ("name", .string(source.name)), ("lostFrames", .integer(source.capture.lostFrames)),
            ("filledFrames", .integer(source.capture.filledFrames)), ("discontinuities", .integer(source.capture.discontinuities)),
            ("openings", .integer(source.capture.openings)), ("driftPPM", .rounded(source.drift * 1e6, digits: 1)),
        ]
        if let error = source.failure { members.append(("error", .string(error.description))) }
        return .object(members)
    }

    private static func line(_ event: String, _ seconds: Double, _ members: [JSONMember]) -> String {
        JSONValue.object([("event", .string(event)), ("seconds", .rounded(seconds, digits: 3))] + members).line
    }

    /// Returns a time since 1970 as ISO 8601 local time.
    private static func localTime(_ time: Duration) -> String { WallClock.text("%Y-%m-%dT%H:%M:%S%z", at: time.inSeconds) }

    private static func name(_ event: CaptureEvent) -> String { String("\(event)".prefix { $0 != "(" }) }

    private static func members(_ event: CaptureEvent) -> [JSONMember] {
        switch event {
        case .started(let format): return [("format", json(format))]
        case .routeChanged(let change):
            return [
                ("reason", .integer(change.reason.rawValue)), ("text", .string(change.reason.description)), ("old", .string(change.old)),
                ("new", .string(change.new)), ("subject", change.subject.map { .string($0) } ?? .null),
            ]
        case .interrupted(let reason): return [("reason", .string("\(reason)"))]
        case .formatChanged(let old, let new): return [("old", json(old)), ("new", json(new))]
        case .discontinuity(let frames), .overrun(let frames): return [("frames", .integer(frames))]
        case .muted(let isMuted, let source): return [("isMuted", .bool(isMuted)), ("by", .string("\(source)"))]
        case .deviceLost(let device): return [("device", .string(device))]
        case .interruptionEnded(let shouldResume): return [("shouldResume", .bool(shouldResume))]
        case .echoCancellationUnavailable(let error): return [("error", .string(error.description))]
        case .stalled(let time), .silent(let time): return [("silentSeconds", .rounded(time.inSeconds, digits: 3))]
        case .failed(let error): return [("error", .string(error.description))]
        case .resumed, .serverLost, .serverRestored, .stopped: return []
        }
    }

    private static func json(_ format: CaptureFormat) -> JSONValue {
        .object([
            ("device", .string(format.device)), ("name", .string(format.deviceName)), ("sampleRate", .integer(format.sampleRate)),
            ("nativeSampleRate", format.nativeSampleRate.map { .integer($0) } ?? .null),
            ("channels", .integer(format.pcm.channelCount)), ("bufferFrames", .integer(format.bufferFrames)),
        ])
    }
}
