// SPDX-License-Identifier: Apache-2.0

import AudioFiles
internal import PCMFiles
internal import SystemLibrary

/// Handles signals such as Ctrl-C on a separate thread, where any code may run, even while the other threads are blocked.
enum SignalWatcher {
    /// The signals that are handled: SIGHUP unless the caller has it ignored, as nohup does.
    ///
    /// SIGINT is handled even if it is ignored: shells start a script's background programs so, and `kill -INT` still has to stop them.
    private static let watched = [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP])

    /// The function that the thread calls.
    private final class Handler: Sendable {
        let body: @Sendable (Int32) -> Void
        /// Makes a handler.
        init(_ body: @escaping @Sendable (Int32) -> Void) { self.body = body }
    }

    /// Ignores SIGPIPE and SIGXFSZ, so that a write to a pipe without a reader, or beyond the largest size of a file, fails instead of ending the
    /// program.
    ///
    /// Call it before anything is written.
    static func ignoreFailedWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Calls `body` with each SIGINT, SIGTERM and SIGHUP; a SIGHUP that the caller has ignored stays ignored.
    ///
    /// Call it once, before any other thread is started: threads inherit the signal mask.
    static func start(_ body: @escaping @Sendable (Int32) -> Void) {
        var set = signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let context = Unmanaged.passRetained(Handler(body)).toOpaque()
        #if canImport(Glibc) || canImport(Android)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        pthread_create(
            &thread, nil,
            { context in
                // Whether the systems' headers let the parameter and the result be nil differs.
                let object: UnsafeMutableRawPointer? = context
                guard let object else { return context }
                let handler = Unmanaged<Handler>.fromOpaque(object).takeRetainedValue()
                while true {
                    var set = SignalWatcher.signalSet
                    var number: Int32 = 0
                    if sigwait(&set, &number) == 0 { handler.body(number) }
                }
            }, context)
    }

    /// Removes unfinished outputs and ends the program at each SIGINT, SIGTERM and SIGHUP; call it as ``start(_:)``.
    ///
    /// - Parameters:
    ///   - output: The output of a join, whose work is kept in a file that the message names; nil for none.
    ///   - prepare: Called before the message is written.
    static func discardOutputs(continuing output: String? = nil, _ prepare: @escaping @Sendable () -> Void = {}) {
        start { number in
            OutputFile.discardAllPartialFiles()
            prepare()
            let kept = output.flatMap { UnfinishedJoin.exists(output: $0) ? UnfinishedJoin.path(output: $0) : nil }
            let rest = kept.map { "; \($0) keeps what is done: the same command continues it" } ?? ""
            StandardError.complain("interrupted; unfinished outputs were removed" + rest)
            die(of: number)
        }
    }

    /// Ends the program as the signal does by default, so that the parent process sees the signal.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        var set = signalSet
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        exit(128 + number)
    }

    /// Returns whether a signal is ignored.
    private static func isIgnored(_ number: Int32) -> Bool {
        let handler = signal(number, SIG_IGN)
        signal(number, handler)
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The signals in ``watched`` as the system takes them.
    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in watched { sigaddset(&set, number) }
        return set
    }
}
