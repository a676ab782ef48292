// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)

internal import SystemLibrary

/// The signal of writing to a closed connection, which would end the program.
enum BrokenPipeSignal {
    /// Calls a function of a library that may write to a socket without `MSG_NOSIGNAL`, as OpenSSL does; the signal is discarded if it comes.
    static func withoutSignal<Result>(_ body: () -> Result) -> Result {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        var pending = sigset_t()
        sigemptyset(&pending)
        sigpending(&pending)
        // One that was pending before belongs to another part of the program.
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        var previous = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &previous)
        let result = body()
        let code = errno
        if !wasPending {
            var noTime = timespec()
            while sigtimedwait(&signals, nil, &noTime) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &previous, nil)
        errno = code
        return result
    }
}

#endif
