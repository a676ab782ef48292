// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Dispatch
internal import Foundation
internal import Network
internal import Security

/// An encrypted connection (TLS 1.2 or later) to a server with a certificate that proves its name, by Apple's Network.framework.
///
/// `NWConnection` reports to a queue, and waits without limit; the calling thread waits for these reports, with time limits. A path that is
/// lost and comes back (`viabilityUpdateHandler`) is not reported: as with a socket, what is sent meanwhile waits up to its limit.
final class SystemTLSConnection: ServerConnection {
    /// The most bytes received at a time: those of a record (RFC 8446 5.1).
    private static let recordSize = 16_384

    private let host: String
    private let abort: ConnectionAbort
    private let connection: NWConnection
    private let events = SystemConnectionEvents()
    /// Without the bytes of the encryption, which Network.framework does not count.
    private(set) var sentByteCount = 0
    /// The latest number of bytes in the buffer of TCP; what it was before a failure is not known afterwards.
    private var bufferedByteCount = 0
    private var isClosed = false

    /// Opens a connection, and checks the certificate.
    ///
    /// - Parameters:
    ///   - host: The name or address of the server, which the certificate has to be for.
    ///   - port: The port.
    ///   - authorities: The path of a file with certificates to trust beside the system's; nil for none.
    ///   - timeout: The time for all steps together; Network.framework does not tell which one it has come to.
    ///   - abort: Ends all waiting.
    init(to host: String, port: Int, authorities: String?, timeout: Duration, abort: ConnectionAbort) throws(StreamingError) {
        self.host = host
        self.abort = abort
        let trust = try ServerTrust(host: host, authorities: authorities)
        guard let port = UInt16(exactly: port).flatMap({ NWEndpoint.Port(rawValue: $0) }) else {
            throw .invalidAddress("\(host):\(port)", reason: "ports are numbers from 1 to 65535")
        }
        let queue = DispatchQueue(label: "linnet.connection")
        connection = NWConnection(host: NWEndpoint.Host(host), port: port, using: Self.parameters(trust, reporting: events, on: queue))
        connection.stateUpdateHandler = { [events] state in events.update { $0.take(state) } }
        connection.start(queue: queue)
        let state = try events.wait(until: .now + timeout, abort) { state in state.isReady || state.failure != nil ? state : nil }
        // `deinit` closes the connection then.
        guard state?.isReady == true, state?.failure == nil else { throw Self.openingFailure(events.current, host: host, timeout: timeout) }
        requestBytes()
    }

    deinit { close() }

    /// Returns the settings of a connection.
    private static func parameters(_ trust: ServerTrust, reporting events: SystemConnectionEvents, on queue: DispatchQueue) -> NWParameters
    {
        let encryption = NWProtocolTLS.Options()
        let options = encryption.securityProtocolOptions
        sec_protocol_options_set_min_tls_protocol_version(options, .TLSv12)
        // The server could otherwise start a handshake in the middle.
        sec_protocol_options_set_tls_renegotiation_enabled(options, false)
        let verify: sec_protocol_verify_t = { _, certificate, complete in
            let problem = trust.problem(of: certificate)
            // Other addresses of the server may have another certificate.
            events.update { $0.untrustedReason = problem }
            complete(problem == nil)
        }
        sec_protocol_options_set_verify_block(options, verify, queue)
        let tcp = NWProtocolTCP.Options()
        // Access units are small and must not wait for each other.
        tcp.noDelay = true
        return NWParameters(tls: encryption, tcp: tcp)
    }

    /// Returns the error of a connection that is not ready.
    private static func openingFailure(_ state: SystemConnectionEvents.State, host: String, timeout: Duration) -> StreamingError {
        if let reason = state.untrustedReason { return .untrustedCertificate(host: host, reason: reason) }
        guard let error = state.failure ?? state.waitingReason else { return .timedOut(.connect, after: timeout) }
        return StreamingError(error, in: .connect, host: host)
    }

    // MARK: Sending and receiving

    /// Sends all bytes, and waits until the system has taken them.
    func send(_ bytes: [UInt8], timeout: Duration) throws(StreamingError) {
        guard !bytes.isEmpty else { return }
        try post(Data(bytes), .defaultMessage, timeout: timeout)
    }

    /// Returns the next bytes that arrive; empty if none do within the time.
    func receive(timeout: Duration) throws(StreamingError) -> [UInt8] {
        requestBytes()
        let state = try events.wait(until: .now + timeout, abort) { state in
            defer { state.received = [] }
            return state.received.isEmpty && !state.isEnded && state.failure == nil ? nil : state
        }
        guard let state else { return [] }
        // What has arrived before the end comes before it.
        if !state.received.isEmpty {
            requestBytes()
            return state.received
        }
        throw state.failure.map { StreamingError($0, in: .receive, host: host) } ?? .closedByPeer
    }

    /// Tells the other side that nothing more is sent, and waits until it has received everything.
    func finish(timeout: Duration) throws(StreamingError) {
        try post(nil, .finalMessage, timeout: timeout)
        try waitForEnd(timeout: timeout)
    }

    /// Passes content to the system, and waits until it is taken.
    private func post(_ content: Data?, _ context: NWConnection.ContentContext, timeout: Duration) throws(StreamingError) {
        let count = content?.count ?? 0
        sentByteCount += count
        events.update { $0.beginSending(count) }
        connection.send(
            content: content, contentContext: context, isComplete: true,
            completion: .contentProcessed { [events] error in events.update { $0.endSending(count, error) } })
        let state = try events.wait(until: .now + timeout, abort) { state in state.failure != nil || state.sendCount == 0 ? state : nil }
        guard let state else { throw .timedOut(.send, after: timeout) }
        if let failure = state.failure { throw StreamingError(failure, in: .send, host: host) }
        _ = unconfirmedByteCount
    }

    /// Asks for the next bytes, one time only until they have been taken: a server that sends without end waits.
    private func requestBytes() {
        guard events.current.canReceive else { return }
        events.update { $0.isReceiving = true }
        connection.receive(minimumIncompleteLength: 1, maximumLength: Self.recordSize) { [events] content, _, isComplete, error in
            events.update { $0.take(content, isComplete: isComplete, error) }
        }
    }

    /// The bytes that the system has not taken, and those in the buffer of TCP: at least the former `SO_NWRITE`, with the encryption.
    var unconfirmedByteCount: Int {
        let state = events.current
        if !isClosed, state.failure == nil,
            let metadata = connection.metadata(definition: NWProtocolTCP.definition) as? NWProtocolTCP.Metadata
        {
            bufferedByteCount = Int(metadata.availableSendBuffer)
        }
        return state.unprocessedByteCount + bufferedByteCount
    }

    /// Closes the connection.
    func close() {
        guard !isClosed else { return }
        _ = unconfirmedByteCount
        isClosed = true
        // What it reports from now on refers to `events` only.
        connection.cancel()
    }
}
#endif
