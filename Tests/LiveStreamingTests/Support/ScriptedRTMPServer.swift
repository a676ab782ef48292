// SPDX-License-Identifier: Apache-2.0

import LiveStreaming

/// The server side of an RTMP connection, without a socket.
///
/// Responds like real servers, or as scripted by a test.
struct ScriptedRTMPServer {
    /// A response: command name, transaction and arguments.
    typealias Answer = (name: String, transaction: Double, arguments: [AMF0Value])

    /// Returns the responses to a publisher's command; `nil` for the usual ones.
    var answers: (_ command: String, _ transaction: Double) -> [Answer]? = { _, _ in nil }
    var version: UInt8 = 3
    /// The control messages sent with the response to `connect`.
    var controls: [RTMPMessage] = []

    private(set) var messages: [RTMPMessage] = []
    private var received: [UInt8] = []
    private var handshakeStep = 0
    private var reader = RTMPChunkReader()
    private var writer = RTMPChunkWriter()

    var commands: [[AMF0Value]] { messages.filter { $0.kind == .command }.map { AMF0Reader.values($0.payload) } }

    var commandNames: [String] { commands.compactMap { $0.first?.text } }

    /// The payloads and timestamps of the received access units, without the FLV tag header.
    var accessUnits: [(timestamp: UInt32, payload: [UInt8])] {
        messages.filter { $0.kind == .audio && $0.payload.dropFirst().first == 1 }.map { ($0.timestamp, Array($0.payload.dropFirst(2))) }
    }

    /// Processes received bytes.
    ///
    /// Returns the bytes to send.
    mutating func receive(_ bytes: some Collection<UInt8>) throws -> [UInt8] {
        var output: [UInt8] = []
        received += bytes
        if handshakeStep == 0, received.count >= 1537 {
            output += [version] + [UInt8](repeating: 5, count: 1536) + received[1..<1537]
            received.removeFirst(1537)
            handshakeStep = 1
        }
        if handshakeStep == 1, received.count >= 1536 {
            received.removeFirst(1536)
            handshakeStep = 2
        }
        guard handshakeStep == 2 else { return output }
        reader.append(received)
        received = []
        while let message = try reader.next() {
            messages.append(message)
            guard message.kind == .command else { continue }
            let values = AMF0Reader.values(message.payload)
            guard values.count >= 2, let name = values[0].text, let transaction = values[1].number else { continue }
            if name == "connect" { for control in controls { writer.append(control, chunkStream: 2, to: &output) } }
            for answer in answers(name, transaction) ?? Self.usualAnswers(name, transaction) { output += self.message(answer) }
        }
        return output
    }

    func message(_ answer: Answer) -> [UInt8] {
        var payload: [UInt8] = []
        for value in [.string(answer.name), .number(answer.transaction)] + answer.arguments { value.write(to: &payload) }
        var bytes: [UInt8] = []
        writer.append(RTMPMessage(.command, payload: payload), chunkStream: 3, to: &bytes)
        return bytes
    }

    static func information(_ level: String, _ code: String, _ description: String) -> AMF0Value {
        .object([.init("level", .string(level)), .init("code", .string(code)), .init("description", .string(description))])
    }

    /// Returns the responses of a server that accepts everything.
    private static func usualAnswers(_ name: String, _ transaction: Double) -> [Answer] {
        switch name {
        case "connect":
            [
                ("onBWDone", 0, [.null, .number(8192)]),
                ("_result", transaction, [.object([]), information("status", "NetConnection.Connect.Success", "Connected")]),
            ]
        case "releaseStream": [("_error", transaction, [.null, information("error", "NetConnection.Call.Failed", "unknown")])]
        case "FCPublish": [("onFCPublish", 0, [.null, information("status", "NetStream.Publish.Start", "")])]
        case "createStream": [("_result", transaction, [.null, .number(3)])]
        case "publish": [("onStatus", 0, [.null, information("status", "NetStream.Publish.Start", "Publishing")])]
        default: []
        }
    }
}
