// SPDX-License-Identifier: Apache-2.0

import AppleModel
import AudioDevices
import AudioPrimitives
import VirtualTime

/// A capture with everything that it delivered.
final class Recording: @unchecked Sendable {
    /// A delivered buffer.
    struct Piece {
        /// The first frame's number, which is its sample value; −1 for formats other than `int32`.
        var number: Int
        var frames: Int
        var isFilling: Bool
        /// The position on the timeline in seconds.
        var time: Double
        var hostTime: Int64
        var arrival: Double
        var rate: Int
        var channels: Int
        var byteCount: Int
    }

    let capture: AudioCapture
    let start = Machine.now
    private(set) var pieces: [Piece] = []
    private(set) var events: [(time: Double, event: CaptureEvent)] = []

    /// Creates a capture and starts to collect its events.
    init(_ configuration: CaptureConfiguration, _ backend: any CaptureBackend) {
        capture = AudioCapture(configuration, source: .backend(backend))
        let events = capture.events
        Task { for await event in events { self.events.append((Machine.now, event)) } }
    }

    /// Starts the capture and returns the error, if any.
    func begin() async -> DeviceError? {
        do {
            try await capture.start { [self] audio in
                let isNumbered = audio.format.sampleFormat == .int32 && audio.bytes.count >= 4
                let number = isNumbered ? audio.bytes.withUnsafeBytes { Int($0.loadUnaligned(as: Int32.self)) } : -1
                pieces.append(
                    Piece(
                        number: number, frames: audio.frameCount, isFilling: audio.isFilling,
                        time: Double(audio.time.value) / Double(audio.time.timescale), hostTime: audio.hostTime, arrival: Machine.now,
                        rate: audio.sampleRate, channels: audio.format.channelCount, byteCount: audio.bytes.count))
            }
            return nil
        } catch {
            return error
        }
    }

    /// Stops the capture and waits for its last events.
    func end() async {
        await capture.stop()
        await sleep(0.05)
    }

    // MARK: Questions

    var captured: [Piece] { pieces.filter { !$0.isFilling && $0.frames > 0 } }
    var capturedFrames: Int { captured.reduce(0) { $0 + $1.frames } }
    var filledFrames: Int { pieces.filter(\.isFilling).reduce(0) { $0 + $1.frames } }

    /// Returns the maximum distance in frames between captured audio at a rate and the position that its numbers give.
    func timelineError(rate: Int = 48000) -> Int {
        let real = captured.filter { $0.rate == rate }
        guard let first = real.first else { return .max }
        return real.map { abs(($0.number - first.number) - Int((($0.time - first.time) * Double(rate)).rounded())) }.max() ?? 0
    }

    /// Returns the maximum error of the host times in seconds.
    func hostTimeError(rate: Double = 48000) -> Double {
        captured.map { abs(Double($0.hostTime) * 1e-9 - Double($0.number) / rate) }.max() ?? .infinity
    }

    /// Returns the seconds from a time to the first matching event after it.
    func delay(of event: (CaptureEvent) -> Bool, after time: Double = 0) -> Double? {
        events.first { $0.time >= time && event($0.event) }.map { $0.time - time }
    }
    func has(_ event: (CaptureEvent) -> Bool) -> Bool { events.contains { event($0.event) } }
    /// Returns whether audio was captured after a time.
    func hasAudio(after time: Double) -> Bool { captured.contains { $0.arrival > time } }

    /// Returns the events since a time with their times, and the counts.
    func log(from time: Double = 0) -> String {
        let origin = time > 0 ? time : start
        let list = events.filter { $0.time >= time }.map { "\(name(of: $0.event)) +\(Int((($0.time - origin) * 1000).rounded())) ms" }
        return "\(list.joined(separator: ", ")); \(capturedFrames) frames captured, \(filledFrames) filled"
    }
}

/// Returns an event's short name with its values.
func name(of event: CaptureEvent) -> String {
    switch event {
    case .started: "started"
    case .routeChanged(let change): "routeChanged(\(change.reason.rawValue): \(change.old) to \(change.new))"
    case .formatChanged(let old, let new): "formatChanged(\(old.sampleRate) to \(new.sampleRate))"
    default: "\(event)"
    }
}

func isDeviceLost(_ event: CaptureEvent) -> Bool { if case .deviceLost = event { true } else { false } }
func isInterrupted(_ event: CaptureEvent) -> Bool { if case .interrupted = event { true } else { false } }
func isDiscontinuity(_ event: CaptureEvent) -> Bool { if case .discontinuity = event { true } else { false } }
func isFormatChanged(_ event: CaptureEvent) -> Bool { if case .formatChanged = event { true } else { false } }
func isResumed(_ event: CaptureEvent) -> Bool { event == .resumed }
func isRouteChanged(_ reason: RouteChangeReason) -> (CaptureEvent) -> Bool {
    { if case .routeChanged(let change) = $0 { change.reason == reason } else { false } }
}

/// Returns a configuration whose samples can carry frame numbers.
func configuration(_ body: (inout CaptureConfiguration) -> Void = { _ in }) -> CaptureConfiguration {
    var result = CaptureConfiguration(sampleFormat: .int32)
    body(&result)
    return result
}

/// A xorshift generator with the same numbers in each run.
struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns a number below `count`.
    mutating func next(_ count: UInt64) -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state % count
    }
}

extension Report {
    /// Starts a capture and requires success.
    mutating func start(
        _ backend: any CaptureBackend, _ wanted: CaptureConfiguration = configuration()
    ) async -> Recording {
        let recording = Recording(wanted, backend)
        checkStarted(await recording.begin())
        return recording
    }

    /// Requires that a start has succeeded.
    mutating func checkStarted(_ error: DeviceError?) { check(error == nil, "the start failed: \(error?.description ?? "")") }
    /// Requires an event within a time.
    mutating func checkEvent(
        _ name: String, within seconds: Double, after time: Double, of recording: Recording, _ event: (CaptureEvent) -> Bool
    ) {
        let delay = recording.delay(of: event, after: time) ?? .infinity
        check(delay <= seconds, "no \(name) within \(seconds) s: \(recording.log(from: time))")
    }
    /// Requires that captured audio is at the position that its numbers give.
    mutating func checkExact(_ recording: Recording, rate: Int = 48000, within frames: Int = 0) {
        guard !recording.captured.isEmpty else { return check(false, "nothing was captured: \(recording.log())") }
        let error = recording.timelineError(rate: rate)
        check(error <= frames, "the timeline is off by \(error) frames: \(recording.log())")
    }
}
