// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Dispatch
import Foundation
import Glibc
import Security
import Synchronization

/// The system's side of a connection: a thread with a socket that serves requests and posts to the connection's queue.
final class Transport: @unchecked Sendable {
    struct Send {
        var content: Data
        var isFinal: Bool
        var completion: @Sendable (NWError?) -> Void
    }
    struct Receive {
        var length: Int
        var completion: NWConnection.ReceiveCompletion
    }
    /// Requests from other threads.
    struct Requests {
        var sends: [Send] = []
        var receives: [Receive] = []
        var isStarted = false
        var isCancelled = false
        var isFinal = false
        /// Set by the thread; −1 before and after.
        var descriptor: Int32 = -1
    }

    let host: String
    let port: UInt16
    let parameters: NWParameters
    private let requests = Mutex(Requests())
    private(set) var queue = DispatchQueue(label: "none")
    private var stateHandler: (@Sendable (NWConnection.State) -> Void)?
    private var wake: (read: Int32, write: Int32) = (-1, -1)

    init(host: String, port: UInt16, _ parameters: NWParameters) { (self.host, self.port, self.parameters) = (host, port, parameters) }

    deinit {
        close(wake.read)
        close(wake.write)
    }

    // MARK: Requests

    func start(_ queue: DispatchQueue, _ handler: (@Sendable (NWConnection.State) -> Void)?) {
        self.queue = queue
        stateHandler = handler
        if handler == nil { breakRule("a connection starts without a state handler") }
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        wake = (ends[0], ends[1])
        let wasStarted = requests.withLock { requests in
            defer { requests.isStarted = true }
            return requests.isStarted
        }
        guard !wasStarted else { return breakRule("a connection is started twice") }
        liveConnectionCount.withLock { $0 += 1 }
        // The transport lives until it is cancelled, even without references [P].
        Thread { [self] in run() }.start()
    }

    func send(_ content: Data, isFinal: Bool, _ completion: @escaping @Sendable (NWError?) -> Void) {
        ask { requests in
            if requests.isFinal { breakRule("something is sent after the end") }
            requests.isFinal = requests.isFinal || isFinal
            requests.sends.append(Send(content: content, isFinal: isFinal, completion: completion))
        }
    }
    func receive(_ length: Int, _ completion: @escaping NWConnection.ReceiveCompletion) {
        ask { requests in
            // Permitted by the API, but then nothing would limit a server that sends without end.
            if !requests.receives.isEmpty { breakRule("a receive is requested while another is pending") }
            requests.receives.append(Receive(length: length, completion: completion))
        }
    }
    func cancel() { ask { $0.isCancelled = true } }
    func releaseConnection() {
        if requests.withLock({ $0.isStarted && !$0.isCancelled }) { breakRule("a connection is released before it is cancelled") }
    }

    private func ask(_ request: (inout Requests) -> Void) {
        requests.withLock { request(&$0) }
        _ = write(wake.write, "!", 1)
    }

    var isCancelled: Bool { requests.withLock { $0.isCancelled } }

    var bufferedByteCount: Int? {
        requests.withLock { requests in
            guard requests.descriptor >= 0 else { return nil }
            var count: Int32 = 0
            _ = ioctl(requests.descriptor, UInt(TIOCOUTQ), &count)
            return Int(count)
        }
    }

    // MARK: Thread

    private func run() {
        post(.preparing)
        let failure = serve()
        requests.withLock { $0.descriptor = -1 }
        if let failure, !isCancelled { post(.failed(failure)) }
        // All pending and future requests end with an error [A].
        while true {
            let (sends, receives, isCancelled) = requests.withLock { requests in
                defer { (requests.sends, requests.receives) = ([], []) }
                return (requests.sends, requests.receives, requests.isCancelled)
            }
            let error = isCancelled ? NWError.posix(.ECANCELED) : failure ?? .posix(.ENOTCONN)
            for send in sends { queue.async { send.completion(error) } }
            for receive in receives { queue.async { receive.completion(nil, nil, true, error) } }
            if isCancelled { break }
            pause()
        }
        post(.cancelled)
        liveConnectionCount.withLock { $0 -= 1 }
    }

    func post(_ state: NWConnection.State) {
        guard let stateHandler else { return }
        queue.async { stateHandler(state) }
    }

    /// Waits for a request or until a socket is ready.
    func pause(_ descriptor: Int32 = -1, _ events: Int32 = 0, milliseconds: Int32 = -1) {
        var entries = [pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(events), revents: 0)]
        poll(&entries, 2, milliseconds)
        var byte: UInt8 = 0
        while read(wake.read, &byte, 1) == 1 {}
    }

    /// Waits like a connection that cannot be established [A]; returns when it is cancelled or the network is back.
    private func wait(_ error: NWError) {
        post(.waiting(error))
        while !isCancelled {
            pause(milliseconds: 20)
            if error == .posix(.ENETDOWN), !Behaviour.current.withLock({ $0.isNetworkDown }) { return }
        }
    }

    /// Establishes the connection and serves requests; returns the error that ends it, or nil after cancellation.
    private func serve() -> NWError? {
        if Behaviour.current.withLock({ $0.isNetworkDown }) {
            wait(.posix(.ENETDOWN))
            post(.preparing)
        }
        var descriptor: Int32
        switch connectSocket() {
        case .success(let connected): descriptor = connected
        case .failure(let error):
            if !isCancelled { wait(error) }
            return nil
        }
        defer { close(descriptor) }
        let session = TLSSession(descriptor, host: host, parameters)
        guard session.shakeHands(self) else {
            guard !isCancelled else { return nil }
            guard let error = session.failure else { return nil }
            if Behaviour.current.withLock({ $0.waitsAfterFailedHandshake }) {
                wait(error)
                return nil
            }
            return error
        }
        requests.withLock { $0.descriptor = descriptor }
        post(.ready)
        while !isCancelled {
            let wanted = pass(session)
            if let failure = session.failure { return failure }
            pause(descriptor, wanted)
            // Detects a reset without a request.
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
            if code != 0 { return .posix(POSIXErrorCode(rawValue: code) ?? .EIO) }
        }
        session.close()
        return nil
    }

    /// Sends and receives as much as possible; returns the poll events to wait for.
    private func pass(_ session: TLSSession) -> Int32 {
        var events: Int32 = 0
        while let send = requests.withLock({ $0.sends.first }) {
            let count = session.write(send.content)
            guard count == send.content.count, session.failure == nil else {
                requests.withLock { $0.sends[0].content = Data(send.content.dropFirst(count)) }
                events |= POLLOUT
                break
            }
            if send.isFinal { session.end() }
            _ = requests.withLock { $0.sends.removeFirst() }
            queue.async { send.completion(nil) }
        }
        while session.failure == nil, let receive = requests.withLock({ $0.receives.first }) {
            guard let (content, isComplete, error) = session.read(receive.length) else {
                events |= POLLIN
                break
            }
            _ = requests.withLock { $0.receives.removeFirst() }
            queue.async { receive.completion(content, .finalMessage, isComplete, error) }
        }
        return events
    }

    /// Connects to the first address that answers.
    private func connectSocket() -> Result<Int32, NWError> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return .failure(.dns(-65_554)) }
        defer { freeaddrinfo(list) }
        var code = POSIXErrorCode.ENETUNREACH
        var next = list
        while let info = next?.pointee {
            next = info.ai_next
            let descriptor = socket(info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            if connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 {
                // Small, so that a slow reader is detected after a few kilobytes.
                var size: Int32 = 16_384
                setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, 4)
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
                return .success(descriptor)
            }
            code = POSIXErrorCode(rawValue: errno) ?? .EIO
            close(descriptor)
        }
        return .failure(.posix(code))
    }
}
