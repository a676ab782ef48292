// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import LiveAudio

/// A connection to an RTMP server, on which audio is published.
final class RTMPPublisher: StreamingConnection {
    /// The most parts received before the next unit is sent: 256 kB, when servers send some hundred bytes a minute.
    ///
    /// One that sends without end does not hold the units up.
    private static let receivedPartLimit = 16

    /// The time in which a server closes the connection that doesn't permit the stream after all: nginx does so at once.
    private static let refusalTime = Duration.milliseconds(250)

    private let connection: any ServerConnection
    private var session: RTMPPublishingSession
    private let timeline: RTMPTimeline
    private let header: (metadata: [UInt8], codec: FLVAudio.Codec)
    private let timeout: Duration
    private var hasHeader = false
    private var unconfirmedUnits = UnconfirmedUnits()

    /// Starts to publish.
    ///
    /// - Parameters:
    ///   - connection: The connection to the server; closed if publishing fails.
    ///   - session: The session of the stream.
    ///   - header: The metadata and the AudioSpecificConfig.
    ///   - timeline: The time stamps of all connections.
    ///   - timeout: The time for each step: each answer, and each sending.
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

    /// Waits until the server has answered all commands.
    private func publish() throws(StreamingError) {
        var state = session.state
        var deadline = ContinuousClock.now + timeout
        do throws(StreamingError) {
            while session.state != .publishing {
                let left = ContinuousClock.now.duration(to: deadline)
                guard left > .zero, try receive(timeout: left) else { throw .timedOut(.handshake, after: timeout) }
                // Each answer has its time; single bytes do not extend it.
                guard session.state != state else { continue }
                state = session.state
                deadline = ContinuousClock.now + timeout
            }
            // Servers accept the stream before they look at the key.
            _ = try receive(timeout: min(timeout, Self.refusalTime))
        } catch {
            guard error == .closedByPeer, state == .awaiting(command: "publish") || state == .publishing else { throw error }
            throw .rejected(step: "publish", code: "", description: "it closed the connection at once; the name or key may be wrong")
        }
    }

    /// Sends an access unit, and before the first one the metadata and the configuration.
    func send(_ unit: AccessUnit) throws(StreamingError) {
        unconfirmedUnits.begin()
        let timestamp = timeline.timestamp(of: unit.presentationTime)
        // What the server has sent is read first: after it has closed the connection, nothing sent would arrive.
        try idle()
        if !hasHeader {
            try send(session.message(.data, timestamp: timestamp, payload: header.metadata))
            try send(session.message(.audio, timestamp: timestamp, payload: FLVAudio.configuration(header.codec)))
            hasHeader = true
        }
        try send(session.message(.audio, timestamp: timestamp, payload: FLVAudio.accessUnit(unit.payload, header.codec)))
        unconfirmedUnits.end(at: connection.sentByteCount)
    }

    /// The number of the latest units that have not arrived at the other system.
    var unconfirmedUnitCount: Int {
        unconfirmedUnits.count(afterArrivalOf: connection.sentByteCount - connection.unconfirmedByteCount)
    }

    /// Answers pings, and notices that the server ends the stream.
    func idle() throws(StreamingError) {
        for _ in 0..<Self.receivedPartLimit { guard try receive(timeout: .zero) else { return } }
    }

    /// Says goodbye to the server, unless the connection has failed, and closes it.
    func close(isComplete: Bool) throws(StreamingError) {
        defer { connection.close() }
        guard isComplete else { return }
        try send(session.finish())
        try connection.finish(timeout: timeout)
    }

    /// Receives and answers; returns false if nothing has arrived within the time.
    private func receive(timeout: Duration) throws(StreamingError) -> Bool {
        let received = try connection.receive(timeout: timeout)
        guard !received.isEmpty else { return false }
        let answer = try session.receive(received)
        if session.state == .ended { throw .closedByPeer }
        try send(answer)
        return true
    }

    /// Sends bytes.
    private func send(_ bytes: [UInt8]) throws(StreamingError) { try connection.send(bytes, timeout: timeout) }
}
