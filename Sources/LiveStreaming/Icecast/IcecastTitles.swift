// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Sends titles to an Icecast server, each over a connection of its own, so that the stream never waits for it.
///
/// A title that the server does not take is tried again and then given up.
final class IcecastTitles: Sendable {
    /// The values that two threads access.
    private struct State {
        /// The latest title that is not sent.
        var title: String?
        /// Whether a thread sends titles.
        var isSending = false
    }

    /// The attempts for a title, a second apart: a server needs a moment until a new mount point has titles.
    private static let attemptCount = 5

    private let server: IcecastServer
    private let state = Mutex(State())
    private let abort = ConnectionAbort()

    /// Creates an object without a title.
    init(_ server: IcecastServer) { self.server = server }

    /// Sends a title soon; one that waits is replaced.
    func set(_ title: String) {
        let isStarting = state.withLock { state in
            state.title = title
            defer { state.isSending = true }
            return !state.isSending
        }
        guard isStarting else { return }
        // The thread of a queue may block without delaying others.
        DispatchQueue(label: "linnet.stream.title").async { [self] in
            while let title = takeTitle() { send(title) }
        }
    }

    /// Ends all sending.
    func end() { abort.request() }

    /// Returns the title to send; nil, after which another thread starts, if there is none.
    private func takeTitle() -> String? {
        state.withLock { state in
            defer { state.title = nil }
            if state.title == nil || abort.isRequested { state.isSending = false }
            return state.isSending ? state.title : nil
        }
    }

    /// Sends a title, until the server takes it or a newer one waits.
    private func send(_ title: String) {
        for _ in 0..<Self.attemptCount {
            if (try? request(title)) != nil { return }
            let end = ContinuousClock.now + .seconds(1)
            let pause = DispatchSemaphore(value: 0)
            while ContinuousClock.now < end {
                if abort.isRequested || state.withLock({ $0.title != nil }) { return }
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
