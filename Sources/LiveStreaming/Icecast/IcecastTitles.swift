// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// Sends titles to an Icecast server, each over a connection of its own, so that the stream never waits for it.
///
/// A title that the server does not take is tried again and then given up.
final class IcecastTitles: Sendable {
    /// The attempts for a title, a second apart: a server needs a moment until a new mount point has titles.
    private static let attemptCount = 5

    private let server: IcecastServer
    /// The latest title that is not sent.
    private let waiting = Mutex<String?>(nil)
    /// The thread of a queue may block without delaying others.
    private let queue = DispatchQueue(label: "linnet.stream.title")
    private let abort = ConnectionAbort()

    /// Creates an object without a title.
    init(_ server: IcecastServer) { self.server = server }

    /// Sends a title soon; one that waits is replaced.
    func set(_ title: String) {
        waiting.withLock { $0 = title }
        queue.async { [self] in
            if let title = waiting.removeValue(), !abort.isRequested { send(title) }
        }
    }

    /// Ends all sending.
    func end() { abort.request() }

    /// Sends a title, until the server takes it or a newer one waits.
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

    /// Asks the server to show a title.
    private func request(_ title: String) throws(StreamingError) {
        let connection = try server.open(abort: abort)
        defer { connection.close() }
        try connection.send(server.titleRequest(title), timeout: server.timeout)
        var answers = HTTPResponseReader()
        _ = try server.answer(to: "the title", over: connection, &answers)
    }
}
