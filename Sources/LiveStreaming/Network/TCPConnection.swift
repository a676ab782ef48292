// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import SystemFiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A TCP connection whose operations have time limits; used by one thread at a time.
final class TCPConnection {
    /// The most bytes received at a time.
    private static let receiveSize = 16_384
    /// The size of the system's buffer for sending, in bytes (the system doubles it): about two seconds at 256 kb/s. A large one would hide
    /// from the queue that the network is slow.
    private static let sendBufferSize: Int32 = 32_768

    private let socket: OpenFile
    private let abort: ConnectionAbort
    /// The number of bytes passed to the system so far.
    private(set) var sentByteCount = 0
    private var finalUnconfirmedByteCount: Int?

    /// Connects to the first address of a host that answers.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - port: The port.
    ///   - timeout: The time for all addresses together; the resolver has its own.
    ///   - abort: Ends all waiting.
    init(to host: String, port: Int, timeout: Duration, abort: ConnectionAbort) throws(NetworkError) {
        self.abort = abort
        var hints = addrinfo()
        hints.ai_socktype = Self.streamType
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            // A resolver without a network may have an answer later.
            if status == EAI_AGAIN { throw .failed(.connect, code: ENETUNREACH) }
            throw .hostNotFound(host: host, reason: String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(list) }
        let deadline = ContinuousClock.now + timeout
        var failure = NetworkError.timedOut(.connect, after: timeout)
        var next = list
        while let address = next?.pointee, ContinuousClock.now < deadline {
            next = address.ai_next
            do throws(NetworkError) {
                socket = try Self.connect(address, until: deadline, timeout: timeout, abort: abort)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Connects to one address.
    private static func connect(
        _ address: addrinfo, until deadline: ContinuousClock.Instant, timeout: Duration, abort: ConnectionAbort
    ) throws(NetworkError) -> OpenFile {
        let socket = OpenFile(owning: try makeSocket(address))
        let descriptor = socket.descriptor
        if systemConnect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return socket }
        guard errno == EINPROGRESS else { throw .failed(.connect, code: errno) }
        guard try wait(descriptor, POLLOUT, until: deadline, abort: abort) else { throw .timedOut(.connect, after: timeout) }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        guard code == 0 else { throw .failed(.connect, code: code) }
        return socket
    }

    /// Returns the descriptor of a new socket that never blocks.
    private static func makeSocket(_ address: addrinfo) throws(NetworkError) -> Int32 {
        #if canImport(Glibc)
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(address.ai_family, address.ai_socktype | flags, 0)
        guard descriptor >= 0 else { throw .failed(.connect, code: errno) }
        #else
        let descriptor = Darwin.socket(address.ai_family, address.ai_socktype, 0)
        guard descriptor >= 0 else { throw .failed(.connect, code: errno) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        set(SO_NOSIGPIPE, of: SOL_SOCKET, to: 1, descriptor)
        #endif
        // Access units are small and must not wait for each other.
        set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1, descriptor)
        set(SO_SNDBUF, of: SOL_SOCKET, to: sendBufferSize, descriptor)
        return descriptor
    }

    /// Sets an option of a socket; one that the system lacks stays as it is.
    private static func set(_ option: Int32, of level: Int32, to value: Int32, _ descriptor: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits until a socket is ready; returns false at the deadline.
    private static func wait(
        _ descriptor: Int32, _ events: Int32, until deadline: ContinuousClock.Instant, abort: ConnectionAbort
    ) throws(NetworkError) -> Bool {
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
    func send(_ bytes: [UInt8], timeout: Duration) throws(NetworkError) {
        let deadline = ContinuousClock.now + timeout
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemSend(socket.descriptor, $0.baseAddress, $0.count) }
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
            case let code: throw .failed(.send, code: code)
            }
        }
    }

    /// Returns the next bytes that arrive; empty if none do within the time.
    func receive(timeout: Duration) throws(NetworkError) -> [UInt8] {
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
            case let code: throw .failed(.receive, code: code)
            }
        }
    }

    /// The number of bytes sent whose arrival the other system has not confirmed; also valid after a failure and after ``close()``.
    var unconfirmedByteCount: Int {
        // The descriptor of a closed connection may be that of another file now.
        if let finalUnconfirmedByteCount { return finalUnconfirmedByteCount }
        var count: Int32 = 0
        #if canImport(Glibc)
        // SIOCOUTQ (tcp(7)), which is TIOCOUTQ.
        guard ioctl(socket.descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        #else
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket.descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 else { return 0 }
        #endif
        return Int(count)
    }

    /// Tells the other side that nothing more is sent, and waits until it has received everything and closed.
    func finish(timeout: Duration) throws(NetworkError) {
        shutdown(socket.descriptor, Self.writingEnd)
        let deadline = ContinuousClock.now + timeout
        while ContinuousClock.now < deadline {
            do throws(NetworkError) {
                guard try !receive(timeout: timeout).isEmpty else { throw .timedOut(.send, after: timeout) }
            } catch NetworkError.closedByPeer {
                return
            }
        }
    }

    /// Closes the connection.
    func close() {
        finalUnconfirmedByteCount = unconfirmedByteCount
        try? socket.close()
    }
}

// The functions and constants that are spelled differently on the systems.
extension TCPConnection {
    #if canImport(Glibc)
    fileprivate static var streamType: Int32 { Int32(SOCK_STREAM.rawValue) }
    fileprivate static var writingEnd: Int32 { Int32(SHUT_WR) }
    #else
    fileprivate static var streamType: Int32 { SOCK_STREAM }
    fileprivate static var writingEnd: Int32 { SHUT_WR }
    #endif
}

/// Calls `connect` of the system.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

/// Calls `send` of the system; a closed connection is an error, not a signal.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
    send(descriptor, bytes, count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    #else
    send(descriptor, bytes, count, 0)
    #endif
}
