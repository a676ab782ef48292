// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import LiveAudio

/// A connection to an RTMP server, on which AAC is published.
final class RTMPPublisher: StreamingConnection {
    private let connection: TCPConnection
    private var session: RTMPPublishingSession
    private let timeline: RTMPTimeline
    private let header: (metadata: [UInt8], configuration: [UInt8])
    private let timeout: Duration
    private var hasHeader = false
    /// The number of bytes sent up to the end of each unit whose arrival is not confirmed.
    private var unitEnds: [Int] = []

    /// Connects and starts to publish.
    ///
    /// - Parameters:
    ///   - address: The stream.
    ///   - header: The metadata and the AudioSpecificConfig.
    ///   - timeline: The time stamps of all connections.
    ///   - timeout: The time for each step: connecting, each answer, and each sending.
    ///   - abort: Ends all waiting.
    init(
        _ address: RTMPAddress, header: (metadata: [UInt8], configuration: [UInt8]), timeline: RTMPTimeline, timeout: Duration,
        abort: ConnectionAbort
    ) throws(StreamingError) {
        self.header = header
        self.timeline = timeline
        self.timeout = timeout
        session = RTMPPublishingSession(address)
        do throws(NetworkError) {
            connection = try TCPConnection(to: address.host, port: address.port, timeout: timeout, abort: abort)
        } catch {
            throw .network(error)
        }
        do throws(StreamingError) {
            try send(session.start())
            while session.state != .publishing {
                guard try receive(timeout: timeout) else { throw .network(.timedOut(.handshake, after: timeout)) }
            }
        } catch {
            connection.close()
            throw error
        }
    }

    func send(_ unit: AccessUnit) throws(StreamingError) {
        unitEnds.append(.max)
        let timestamp = timeline.timestamp(of: unit.presentationTime)
        // What the server has sent is read first: after it has closed the connection, nothing sent would arrive.
        try idle()
        if !hasHeader {
            try send(session.message(.data, timestamp: timestamp, payload: header.metadata))
            try send(session.message(.audio, timestamp: timestamp, payload: FLVAudio.configuration(header.configuration)))
            hasHeader = true
        }
        try send(session.message(.audio, timestamp: timestamp, payload: FLVAudio.accessUnit(unit.payload)))
        unitEnds[unitEnds.count - 1] = connection.sentByteCount
        let arrivedByteCount = connection.sentByteCount - connection.unconfirmedByteCount
        unitEnds.removeAll { $0 <= arrivedByteCount }
    }

    var unconfirmedUnitCount: Int {
        let arrivedByteCount = connection.sentByteCount - connection.unconfirmedByteCount
        return unitEnds.count { $0 > arrivedByteCount }
    }

    func idle() throws(StreamingError) {
        while try receive(timeout: .zero) {}
    }

    func close(isComplete: Bool) throws(StreamingError) {
        defer { connection.close() }
        guard isComplete else { return }
        try send(session.finish())
        do throws(NetworkError) { try connection.finish(timeout: timeout) } catch { throw .network(error) }
    }

    /// Receives and answers; returns false if nothing has arrived within the time.
    private func receive(timeout: Duration) throws(StreamingError) -> Bool {
        let received: [UInt8]
        do throws(NetworkError) { received = try connection.receive(timeout: timeout) } catch { throw .network(error) }
        guard !received.isEmpty else { return false }
        let answer: [UInt8]
        do throws(RTMPPublishingSession.Failure) { answer = try session.receive(received) } catch { throw StreamingError(error) }
        if session.state == .ended { throw .network(.closedByPeer) }
        try send(answer)
        return true
    }

    /// Sends bytes.
    private func send(_ bytes: [UInt8]) throws(StreamingError) {
        do throws(NetworkError) { try connection.send(bytes, timeout: timeout) } catch { throw .network(error) }
    }
}

extension StreamingError {
    /// Makes an error from that of a session.
    fileprivate init(_ failure: RTMPPublishingSession.Failure) {
        self =
            switch failure {
            case .unsupportedVersion(let version): .protocolViolation("it answers with version \(version) of the handshake, not 3")
            case .protocolViolation(let failure): .protocolViolation(String(describing: failure))
            case .rejected(let command, let code, let description): .rejected(step: command, code: code, description: description)
            }
    }
}
