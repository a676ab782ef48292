// SPDX-License-Identifier: Apache-2.0

package import AudioDevices
internal import AudioMetadata
package import AudioPrimitives
internal import Dispatch
internal import PCMFiles
internal import Synchronization

/// Runs one sink on a dedicated thread, so that a slow or failing sink does not affect the others.
package final class SinkRunner: Sendable {
    /// The maximum number of bytes queued for a sink: about two minutes of samples, or hours of access units.
    private static let limit = 48_000_000

    /// State shared between threads.
    private struct State {
        var waitingByteCount = 0
        /// Whether the caller of `append` is waiting for space.
        var isAwaited = false
        var failure: DeviceError?
        var isFinished = false
    }

    let name: String
    /// Whether the sink receives access units instead of samples.
    let isCoded: Bool
    let splits: Bool
    private let sink: RecorderSink
    private let waits: Bool
    private let freeSlots = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "linnet.sink")
    private let state = Mutex(State())
    private let onFailure: @Sendable (String, DeviceError) -> Void

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - waits: Whether `append` blocks when the queue is full, instead of failing the sink.
    ///   - onFailure: Called once with the sink's name if the sink fails.
    package init(_ sink: RecorderSink, waits: Bool, onFailure: @escaping @Sendable (String, DeviceError) -> Void) {
        let sink = sink.parts.destination
        self.sink = sink
        self.waits = waits
        self.onFailure = onFailure
        name = sink.name
        splits = sink.splittable != nil
        if case .accessUnits = sink { isCoded = true } else { isCoded = false }
    }

    private var hasFailed: Bool { state.withLock { $0.failure != nil } }

    /// The growth of the output; `nil` if it is not a file.
    func growth(_ format: RecordingFormat) -> FileGrowth? { sink.growth(format) }

    /// The maximum time between access units at which decoding can start; `nil` for no limit.
    var accessPointInterval: Duration? {
        guard case .accessUnits(let sink as any NonblockingAccessUnitSink) = sink else { return nil }
        return sink.accessPointInterval
    }

    /// Opens the sink.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/sinkFailed(name:underlying:)``, or the sink's own ``/AudioDevices/DeviceError``.
    func begin(_ format: RecordingFormat) async throws(DeviceError) {
        let outcome = Promise<Result<Void, any Error>>()
        queue.async { [self] in outcome.fulfill(Result { try sink.begin(format) }) }
        do { try await outcome.wait().get() } catch { throw failure(from: error) }
    }

    /// Passes samples to a sample sink.
    ///
    /// Blocks only if `waits` is set.
    package func append(_ buffer: PCMBuffer) {
        guard case .samples(let sink) = sink else { return }
        enqueue(byteCount: buffer.samples.count * 4) { [waits] in
            if waits { (sink as? any WaitableSink)?.waitForRoom() }
            try sink.append(buffer)
        }
    }

    /// Passes an access unit to an access unit sink.
    ///
    /// Blocks only if `waits` is set.
    func append(_ accessUnit: AccessUnit) {
        guard case .accessUnits(let sink) = sink else { return }
        if let sink = sink as? any NonblockingAccessUnitSink {
            guard !hasFailed else { return }
            if waits { sink.waitForRoom() }
            do { return try sink.append(accessUnit) } catch { return fail(failure(from: error)) }
        }
        enqueue(byteCount: accessUnit.payload.count + 64) { try sink.append(accessUnit) }
    }

    /// Passes a mark to a sink that stores marks.
    ///
    /// Never blocks.
    func mark(_ mark: AudioTags.Chapter) {
        guard let markable = sink.markable else { return }
        queue.async { [self] in if !hasFailed { markable.mark(mark) } }
    }

    /// Passes file boundaries to a sink that splits its output.
    ///
    /// - Parameters:
    ///   - boundaries: The next boundaries, in order.
    ///   - decidedFrame: All boundaries before this frame are known.
    func split(at boundaries: [FileBoundary], decidedFrame: Int) {
        guard let sink = sink.splittable else { return }
        enqueue(byteCount: 0) { sink.split(at: boundaries, decidedFrame: decidedFrame) }
    }

    /// Queues `body` on the sink's thread unless the sink has failed.
    ///
    /// Fails the sink if its queue is full.
    private func enqueue(byteCount: Int, _ body: @escaping @Sendable () throws -> Void) {
        let isTooSlow = state.withLock { state -> Bool? in
            guard state.failure == nil, !state.isFinished else { return nil }
            state.waitingByteCount += byteCount
            return state.waitingByteCount > Self.limit
        }
        guard let isTooSlow else { return }
        if isTooSlow, !waits { return fail(.sinkTooSlow(name: name, waitingByteCount: Self.limit)) }
        queue.async { [self] in
            defer { release(byteCount) }
            guard !hasFailed else { return }
            do { try body() } catch { fail(failure(from: error)) }
        }
        if isTooSlow { waitForRoom() }
    }

    /// Blocks until the queue is below its limit.
    private func waitForRoom() {
        while state.withLock({ state in
            state.isAwaited = state.waitingByteCount > Self.limit
            return state.isAwaited
        }) { freeSlots.wait() }
    }

    /// Removes bytes from the queue's count.
    private func release(_ byteCount: Int) {
        let isAwaited = state.withLock { state in
            state.waitingByteCount -= byteCount
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if isAwaited { freeSlots.signal() }
    }

    /// Starts completing the sink after its queued items.
    ///
    /// - Parameters:
    ///   - gaplessInfo: The priming and padding; `nil` if nothing was encoded.
    ///   - timeout: The time after which the sink fails.
    /// - Returns: A promise that is fulfilled when the sink is complete or has failed.
    package func finish(_ gaplessInfo: GaplessInfo?, timeout: Duration) -> Promise<Void> {
        // A failed sink may still complete its earlier output.
        end(timeout: timeout) { [self] in try close(gaplessInfo) }
    }

    /// Starts discarding a sink whose recording failed to start.
    ///
    /// - Parameter timeout: The time after which the sink fails.
    /// - Returns: A promise that is fulfilled when the sink has ended or failed.
    func discard(timeout: Duration) -> Promise<Void> {
        end(timeout: timeout) { [self] in try sink.discard() }
    }

    /// Calls `body` on the sink's thread after its queued items, and accepts no more items.
    private func end(timeout: Duration, _ body: @escaping @Sendable () throws -> Void) -> Promise<Void> {
        let done = Promise<Void>()
        queue.async { [self] in
            do { try body() } catch { fail(failure(from: error)) }
            done.fulfill(())
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout.inSeconds) { [weak self, name] in
            guard done.current == nil else { return }
            self?.fail(.sinkTimedOut(name: name, after: timeout))
            done.fulfill(())
        }
        state.withLock { $0.isFinished = true }
        return done
    }

    private func close(_ gaplessInfo: GaplessInfo?) throws {
        switch sink {
        case .samples(let sink): try sink.finish()
        case .accessUnits(let sink): try sink.finish(gaplessInfo)
        case .signal: break
        }
    }

    private func failure(from error: any Error) -> DeviceError {
        error as? DeviceError ?? .sinkFailed(name: name, underlying: error)
    }

    private func fail(_ failure: DeviceError) {
        let isFirst = state.withLock { state in
            guard state.failure == nil else { return false }
            state.failure = failure
            return true
        }
        if isFirst { onFailure(name, failure) }
    }
}
