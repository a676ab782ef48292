// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles
internal import SystemLibrary

/// A TCP connection whose operations have time limits; used by one thread at a time.
package final class TCPConnection: ServerConnection {
    /// The most bytes received at a time.
    private static let receiveSize = 16_384

    private let socket: OpenFile
    private let abort: ConnectionAbort
    package private(set) var sentByteCount = 0
    private var finalUnconfirmedByteCount: Int?

    /// Connects to the first address of a host that answers.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - port: The port.
    ///   - timeout: The time for all addresses together; the resolver has its own.
    ///   - abort: Ends all waiting.
    package init(to host: String, port: Int, timeout: Duration, abort: ConnectionAbort) throws(StreamingError) {
        self.abort = abort
        let addresses = try SocketAddress.resolve(host, port: port, for: .stream)
        let deadline = ContinuousClock.now + timeout
        var failure = StreamingError.timedOut(.connect, after: timeout)
        for (index, address) in addresses.enumerated() where ContinuousClock.now < deadline {
            // An address that never answers leaves time for the others, as for IPv4 where IPv6 leads nowhere.
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

    /// Opens a connection to a server, encrypted if that is wanted.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - port: The port.
    ///   - isEncrypted: Whether to encrypt.
    ///   - authorities: The path of a file with certificates to trust beside the system's; nil for none.
    ///   - timeout: The time for each step.
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
        throw .encryptionFailed(reason: "encryption needs Linux or a system of Apple: stream over a local relay that encrypts")
        #endif
    }

    /// Connects to one address.
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

    /// Waits until a socket is ready; returns false at the deadline.
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

    /// Sends all bytes.
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

    /// Returns the next bytes that arrive; empty if none do within the time.
    package func receive(timeout: Duration) throws(StreamingError) -> [UInt8] {
        // A server that sends without end does not delay the end.
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
        // The descriptor of a closed connection may be that of another file now.
        finalUnconfirmedByteCount ?? TCPSocket.unconfirmedByteCount(socket.descriptor)
    }

    /// Tells the other side that nothing more is sent, and waits until it has received everything.
    package func finish(timeout: Duration) throws(StreamingError) {
        shutdown(socket.descriptor, Int32(SHUT_WR))
        try waitForEnd(timeout: timeout)
    }

    /// Closes the connection.
    package func close() {
        finalUnconfirmedByteCount = unconfirmedByteCount
        try? socket.close()
    }
}

/// Calls `connect` of the system.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

/// Calls `send` of the system; a closed connection is an error, not a signal.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
    send(descriptor, bytes, count, 0)
    #else
    send(descriptor, bytes, count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    #endif
}
