// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import LiveAudio

final class RTMPPublisher: StreamingConnection {
    /// The maximum number of receives before the next access unit is sent: 256 kB, while servers send a few hundred bytes per minute.
    ///
    /// The limit keeps a server that sends without end from blocking the stream.
    private static let receivedPartLimit = 16

    /// The time to wait for a server that first accepts a stream and then closes the connection, as nginx does at once.
    private static let refusalTime = Duration.milliseconds(250)

    private let connection: any ServerConnection
    private var session: RTMPPublishingSession
    private let timeline: RTMPTimeline
    private let header: (metadata: [UInt8], codec: FLVAudio.Codec)
    private let timeout: Duration
    private var hasHeader = false
    private var unconfirmedUnits = UnconfirmedUnits()

    /// Starts publishing.
    ///
    /// - Parameters:
    ///   - connection: The connection to the server; closed on failure.
    ///   - header: The metadata and the codec configuration.
    ///   - timeline: The timeline shared by all connections.
    ///   - timeout: The time limit per response and per send.
    init(
        _ connection: any ServerConnection, session: RTMPPublishingSession, header: (metadata: [UInt8], codec: FLVAudio.Codec),
        timeline: RTMPTimeline, timeout: Duration
    ) throws(StreamingError) {
        self.connection = connection
        self.session = session
        self.header = header
        self.timeline = timeline
        self.timeout = timeout
        do throws(StreamingError) {
            try send(self.session.start())
            try publish()
        } catch {
            connection.close()
            throw error
        }
    }

    /// Waits until the server has responded to all commands.
    private func publish() throws(StreamingError) {
        var state = session.state
        var deadline = ContinuousClock.now + timeout
        do throws(StreamingError) {
            while session.state != .publishing {
                let left = ContinuousClock.now.duration(to: deadline)
                guard left > .zero, try receive(timeout: left) else { throw .timedOut(.handshake, after: timeout) }
                // Each response has its own timeout. Single bytes do not extend it.
                guard session.state != state else { continue }
                state = session.state
                deadline = ContinuousClock.now + timeout
            }
            // Servers accept the stream before they check the key.
            _ = try receive(timeout: min(timeout, Self.refusalTime))
        } catch {
            guard error == .closedByPeer, state == .awaiting(command: "publish") || state == .publishing else { throw error }
            throw .rejected(step: "publish", code: "", description: "it closed the connection at once; check the stream name and key")
        }
    }

    /// Sends an access unit, preceded by metadata and configuration the first time.
    func send(_ accessUnit: AccessUnit) throws(StreamingError) {
        unconfirmedUnits.begin()
        let timestamp = timeline.timestamp(of: accessUnit.presentationTime)
        // Reads first: after the server has closed the connection, sent data would be lost.
        try idle()
        if !hasHeader {
            try send(session.message(.data, timestamp: timestamp, payload: header.metadata))
            try send(session.message(.audio, timestamp: timestamp, payload: FLVAudio.configuration(header.codec)))
            hasHeader = true
        }
        try send(session.message(.audio, timestamp: timestamp, payload: FLVAudio.accessUnit(accessUnit.payload, header.codec)))
        unconfirmedUnits.end(at: connection.sentByteCount)
    }

    /// The number of latest access units that the server's TCP stack has not acknowledged.
    var unconfirmedUnitCount: Int {
        unconfirmedUnits.count(afterArrivalOf: connection.sentByteCount - connection.unconfirmedByteCount)
    }

    /// Responds to pings, and detects that the server ends the stream.
    func idle() throws(StreamingError) {
        for _ in 0..<Self.receivedPartLimit { guard try receive(timeout: .zero) else { return } }
    }

    /// Unpublishes the stream unless the connection has failed, and closes the connection.
    func close(isComplete: Bool) throws(StreamingError) {
        defer { connection.close() }
        guard isComplete else { return }
        try send(session.finish())
        try connection.finish(timeout: timeout)
    }

    /// Receives and responds.
    ///
    /// Returns false after the timeout.
    private func receive(timeout: Duration) throws(StreamingError) -> Bool {
        let received = try connection.receive(timeout: timeout)
        guard !received.isEmpty else { return false }
        let answer = try session.receive(received)
        if session.state == .ended { throw .closedByPeer }
        try send(answer)
        return true
    }

    private func send(_ bytes: [UInt8]) throws(StreamingError) { try connection.send(bytes, timeout: timeout) }
}
