// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

internal import CStreamingLibraries
internal import SystemLibrary

/// A non-blocking libsrt socket in live mode.
///
/// Must be used by one thread.
final class SRTSocket {
    /// The polling interval while waiting, in microseconds: less than a packet of 20 ms.
    private static let pollInterval: UInt32 = 10_000

    private let functions: LinnetSRTFunctions
    private let identifier: Int32
    private var isClosed = false

    private static func loadFunctions() throws(StreamingError) -> LinnetSRTFunctions {
        guard let functions = linnet_srt_functions() else { throw .libraryMissing(library: "libsrt", package: "libsrt1.5-gnutls") }
        return functions.pointee
    }

    /// Creates a socket with the options of an address.
    ///
    /// - Parameters:
    ///   - sendBufferPacketCount: The maximum number of unacknowledged packets.
    ///   - timeout: The time limit for connecting, and for silence of the peer.
    init(_ address: SRTAddress, sendBufferPacketCount: Int, timeout: Duration) throws(StreamingError) {
        functions = try Self.loadFunctions()
        identifier = functions.srt_create_socket()
        guard identifier >= 0 else { throw Self.setupFailure(functions) }
        let milliseconds = Int(max(1, timeout / .milliseconds(1)))
        try set(LINNET_SRT_SENDING_BLOCKS, to: 0)
        try set(LINNET_SRT_RECEIVING_BLOCKS, to: 0)
        try set(LINNET_SRT_CONNECT_TIMEOUT, to: milliseconds)
        try set(LINNET_SRT_PEER_IDLE_TIMEOUT, to: milliseconds)
        // libsrt counts packets as an MTU of 1500 bytes minus the IPv4 and UDP headers.
        try set(LINNET_SRT_SEND_BUFFER, to: sendBufferPacketCount * (1500 - 28))
        // libsrt would silently drop packets older than the latency. The queue before it also drops the oldest access units, but counts
        // them.
        try set(LINNET_SRT_SEND_DROP_DELAY, to: -1)
        if let latency = address.latency { try set(LINNET_SRT_LATENCY, to: latency) }
        if let length = address.keyLength { try set(LINNET_SRT_KEY_LENGTH, to: length) }
        if let passphrase = address.passphrase { try set(LINNET_SRT_PASSPHRASE, to: passphrase) }
        if let streamID = address.streamID, address.mode == .caller { try set(LINNET_SRT_STREAM_ID, to: streamID) }
    }

    /// Takes ownership of a libsrt socket.
    private init(_ functions: LinnetSRTFunctions, identifier: Int32) {
        self.functions = functions
        self.identifier = identifier
    }

    deinit { close() }

    /// Closes the socket and discards unsent data.
    ///
    /// Further calls do nothing.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        _ = functions.srt_close(identifier)
    }

    // MARK: Connecting

    /// Connects to an address.
    ///
    /// - Returns: False at the deadline.
    /// - Throws: ``StreamingError/rejected(step:code:description:)`` with libsrt's text, or another ``StreamingError``.
    func connect(to address: SocketAddress, until deadline: ContinuousClock.Instant, abort: ConnectionAbort) throws(StreamingError) -> Bool
    {
        guard address.withPointer({ functions.srt_connect(identifier, $0, Int32($1)) }) >= 0 else { throw Self.setupFailure(functions) }
        while ContinuousClock.now < deadline {
            if abort.isRequested { throw .aborted }
            let state = functions.srt_getsockstate(identifier)
            if state == LINNET_SRT_CONNECTED { return true }
            guard state <= LINNET_SRT_CONNECTING else { break }
            usleep(Self.pollInterval)
        }
        let reason = functions.srt_getrejectreason(identifier)
        if ContinuousClock.now >= deadline || reason == LINNET_SRT_REJECTION_TIMEOUT { return false }
        // The receiver is closing, or accepts no further connections.
        if reason == LINNET_SRT_REJECTION_UNKNOWN || reason == LINNET_SRT_REJECTION_CLOSE { throw .closedByPeer }
        throw .rejected(
            step: "the connection", code: String(reason), description: Self.words(functions.srt_rejectreason_str(reason)))
    }

    func listen(at address: SocketAddress) throws(StreamingError) {
        // An IPv6 wildcard socket also accepts IPv4 connections.
        try set(LINNET_SRT_IPV6_ONLY, to: 0)
        guard address.withPointer({ functions.srt_bind(identifier, $0, Int32($1)) }) >= 0, functions.srt_listen(identifier, 1) >= 0 else {
            throw Self.setupFailure(functions)
        }
    }

    func accept(abort: ConnectionAbort) throws(StreamingError) -> SRTSocket {
        while !abort.isRequested {
            let accepted = functions.srt_accept(identifier, nil, nil)
            if accepted >= 0 { return SRTSocket(functions, identifier: accepted) }
            guard functions.srt_getlasterror(nil) == Int32(LINNET_SRT_WOULD_BLOCK_RECEIVING) else { throw Self.setupFailure(functions) }
            usleep(Self.pollInterval)
        }
        throw .aborted
    }

    // MARK: Sending

    var isConnected: Bool { !isClosed && functions.srt_getsockstate(identifier) == LINNET_SRT_CONNECTED }

    /// The number of packets that the peer has not acknowledged; `nil` if the connection no longer exists.
    var unacknowledgedPacketCount: Int? {
        var (packets, bytes) = (0, 0)
        guard !isClosed, functions.srt_getsndbuffer(identifier, &packets, &bytes) >= 0 else { return nil }
        return packets
    }

    /// The negotiated time from sending a packet to its delivery to the receiving application.
    var latency: Duration { .milliseconds(integer(LINNET_SRT_PEER_LATENCY) ?? 0) }

    /// Sends a packet.
    ///
    /// - Throws: ``StreamingError/timedOut(_:after:)`` if the buffer stays full, ``StreamingError/closedByPeer`` or
    ///   ``StreamingError/aborted``.
    func send(_ packet: ArraySlice<UInt8>, timeout: Duration, abort: ConnectionAbort) throws(StreamingError) {
        let deadline = ContinuousClock.now + timeout
        while true {
            let count = packet.withUnsafeBytes { functions.srt_send(identifier, $0.baseAddress, Int32($0.count)) }
            if count >= 0 { return }
            let code = functions.srt_getlasterror(nil)
            guard code == Int32(LINNET_SRT_WOULD_BLOCK_SENDING) || code == Int32(LINNET_SRT_CONGESTED) else {
                throw .closedByPeer
            }
            try pause(until: deadline, timeout: timeout, abort: abort)
        }
    }

    /// Waits until the peer has acknowledged everything.
    func waitForAcknowledgement(timeout: Duration, abort: ConnectionAbort) throws(StreamingError) {
        let deadline = ContinuousClock.now + timeout
        while unacknowledgedPacketCount != 0 {
            guard isConnected else { throw .closedByPeer }
            try pause(until: deadline, timeout: timeout, abort: abort)
        }
    }

    /// Waits one polling interval.
    private func pause(until deadline: ContinuousClock.Instant, timeout: Duration, abort: ConnectionAbort) throws(StreamingError) {
        if abort.isRequested { throw .aborted }
        guard ContinuousClock.now < deadline else { throw .timedOut(.send, after: timeout) }
        usleep(Self.pollInterval)
    }
}

// MARK: Options and errors

extension SRTSocket {
    private func set(_ option: Int, to value: Int) throws(StreamingError) {
        var number = Int32(clamping: value)
        guard functions.srt_setsockflag(identifier, UInt32(option), &number, 4) >= 0 else { throw Self.setupFailure(functions) }
    }

    private func set(_ option: Int, to text: String) throws(StreamingError) {
        let bytes = Array(text.utf8)
        guard functions.srt_setsockflag(identifier, UInt32(option), bytes, Int32(bytes.count)) >= 0 else {
            throw Self.setupFailure(functions)
        }
    }

    private func integer(_ option: Int) -> Int? {
        var (number, size): (Int32, Int32) = (0, 4)
        return functions.srt_getsockflag(identifier, UInt32(option), &number, &size) >= 0 ? Int(number) : nil
    }

    /// Converts a libsrt text.
    private static func words(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

    /// Returns the latest libsrt error.
    private static func setupFailure(_ functions: LinnetSRTFunctions) -> StreamingError {
        var code: Int32 = 0
        _ = functions.srt_getlasterror(&code)
        if code > 0 { return .connectionFailed(.connect, code: code) }
        return .protocolViolation(words(functions.srt_getlasterror_str()))
    }
}

#endif
