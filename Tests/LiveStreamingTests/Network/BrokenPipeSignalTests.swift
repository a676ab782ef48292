// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)

internal import SystemLibrary
import Testing

@testable import LiveStreaming

@Suite struct BrokenPipeSignalTests {
    @Test("Writing to a closed connection is an error, and leaves neither a signal nor another mask")
    func closed() {
        var descriptors: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0)
        defer { close(descriptors[0]) }
        close(descriptors[1])
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        let (count, code) = BrokenPipeSignal.withoutSignal { (write(descriptors[0], "a", 1), errno) }
        #expect(count == -1 && code == EPIPE)
        var (after, pending) = (sigset_t(), sigset_t())
        pthread_sigmask(SIG_BLOCK, nil, &after)
        sigpending(&pending)
        #expect(sigismember(&after, SIGPIPE) == sigismember(&before, SIGPIPE) && sigismember(&pending, SIGPIPE) == 0)
    }
}

#endif
