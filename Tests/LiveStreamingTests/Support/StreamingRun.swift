// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import Synchronization
import TestSupport

/// A sink fed by a test, with its events.
final class StreamingRun: Sendable {
    let sink: StreamingSink
    private let record = Mutex<[StreamingEvent]>([])
    private let reader: Mutex<Task<Void, Never>?>

    init(
        _ destination: any StreamingDestination, _ format: RecordingFormat = .stereo48(), limits: StreamingLimits = StreamingRun.limits()
    ) {
        sink = StreamingSink(destination, limits: limits)
        reader = Mutex(nil)
        let stream = sink.events
        let task = Task { for await event in stream { self.record.withLock { $0.append(event) } } }
        reader.withLock { $0 = task }
        sink.begin(format)
    }

    /// Limits with a short retry delay.
    static func limits(step: Duration = .seconds(10), queue: Duration = .seconds(60)) -> StreamingLimits {
        var limits = StreamingLimits()
        limits.queueDuration = queue
        limits.step = step
        limits.closing = .seconds(20)
        limits.shortestRetry = .milliseconds(100)
        limits.longestRetry = .milliseconds(200)
        return limits
    }

    var events: [StreamingEvent] { record.withLock { $0 } }

    /// Waits until connection `number` is streaming.
    ///
    /// Returns whether it is.
    func waitForConnection(_ number: Int = 1) async throws -> Bool {
        try await waitUntil { sink.status == .streaming && sink.statistics.connectionCount >= number }
    }

    /// Appends access units with a pause after each.
    func append(_ accessUnits: some Sequence<AccessUnit>, every pause: Duration = .milliseconds(2)) async throws {
        for accessUnit in accessUnits {
            try sink.append(accessUnit)
            try await Task.sleep(for: pause)
        }
    }

    /// Ends the stream without blocking a task thread.
    func finish() async throws {
        let sink = sink
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue(label: "test.finish").async { continuation.resume(with: Result { try sink.finish(nil) }) }
        }
    }
}
