// SPDX-License-Identifier: Apache-2.0

/// The protocol state machine of an RTMP publisher, without a socket: consumes received bytes and returns bytes to send.
///
/// The steps follow the specification's annex: handshake, `connect`, `releaseStream`, `FCPublish`, `createStream`, `publish`, then metadata
/// and audio.
package struct RTMPPublishingSession: Sendable {
    package enum State: Hashable, Sendable {
        /// The handshake is incomplete.
        case handshake
        /// The server has not yet responded to a command.
        case awaiting(command: String)
        /// Audio can be sent.
        case publishing
        /// The server has ended the stream.
        case ended
    }

    /// The length of the second and third handshake packets.
    private static let handshakeByteCount = 1536
    /// The transaction IDs of commands whose responses matter.
    ///
    /// `releaseStream` and `FCPublish` use 2 and 3; not all servers support them.
    private static let transactions = (connect: 1.0, createStream: 4.0, publish: 5.0)
    /// The chunk size that we send.
    ///
    /// One AAC access unit fits into a chunk.
    private static let chunkSize = 4096

    package private(set) var state = State.handshake

    private let address: RTMPAddress
    private var received: [UInt8] = []
    private var reader = RTMPChunkReader()
    private var writer = RTMPChunkWriter()
    private var output: [UInt8] = []
    private var streamID: UInt32 = 0
    private var acknowledgementWindow: UInt32 = 0
    private var acknowledgedByteCount: UInt32 = 0

    package init(_ address: RTMPAddress) { self.address = address }

    // MARK: Connecting

    /// Returns the first bytes to send: the version and 1536 bytes, 1528 of them random (5.2.3).
    package mutating func start() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return [3, 0, 0, 0, 0, 0, 0, 0, 0] + (0..<Self.handshakeByteCount - 8).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Processes received bytes and returns the bytes to send.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(StreamingError) -> [UInt8] {
        output = []
        if state == .handshake {
            received += bytes
            try shakeHands()
        } else {
            reader.append(bytes)
        }
        if state != .handshake { try handleMessages() }
        return output
    }

    /// Completes the handshake and sends `connect`.
    private mutating func shakeHands() throws(StreamingError) {
        if let version = received.first, version != 3 {
            throw .protocolViolation("handshake version \(version) instead of 3")
        }
        let length = 1 + 2 * Self.handshakeByteCount
        guard received.count >= length else { return }
        // The response echoes the server's bytes (5.2.4).
        output += received[1...Self.handshakeByteCount]
        reader.append(received[length...])
        received = []
        writer.setChunkSize(Self.chunkSize, to: &output)
        let parameters: [AMF0Value.Property] = [
            .init("app", .string(address.application)), .init("type", .string("nonprivate")),
            .init("flashVer", .string("FMLE/3.0 (compatible; Linnet)")), .init("tcUrl", .string(address.connectionURL)),
        ]
        send("connect", Self.transactions.connect, [.object(parameters)])
        state = .awaiting(command: "connect")
    }

    private mutating func send(_ name: String, _ transaction: Double, _ arguments: [AMF0Value], streamID: UInt32 = 0) {
        var payload: [UInt8] = []
        for value in [.string(name), .number(transaction)] + arguments { value.write(to: &payload) }
        writer.append(RTMPMessage(.command, streamID: streamID, payload: payload), chunkStream: RTMPChunkWriter.commandStream, to: &output)
    }

    // MARK: Receiving

    /// Handles the complete messages, and acknowledges received bytes.
    private mutating func handleMessages() throws(StreamingError) {
        while let message = try nextMessage() { try handle(message) }
        guard acknowledgementWindow > 0, reader.byteCount &- acknowledgedByteCount >= acknowledgementWindow else { return }
        acknowledgedByteCount = reader.byteCount
        sendControl(.acknowledgement, reader.byteCount)
    }

    private mutating func nextMessage() throws(StreamingError) -> RTMPMessage? {
        do throws(RTMPChunkReader.Failure) { return try reader.next() } catch { throw .protocolViolation("\(error)") }
    }

    private mutating func handle(_ message: RTMPMessage) throws(StreamingError) {
        switch message.kind {
        case .windowAcknowledgementSize where message.payload.count >= 4:
            acknowledgementWindow = message.payload.bigEndianWord(at: 0)
        case .setPeerBandwidth where message.payload.count >= 4:
            sendControl(.windowAcknowledgementSize, message.payload.bigEndianWord(at: 0))
        case .userControl:
            // Echoes the timestamp of a server ping (event 6).
            guard message.payload.count >= 6, message.payload[0] == 0, message.payload[1] == 6 else { return }
            let answer = RTMPMessage(.userControl, payload: [0, 7] + message.payload[2..<6])
            writer.append(answer, chunkStream: RTMPChunkWriter.controlStream, to: &output)
        case .command: try handleCommand(AMF0Reader.values(message.payload))
        default: break
        }
    }

    /// Handles a server command (7.2).
    private mutating func handleCommand(_ values: [AMF0Value]) throws(StreamingError) {
        guard values.count >= 2, let name = values[0].text else { return }
        switch (name, values[1].number) {
        case ("_result", Self.transactions.connect?) where state == .awaiting(command: "connect"): createStream()
        case ("_result", Self.transactions.createStream?) where state == .awaiting(command: "createStream"):
            // Servers assign a stream ID above 0. With 0, commands would address the connection.
            streamID = values.dropFirst(3).first?.number.flatMap { UInt32(exactly: $0) } ?? 1
            publish()
        case ("_error", Self.transactions.connect?): throw rejection("connect", values)
        case ("_error", Self.transactions.createStream?): throw rejection("createStream", values)
        case ("_error", Self.transactions.publish?): throw rejection("publish", values)
        case ("onStatus", _): try handleStatus(values)
        case ("close", _): state = .ended
        default: break
        }
    }

    /// Handles a stream status (7.2.2).
    private mutating func handleStatus(_ values: [AMF0Value]) throws(StreamingError) {
        let information = Self.information(values)
        let code = information?["code"]?.text ?? ""
        if information?["level"]?.text == "error" {
            // The status has no transaction ID. It refers to the pending command, or to the published stream.
            if case .awaiting(let command) = state { throw rejection(command, values) }
            throw rejection("publish", values)
        }
        if code == "NetStream.Publish.Start", state == .awaiting(command: "publish") { state = .publishing }
        if code == "NetStream.Unpublish.Success" || code == "NetConnection.Connect.Closed" { state = .ended }
    }

    /// Returns the information object of a response: the last object with a code.
    private static func information(_ values: [AMF0Value]) -> AMF0Value? { values.last { $0["code"] != nil } }

    /// Returns the error for a rejected command, with the server's text.
    private func rejection(_ command: String, _ values: [AMF0Value]) -> StreamingError {
        let information = Self.information(values)
        let text = ServerText(hiding: address.secrets)
        var description = text.shown(information?["description"]?.text ?? "")
        // A busy server redirects (Adobe Media Server's documentation of NetConnection, `ex.redirect`).
        if let other = information?["ex"]?["redirect"]?.text { description += " (redirect to \(text.shown(other)))" }
        return .rejected(step: command, code: text.shown(information?["code"]?.text ?? ""), description: description)
    }

    private mutating func createStream() {
        let name = AMF0Value.string(address.streamName)
        send("releaseStream", 2, [.null, name])
        send("FCPublish", 3, [.null, name])
        send("createStream", Self.transactions.createStream, [.null])
        state = .awaiting(command: "createStream")
    }

    private mutating func publish() {
        send("publish", Self.transactions.publish, [.null, .string(address.streamName), .string("live")], streamID: streamID)
        state = .awaiting(command: "publish")
    }

    /// Appends a control message with a 32-bit value.
    private mutating func sendControl(_ kind: RTMPMessage.Kind, _ value: UInt32) {
        var payload: [UInt8] = []
        payload.append(bigEndian: value, byteCount: 4)
        writer.append(RTMPMessage(kind, payload: payload), chunkStream: RTMPChunkWriter.controlStream, to: &output)
    }

    // MARK: Publishing

    /// Serializes a message of the stream.
    ///
    /// - Parameters:
    ///   - kind: Audio or data.
    ///   - timestamp: The timestamp in milliseconds; sent modulo 2^32.
    package func message(_ kind: RTMPMessage.Kind, timestamp: Int64, payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        let message = RTMPMessage(kind, timestamp: UInt32(truncatingIfNeeded: timestamp), streamID: streamID, payload: payload)
        writer.append(message, chunkStream: RTMPChunkWriter.audioStream, to: &bytes)
        return bytes
    }

    /// Returns the bytes that end the stream: `FCUnpublish` and `deleteStream`.
    package mutating func finish() -> [UInt8] {
        output = []
        guard streamID > 0 else { return [] }
        send("FCUnpublish", 6, [.null, .string(address.streamName)])
        send("deleteStream", 7, [.null, .number(Double(streamID))])
        state = .ended
        return output
    }
}
