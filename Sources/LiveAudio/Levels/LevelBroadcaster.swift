// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import Synchronization

/// Sends the levels of a recording to any number of subscribers, each with an interval of its own.
///
/// All methods may be called from any thread.
final class LevelBroadcaster: Sendable {
    /// A subscription.
    private struct Subscriber {
        let interval: Duration
        let continuation: AsyncStream<AudioLevels>.Continuation
        var meter: LevelMeter?
    }

    /// The current subscriptions.
    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var nextIdentifier = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Returns a stream of the levels of consecutive intervals of the recording.
    ///
    /// The stream buffers one value: a slow reader gets the latest one.
    func stream(every interval: Duration) -> AsyncStream<AudioLevels> {
        let (stream, continuation) = AsyncStream.makeStream(of: AudioLevels.self, bufferingPolicy: .bufferingNewest(1))
        let identifier = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextIdentifier += 1
            state.subscribers[state.nextIdentifier] = Subscriber(interval: interval, continuation: continuation)
            return state.nextIdentifier
        }
        guard let identifier else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(identifier) }
        return stream
    }

    /// Measures a buffer for all subscribers, and sends the levels of intervals that are complete with it.
    func send(_ buffer: PCMBuffer) {
        let complete = state.withLock { state in
            state.subscribers.keys.compactMap { identifier -> (AsyncStream<AudioLevels>.Continuation, AudioLevels)? in
                guard var subscriber = state.subscribers[identifier] else { return nil }
                var meter = subscriber.meter ?? LevelMeter(channelCount: buffer.channelCount)
                meter.accept(buffer)
                let isComplete = Double(meter.frameCount) >= subscriber.interval.inSeconds * Double(buffer.sampleRate)
                let levels = isComplete ? meter.dequeue() : nil
                subscriber.meter = meter
                state.subscribers[identifier] = subscriber
                return levels.map { (subscriber.continuation, $0) }
            }
        }
        // Not under the lock: a subscription that ends meanwhile takes it.
        for (continuation, levels) in complete { continuation.yield(levels) }
    }

    /// Ends all streams.
    func finish() {
        let subscribers = state.withLock { state -> [Subscriber] in
            state.isFinished = true
            defer { state.subscribers.removeAll() }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.continuation.finish() }
    }

    /// Removes a subscription that has ended.
    private func remove(_ identifier: Int) {
        state.withLock { _ = $0.subscribers.removeValue(forKey: identifier) }
    }
}
