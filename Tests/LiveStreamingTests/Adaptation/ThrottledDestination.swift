// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import Synchronization
import TestSupport

/// A clock that runs faster than real time, to shorten tests of long streams.
struct FastClock: Clock {
    /// The ratio of its time to real time.
    let speed: Double
    private let origin = ContinuousClock.now

    init(speed: Double) { self.speed = speed }

    var now: ContinuousClock.Instant { origin + (ContinuousClock.now - origin) * speed }
    var minimumResolution: Duration { ContinuousClock().minimumResolution * speed }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: now.duration(to: deadline) / speed)
    }

    /// The time since the clock was created, in seconds.
    var seconds: Double { (now - origin) / .seconds(1) }
}

/// Tones with noise at 16 kHz in mono, paced by a clock until a test ends them.
final class PacedSource: PCMSource {
    let sampleRate = 16_000
    let channelCount = 1
    private let clock: FastClock
    private let isEnding = Atomic<Bool>(false)
    private let state = Mutex((position: 0, lag: 0.0, random: SeededRandom(seed: 6)))

    init(_ clock: FastClock) { self.clock = clock }

    func end() { isEnding.store(true, ordering: .relaxed) }

    func next() -> PCMBuffer? {
        state.withLock { state in
            let next = Double(state.position) / 16_000
            while next + state.lag > clock.seconds { usleep(500) }
            // Like a device, the source does not catch up after its thread stalled.
            if clock.seconds - next - state.lag > 0.5 { state.lag = clock.seconds - next }
            if isEnding.load(ordering: .relaxed) { return nil }
            var buffer = PCMBuffer(sampleRate: 16_000, channelCount: 1, frameCapacity: 320)
            for index in 0..<320 {
                let tone = sin(Double(state.position + index) * 0.1)
                buffer.samples[index] = 0.25 * Float(tone) + Float.random(in: -0.1...0.1, using: &state.random)
            }
            state.position += 320
            return buffer
        }
    }
}

/// A destination with a limited bit rate.
final class ThrottledDestination: ServerDestination {
    let name = "throttled"
    /// The capacity, in bits per second of the clock's time.
    let capacity: Mutex<Double>
    /// The presentation times of the access units that arrived.
    let arrived = Mutex<[Int64]>([])
    fileprivate let clock: FastClock

    init(_ clock: FastClock, capacity: Double) {
        self.clock = clock
        self.capacity = Mutex(capacity)
    }

    func connect(_ format: RecordingFormat, abort: ConnectionAbort) -> any StreamingConnection {
        ThrottledConnection(self, abort: abort)
    }
}

/// A connection of a ``ThrottledDestination``.
private final class ThrottledConnection: StreamingConnection {
    private let destination: ThrottledDestination
    private let abort: ConnectionAbort
    /// The time up to which the capacity has been used.
    private var usedTime: Double
    private(set) var unconfirmedUnitCount = 0

    init(_ destination: ThrottledDestination, abort: ConnectionAbort) {
        self.destination = destination
        self.abort = abort
        usedTime = destination.clock.seconds
    }

    func send(_ accessUnit: AccessUnit) throws(StreamingError) {
        unconfirmedUnitCount = 1
        var rest = Double(8 * accessUnit.payload.count)
        // Unused capacity expires, except for the amount that an access unit of 64 ms needs.
        usedTime = max(usedTime, destination.clock.seconds - 0.1)
        while rest > 0 {
            if abort.isRequested { throw .aborted }
            let now = destination.clock.seconds
            let capacity = destination.capacity.withLock { $0 }
            let bits = min(rest, (now - usedTime) * capacity)
            rest -= bits
            usedTime += bits / capacity
            if rest > 0 { usleep(1000) }
        }
        unconfirmedUnitCount = 0
        destination.arrived.withLock { $0.append(accessUnit.presentationTime.value) }
    }

    func close(isComplete: Bool) {}
}
