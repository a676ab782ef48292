// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// Sends titles to an Icecast server over separate connections, so that the stream never waits for them.
///
/// Retries a rejected title a few times, then gives up.
final class IcecastTitles: Sendable {
    /// The number of attempts per title, one second apart: a new mount point accepts titles only after a moment.
    private static let attemptCount = 5

    private let server: IcecastServer
    /// The latest unsent title.
    private let waiting = Mutex<String?>(nil)
    // The queue's thread may block without delaying other work.
    private let queue = DispatchQueue(label: "linnet.stream.title")
    private let abort = ConnectionAbort()

    init(_ server: IcecastServer) { self.server = server }

    /// Queues a title.
    ///
    /// Replaces an unsent one.
    func set(_ title: String) {
        waiting.withLock { $0 = title }
        queue.async { [self] in
            if let title = waiting.removeValue(), !abort.isRequested { send(title) }
        }
    }

    func end() { abort.request() }

    /// Sends a title until the server accepts it or a newer one is queued.
    private func send(_ title: String) {
        for _ in 0..<Self.attemptCount {
            if (try? request(title)) != nil { return }
            let end = ContinuousClock.now + .seconds(1)
            let pause = DispatchSemaphore(value: 0)
            while ContinuousClock.now < end {
                if abort.isRequested || waiting.withLock({ $0 != nil }) { return }
                _ = pause.wait(timeout: .now() + .milliseconds(ConnectionAbort.reactionTime))
            }
        }
    }

    private func request(_ title: String) throws(StreamingError) {
        let connection = try server.open(abort: abort)
        defer { connection.close() }
        try connection.send(server.titleRequest(title), timeout: server.timeout)
        var answers = HTTPResponseReader()
        _ = try server.answer(to: "the title", over: connection, &answers)
    }
}
