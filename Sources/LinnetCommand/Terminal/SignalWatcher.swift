// SPDX-License-Identifier: Apache-2.0

import AudioFiles
internal import PCMFiles
internal import SystemLibrary

/// A handler of signals such as SIGINT on a separate thread, which can run any code while other threads are blocked.
enum SignalWatcher {
    /// The handled signals.
    ///
    /// SIGHUP is handled unless the caller ignores it, as nohup does.
    ///
    /// SIGINT is handled even if it is ignored, as shells do for background programs of scripts: `kill -INT` must stop them.
    private static let watched = [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP])

    /// The signal that marks the position of a recording: SIGUSR1.
    static let mark = SIGUSR1

    /// The time after a signal to stop during which the next one does not count.
    ///
    /// GNU `timeout` sends its signal to the program and immediately again to its process group.
    private static let repetitionTime = Duration.milliseconds(500)

    /// The function to call, and the additional signal, as an object.
    private final class Handler: Sendable {
        let other: Int32?
        let body: @Sendable (Int32) -> Void

        init(_ other: Int32?, _ body: @escaping @Sendable (Int32) -> Void) {
            self.other = other
            self.body = body
        }
    }

    /// Ignores SIGPIPE and SIGXFSZ: failed writes return errors instead of ending the program.
    ///
    /// Call this before the first write.
    static func ignoreFailedWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Calls `body` for each SIGINT, SIGTERM and SIGHUP that does not follow another one at once.
    ///
    /// Call this once, before other threads start: threads inherit the signal mask.
    ///
    /// - Parameters:
    ///   - other: An additional signal, if any.
    ///   - body: Receives the number of the signal on the watcher's thread.
    static func start(also other: Int32? = nil, _ body: @escaping @Sendable (Int32) -> Void) {
        var set = signalSet(other)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let context = Unmanaged.passRetained(Handler(other, body)).toOpaque()
        #if canImport(Glibc) || canImport(Android)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        pthread_create(
            &thread, nil,
            { context in
                // Systems differ in the nullability of parameter and result.
                let object: UnsafeMutableRawPointer? = context
                guard let object else { return context }
                let handler = Unmanaged<Handler>.fromOpaque(object).takeRetainedValue()
                var latest: ContinuousClock.Instant?
                while true {
                    var set = SignalWatcher.signalSet(handler.other)
                    var number: Int32 = 0
                    guard sigwait(&set, &number) == 0 else { continue }
                    if number != handler.other {
                        let now = ContinuousClock.now
                        if let latest, now - latest < SignalWatcher.repetitionTime { continue }
                        latest = now
                    }
                    handler.body(number)
                }
            }, context)
    }

    /// Removes unfinished outputs and ends the program at SIGINT, SIGTERM or SIGHUP.
    ///
    /// Call this like ``start(_:)``.
    ///
    /// - Parameters:
    ///   - output: The output of a join, whose saved state the message names; `nil` for other work.
    ///   - prepare: Called before the message is written.
    static func discardOutputs(continuing output: String? = nil, _ prepare: @escaping @Sendable () -> Void = {}) {
        start { number in
            OutputFile.discardAllPartialFiles()
            prepare()
            let kept = output.flatMap { UnfinishedJoin.exists(output: $0) ? UnfinishedJoin.path(output: $0) : nil }
            let rest = kept.map { "; \($0) keeps the finished work, which the same command resumes" } ?? ""
            StandardError.complain("interrupted; unfinished outputs were removed" + rest)
            die(of: number)
        }
    }

    /// Ends the program with the default action of the signal, so that the parent process sees it.
    static func die(of number: Int32) -> Never {
        KeyReader.restore()
        signal(number, SIG_DFL)
        var set = signalSet(nil)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        exit(128 + number)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let handler = signal(number, SIG_IGN)
        signal(number, handler)
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Returns the signals in ``watched`` and another one as a set.
    private static func signalSet(_ other: Int32?) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in watched + (other.map { [$0] } ?? []) { sigaddset(&set, number) }
        return set
    }
}
