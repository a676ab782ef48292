// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles
internal import SystemLibrary

/// A TCP connection whose operations have timeouts.
///
/// Must be used by one thread at a time.
package final class TCPConnection: ServerConnection {
    /// The maximum number of bytes per receive.
    private static let receiveSize = 16_384

    private let socket: OpenFile
    private let abort: ConnectionAbort
    package private(set) var sentByteCount = 0
    private var finalUnconfirmedByteCount: Int?

    /// Connects to the first address of a host that accepts.
    ///
    /// - Parameters:
    ///   - host: A name or an IP address.
    ///   - timeout: The time for all addresses together, excluding name resolution.
    ///   - abort: Ends all waiting.
    package init(to host: String, port: Int, timeout: Duration, abort: ConnectionAbort) throws(StreamingError) {
        self.abort = abort
        let addresses = try SocketAddress.resolve(host, port: port, for: .stream)
        let deadline = ContinuousClock.now + timeout
        var failure = StreamingError.timedOut(.connect, after: timeout)
        for (index, address) in addresses.enumerated() where ContinuousClock.now < deadline {
            // Leaves time for the other addresses, for example for IPv4 if IPv6 is not routed.
            let end = ContinuousClock.now + ContinuousClock.now.duration(to: deadline) / (addresses.count - index)
            do throws(StreamingError) {
                socket = try Self.connect(address, until: end, timeout: timeout, abort: abort)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Opens a plain or encrypted connection.
    ///
    /// - Parameters:
    ///   - host: A name or an IP address.
    ///   - authorities: The path of a file with additional trusted certificates, if any.
    ///   - timeout: The time limit per step.
    ///   - abort: Ends all waiting.
    package static func open(
        _ host: String, port: Int, isEncrypted: Bool, authorities: String?, timeout: Duration, abort: ConnectionAbort
    ) throws(StreamingError) -> any ServerConnection {
        guard isEncrypted else { return try TCPConnection(to: host, port: port, timeout: timeout, abort: abort) }
        #if canImport(CStreamingLibraries)
        let connection = try TCPConnection(to: host, port: port, timeout: timeout, abort: abort)
        return try TLSConnection(over: connection, host: host, authorities: authorities, timeout: timeout)
        #elseif canImport(Network)
        return try SystemTLSConnection(to: host, port: port, authorities: authorities, timeout: timeout, abort: abort)
        #else
        throw .encryptionFailed(reason: "encryption requires Linux or an Apple system; use a local relay that encrypts")
        #endif
    }

    private static func connect(
        _ address: SocketAddress, until deadline: ContinuousClock.Instant, timeout: Duration, abort: ConnectionAbort
    ) throws(StreamingError) -> OpenFile {
        let socket = try SocketAddress.Kind.stream.makeSocket(family: address.family)
        let descriptor = socket.descriptor
        #if canImport(Darwin)
        TCPSocket.set(SO_NOSIGPIPE, of: SOL_SOCKET, to: 1, descriptor)
        #endif
        TCPSocket.setOptions(descriptor)
        if address.withPointer({ systemConnect(descriptor, $0, socklen_t($1)) }) == 0 { return socket }
        guard errno == EINPROGRESS else { throw .connectionFailed(.connect, code: errno) }
        guard try wait(descriptor, POLLOUT, until: deadline, abort: abort) else {
            throw .timedOut(.connect, after: timeout)
        }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        guard code == 0 else { throw .connectionFailed(.connect, code: code) }
        return socket
    }

    /// Waits until a socket is ready.
    ///
    /// Returns false at the deadline.
    private static func wait(
        _ descriptor: Int32, _ events: Int32, until deadline: ContinuousClock.Instant, abort: ConnectionAbort
    ) throws(StreamingError) -> Bool {
        while true {
            if abort.isRequested { throw .aborted }
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            guard left > 0 else { return false }
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let count = poll(&entry, 1, Int32(min(left.rounded(.up), Double(ConnectionAbort.reactionTime))))
            if count > 0 || (count < 0 && errno != EINTR) { return true }
        }
    }

    // MARK: Sending and receiving

    package func send(_ bytes: [UInt8], timeout: Duration) throws(StreamingError) {
        let deadline = ContinuousClock.now + timeout
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                bytes.baseAddress.map { systemSend(socket.descriptor, $0, bytes.count) } ?? 0
            }
            if count > 0 {
                sentByteCount += count
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                guard try Self.wait(socket.descriptor, POLLOUT, until: deadline, abort: abort) else {
                    throw .timedOut(.send, after: timeout)
                }
            case EPIPE, ECONNRESET: throw .closedByPeer
            case let code: throw .connectionFailed(.send, code: code)
            }
        }
    }

    /// Returns the next received bytes; empty after the timeout.
    package func receive(timeout: Duration) throws(StreamingError) -> [UInt8] {
        // Checked first, so that a server that sends without end cannot delay the end.
        if abort.isRequested { throw .aborted }
        let deadline = ContinuousClock.now + timeout
        var bytes = [UInt8](repeating: 0, count: Self.receiveSize)
        while true {
            let count = bytes.withUnsafeMutableBytes { recv(socket.descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return Array(bytes[..<count]) }
            if count == 0 { throw .closedByPeer }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                guard timeout > .zero, try Self.wait(socket.descriptor, POLLIN, until: deadline, abort: abort) else { return [] }
            case ECONNRESET: throw .closedByPeer
            case let code: throw .connectionFailed(.receive, code: code)
            }
        }
    }

    package var unconfirmedByteCount: Int {
        // After closing, the descriptor number may belong to another file.
        finalUnconfirmedByteCount ?? TCPSocket.unconfirmedByteCount(socket.descriptor)
    }

    /// Closes the sending direction and waits until the server has received everything.
    package func finish(timeout: Duration) throws(StreamingError) {
        shutdown(socket.descriptor, Int32(SHUT_WR))
        try waitForEnd(timeout: timeout)
    }

    package func close() {
        finalUnconfirmedByteCount = unconfirmedByteCount
        try? socket.close()
    }
}

/// Calls the system's `connect`.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

/// Calls the system's `send`, without `SIGPIPE` for a closed connection.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
    send(descriptor, bytes, count, 0)
    #else
    send(descriptor, bytes, count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    #endif
}
