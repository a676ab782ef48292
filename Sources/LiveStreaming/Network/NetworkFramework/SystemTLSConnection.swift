// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Dispatch
internal import Foundation
internal import Network
internal import Security

/// A TLS connection (1.2 or later) with a verified server certificate, based on Apple's Network.framework.
///
/// `NWConnection` reports to a queue and has no timeouts; the calling thread waits for its reports with a time limit. A path that is lost
/// and recovers (`viabilityUpdateHandler`) is not reported: as with a socket, pending sends wait until their timeout.
final class SystemTLSConnection: ServerConnection {
    /// The maximum number of bytes per receive: one record (RFC 8446 5.1).
    private static let recordSize = 16_384

    private let host: String
    private let abort: ConnectionAbort
    private let connection: NWConnection
    private let events = SystemConnectionEvents()
    /// Excludes encryption overhead, which Network.framework does not report.
    private(set) var sentByteCount = 0
    /// The latest number of bytes in the TCP send buffer.
    ///
    /// It cannot be read any more after a failure.
    private var bufferedByteCount = 0
    private var isClosed = false

    /// Opens a connection and verifies the certificate.
    ///
    /// - Parameters:
    ///   - host: The server's name or IP address, which the certificate must match.
    ///   - authorities: The path of a file with additional trusted certificates, if any.
    ///   - timeout: The time for all steps together, because Network.framework does not report individual steps.
    ///   - abort: Ends all waiting.
    init(to host: String, port: Int, authorities: String?, timeout: Duration, abort: ConnectionAbort) throws(StreamingError) {
        self.host = host
        self.abort = abort
        let trust = try ServerTrust(host: host, authorities: authorities)
        guard let port = UInt16(exactly: port).flatMap({ NWEndpoint.Port(rawValue: $0) }) else {
            throw .invalidAddress("\(host):\(port)", reason: "the port must be from 1 to 65535")
        }
        let queue = DispatchQueue(label: "linnet.connection")
        connection = NWConnection(host: NWEndpoint.Host(host), port: port, using: Self.parameters(trust, reporting: events, on: queue))
        connection.stateUpdateHandler = { [events] state in events.update { $0.take(state) } }
        connection.start(queue: queue)
        let state = try events.wait(until: .now + timeout, abort) { state in state.isReady || state.failure != nil ? state : nil }
        // `deinit` closes the connection if this throws.
        guard state?.isReady == true, state?.failure == nil else { throw Self.openingFailure(events.current, host: host, timeout: timeout) }
        requestBytes()
    }

    deinit { close() }

    private static func parameters(_ trust: ServerTrust, reporting events: SystemConnectionEvents, on queue: DispatchQueue) -> NWParameters
    {
        let encryption = NWProtocolTLS.Options()
        let options = encryption.securityProtocolOptions
        sec_protocol_options_set_min_tls_protocol_version(options, .TLSv12)
        // The server could otherwise renegotiate at any time.
        sec_protocol_options_set_tls_renegotiation_enabled(options, false)
        let verify: sec_protocol_verify_t = { _, certificate, complete in
            let problem = trust.problem(of: certificate)
            // The server's other addresses may have another certificate, so a later success clears the reason.
            events.update { $0.untrustedReason = problem }
            complete(problem == nil)
        }
        sec_protocol_options_set_verify_block(options, verify, queue)
        let tcp = NWProtocolTCP.Options()
        // Access units are small and must not be delayed.
        tcp.noDelay = true
        return NWParameters(tls: encryption, tcp: tcp)
    }

    /// Returns the error of a connection that did not become ready.
    private static func openingFailure(_ state: SystemConnectionEvents.State, host: String, timeout: Duration) -> StreamingError {
        if let reason = state.untrustedReason { return .untrustedCertificate(host: host, reason: reason) }
        guard let error = state.failure ?? state.waitingReason else { return .timedOut(.connect, after: timeout) }
        return StreamingError(error, in: .connect, host: host)
    }

    // MARK: Sending and receiving

    /// Sends all bytes and waits until the system has accepted them.
    func send(_ bytes: [UInt8], timeout: Duration) throws(StreamingError) {
        guard !bytes.isEmpty else { return }
        try post(Data(bytes), .defaultMessage, timeout: timeout)
    }

    /// Returns the next received bytes; empty after the timeout.
    func receive(timeout: Duration) throws(StreamingError) -> [UInt8] {
        requestBytes()
        let state = try events.wait(until: .now + timeout, abort) { state in
            defer { state.received = [] }
            return state.received.isEmpty && !state.isEnded && state.failure == nil ? nil : state
        }
        guard let state else { return [] }
        // Returns data that arrived before the end or the failure first.
        if !state.received.isEmpty {
            requestBytes()
            return state.received
        }
        throw state.failure.map { StreamingError($0, in: .receive, host: host) } ?? .closedByPeer
    }

    /// Closes the sending direction and waits until the server has received everything.
    func finish(timeout: Duration) throws(StreamingError) {
        try post(nil, .finalMessage, timeout: timeout)
        try waitForEnd(timeout: timeout)
    }

    /// Passes content to the system and waits until it is accepted.
    private func post(_ content: Data?, _ context: NWConnection.ContentContext, timeout: Duration) throws(StreamingError) {
        let count = content?.count ?? 0
        sentByteCount += count
        events.update { $0.startSending(count) }
        connection.send(
            content: content, contentContext: context, isComplete: true,
            completion: .contentProcessed { [events] error in events.update { $0.endSending(count, error) } })
        let state = try events.wait(until: .now + timeout, abort) { state in state.failure != nil || state.sendCount == 0 ? state : nil }
        guard let state else { throw .timedOut(.send, after: timeout) }
        if let failure = state.failure { throw StreamingError(failure, in: .send, host: host) }
        _ = unconfirmedByteCount
    }

    /// Starts a receive unless one is pending or bytes are unread.
    ///
    /// This limits a server that sends without end.
    private func requestBytes() {
        guard events.current.canReceive else { return }
        events.update { $0.isReceiving = true }
        connection.receive(minimumIncompleteLength: 1, maximumLength: Self.recordSize) { [events] content, _, isComplete, error in
            events.update { $0.take(content, isComplete: isComplete, error) }
        }
    }

    /// The bytes that the system has not accepted, plus those in the TCP send buffer: an upper bound of `SO_NWRITE`, including encryption.
    var unconfirmedByteCount: Int {
        let state = events.current
        if !isClosed, state.failure == nil,
            let metadata = connection.metadata(definition: NWProtocolTCP.definition) as? NWProtocolTCP.Metadata
        {
            bufferedByteCount = Int(metadata.availableSendBuffer)
        }
        return state.unprocessedByteCount + bufferedByteCount
    }

    func close() {
        guard !isClosed else { return }
        _ = unconfirmedByteCount
        isClosed = true
        // Later reports refer to `events` only.
        connection.cancel()
    }
}
#endif
