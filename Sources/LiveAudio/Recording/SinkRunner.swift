// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// Why a sink doesn't get any more.
public enum SinkFailure: Error, Sendable {
    /// It failed by itself.
    case failed(any Error)
    /// It took so little that so many bytes were waiting for it.
    case tooSlow(waitingBytes: Int)
    /// It didn't come to its end in time.
    case stuck
}

/// One sink and its thread: a slow or broken one holds up nobody.
final class SinkRunner: Sendable {
    /// What may wait for a sink: about two minutes of samples, hours of access units.
    private static let limit = 48_000_000

    private struct State {
        var waitingBytes = 0
        var failure: SinkFailure?
        var isFinished = false
    }

    let sink: any RecorderSink
    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let onFailure: @Sendable (String, SinkFailure) -> Void

    init(_ sink: any RecorderSink, onFailure: @escaping @Sendable (String, SinkFailure) -> Void) {
        self.sink = sink
        self.onFailure = onFailure
        queue = DispatchQueue(label: "linnet.sink")
    }

    var failure: SinkFailure? { state.withLock { $0.failure } }

    func begin(_ format: RecordingFormat) throws { try queue.sync { try sink.begin(format) } }

    func append(_ item: RecordedItem) {
        let size = item.byteCount
        let isTooSlow = state.withLock { state -> Bool? in
            guard state.failure == nil, !state.isFinished else { return nil }
            state.waitingBytes += size
            return state.waitingBytes > Self.limit
        }
        guard let isTooSlow else { return }
        if isTooSlow { return fail(.tooSlow(waitingBytes: Self.limit)) }
        queue.async { [self] in
            defer { state.withLock { $0.waitingBytes -= size } }
            guard failure == nil else { return }
            do { try sink.append(item) } catch { fail(.failed(error)) }
        }
    }

    /// Completes the sink, or gives it up after `seconds`.
    func finish(_ gaplessInfo: GaplessInfo?, within seconds: Double) {
        let done = DispatchGroup()
        queue.async(group: done) { [self] in
            guard failure == nil else {
                // What a broken sink wrote so far may still be completed.
                try? sink.finish(gaplessInfo)
                return
            }
            do { try sink.finish(gaplessInfo) } catch { fail(.failed(error)) }
        }
        if done.wait(timeout: .now() + seconds) == .timedOut { fail(.stuck) }
        state.withLock { $0.isFinished = true }
    }

    private func fail(_ failure: SinkFailure) {
        let isFirst = state.withLock { state in
            guard state.failure == nil else { return false }
            state.failure = failure
            return true
        }
        if isFirst { onFailure(sink.name, failure) }
    }
}

extension RecordedItem {
    fileprivate var byteCount: Int {
        switch self {
        case .samples(let buffer): buffer.samples.count * 4
        case .accessUnit(let unit): unit.payload.count + 64
        }
    }
}
