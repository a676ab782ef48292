// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization

/// A backend controlled by a test.
final class ScriptedBackend: SystemCaptureBackend {
    struct Opening: Sendable {
        var error: DeviceError?
        var sampleRate = 48_000
        var device = "scripted"
        /// Whether the opening lasts until it is cancelled.
        var opensSlowly = false
    }

    private struct State {
        var openings: [Opening]
        var starts = 0
        var stops = 0
        var suspensions = 0
        var input: CaptureInput?
        /// The input of the suspended stream.
        var suspended: CaptureInput?
        var nextValue: Int16 = 1
    }

    private let state: Mutex<State>

    /// Creates a backend with a script of openings.
    ///
    /// The last one repeats.
    init(_ openings: [Opening] = [Opening()]) { state = Mutex(State(openings: openings)) }

    var kind: AudioBackendKind { .pulseAudio }
    var starts: Int { state.withLock { $0.starts } }
    var stops: Int { state.withLock { $0.stops } }
    var suspensions: Int { state.withLock { $0.suspensions } }
    var input: CaptureInput? { state.withLock { $0.input } }

    func devices() -> [AudioDevice] { [] }

    func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        let opening = state.withLock { state in
            defer { state.starts += 1 }
            return state.openings[min(state.starts, state.openings.count - 1)]
        }
        if let error = opening.error { throw error }
        while opening.opensSlowly {
            if input.isCancelled { throw .cancelled }
            Thread.sleep(forTimeInterval: 0.005)
        }
        input.prepare(
            CaptureFormat(
                sampleRate: opening.sampleRate, pcm: PCMFormat(configuration.sampleFormat, channelCount: configuration.channelCount ?? 1),
                bufferFrames: 480, device: opening.device, deviceName: opening.device))
        state.withLock { $0.input = input }
    }

    func stop() {
        state.withLock {
            $0.stops += 1
            $0.input = nil
        }
    }

    func suspend() {
        state.withLock {
            $0.suspensions += 1
            $0.suspended = $0.input
            $0.input = nil
        }
    }

    /// Writes mono 16-bit frames of the counted signal, captured at `time`.
    ///
    /// Holds the lock, so that nothing is written after `stop` has returned.
    func write(frames: Int, time: Int64 = 0) {
        state.withLock { state in
            var samples: [Int16] = []
            for _ in 0..<frames {
                samples.append(state.nextValue)
                state.nextValue = CountedSignal.following(state.nextValue)
            }
            state.input?.write(samples.span.bytes, hostTime: time)
        }
    }

    /// Reports a notice to the open or the suspended stream.
    func report(_ notice: BackendNotice) { state.withLock { ($0.input ?? $0.suspended)?.report(notice) } }

    func writeSilence(frames: Int) {
        state.withLock { $0.input?.write([Int16](repeating: 0, count: frames).span.bytes, hostTime: 0) }
    }
}

extension AudioCapture {
    /// Creates a capture of 16-bit mono from a scripted backend.
    static func scripted(_ backend: ScriptedBackend, _ change: (inout CaptureConfiguration) -> Void = { _ in }) -> AudioCapture {
        var configuration = CaptureConfiguration(sampleFormat: .int16)
        // A busy machine must not look like a silent device.
        configuration.stallTimeout = .seconds(60)
        change(&configuration)
        return AudioCapture(configuration, source: .backend(backend))
    }
}
