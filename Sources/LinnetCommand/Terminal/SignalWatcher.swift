// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Takes Ctrl-C and the like on a thread of its own, where ordinary code may run, however the other threads are blocked.
enum SignalWatcher {
    private static let watched = [SIGINT, SIGTERM, SIGHUP]

    private final class Handler: Sendable {
        let body: @Sendable (Int32) -> Void
        init(_ body: @escaping @Sendable (Int32) -> Void) { self.body = body }
    }

    /// Ignores SIGPIPE, so that a write to a pipe without reader is an error, not a death.
    ///
    /// Called first of all.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Hands each SIGINT, SIGTERM and SIGHUP to `body`.
    ///
    /// Called before any other thread is started, and once.
    static func start(_ body: @escaping @Sendable (Int32) -> Void) {
        var set = signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let context = Unmanaged.passRetained(Handler(body)).toOpaque()
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        pthread_create(
            &thread, nil,
            { context in
                #if canImport(Glibc)
                guard let context else { return nil }
                #endif
                let handler = Unmanaged<Handler>.fromOpaque(context).takeRetainedValue()
                while true {
                    var set = SignalWatcher.signalSet
                    var number: Int32 = 0
                    if sigwait(&set, &number) == 0 { handler.body(number) }
                }
            }, context)
    }

    /// Ends the program as the signal would have without a handler, so that the caller sees what happened.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        var set = signalSet
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        exit(128 + number)
    }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in watched { sigaddset(&set, number) }
        return set
    }
}
