// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)

internal import SystemLibrary
internal import SystemFiles

/// A second descriptor of the socket of a libshout connection, which libshout itself does not tell: for the state of the system's buffer.
final class ShoutSocket {
    private let file: OpenFile

    /// Creates an object for a descriptor, of which a duplicate is made.
    ///
    /// - Returns: Nil if the system has no descriptor left.
    init?(duplicating descriptor: Int32) {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        file = OpenFile(owning: duplicate)
        TCPSocket.setOptions(duplicate)
    }

    /// The number of bytes in the system's buffer whose arrival the other system has not confirmed.
    var unconfirmedByteCount: Int { TCPSocket.unconfirmedByteCount(file.descriptor) }

    /// Whether the other side has closed the connection, or it has failed.
    var isClosedByPeer: Bool {
        // POLLRDHUP of poll(2), which the system's headers show to programs with GNU extensions only.
        var entry = pollfd(fd: file.descriptor, events: 0x2000, revents: 0)
        return poll(&entry, 1, 0) > 0 && entry.revents != 0
    }

    /// Waits until the system's buffer has room, for a time in milliseconds.
    func waitForRoom(_ milliseconds: Int) {
        var entry = pollfd(fd: file.descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, Int32(milliseconds))
    }

    /// Tells the other side that nothing more is sent, and waits until it has closed the connection too.
    func finish(timeout: Duration, abort: ConnectionAbort) throws(NetworkError) {
        shutdown(file.descriptor, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + timeout
        while !isClosedByPeer {
            if abort.isRequested { throw .aborted }
            guard ContinuousClock.now < deadline else { throw .timedOut(.send, after: timeout) }
            var entry = pollfd(fd: file.descriptor, events: 0x2000, revents: 0)
            poll(&entry, 1, Int32(ConnectionAbort.reactionTime))
        }
    }

    /// Closes the descriptor.
    func close() { try? file.close() }
}

#endif
