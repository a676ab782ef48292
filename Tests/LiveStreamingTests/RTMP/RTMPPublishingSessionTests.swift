// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import TestSupport
import Testing

@Suite struct RTMPPublishingSessionTests {
    private let address: RTMPAddress

    init() throws { address = try #require(RTMPAddress("rtmp://host/app/secretkey?token=abcdef")) }

    /// Connects a session to a scripted server with randomly divided bytes, until neither side sends.
    private func connect(
        _ session: inout RTMPPublishingSession, _ server: inout ScriptedRTMPServer, longest: Int = 5000, seed: UInt64 = 1
    ) throws {
        var random = SeededRandom(seed: seed)
        var bytes = session.start()
        while !bytes.isEmpty {
            var answer: [UInt8] = []
            for part in bytes.divided(longest: longest, using: &random) { answer += try server.receive(part) }
            bytes = []
            for part in answer.divided(longest: longest, using: &random) { bytes += try session.receive(part) }
        }
    }

    @Test("Sends commands in the specified order, regardless of byte division", arguments: [1, 2, 17, 300, 100_000])
    func commands(longest: Int) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var session = RTMPPublishingSession(address)
            var server = ScriptedRTMPServer()
            try connect(&session, &server, longest: longest, seed: seed)
            #expect(session.state == .publishing)
            #expect(server.commandNames == ["connect", "releaseStream", "FCPublish", "createStream", "publish"])
            #expect(server.commands[0][2]["app"] == .string("app") && server.commands[0][2]["tcUrl"] == .string("rtmp://host/app"))
            #expect(server.commands[4].suffix(2) == [.string("secretkey?token=abcdef"), .string("live")])
            #expect(server.messages.last?.streamID == 3)
            _ = try server.receive(session.message(.audio, timestamp: 7, payload: [0xAF, 1, 9]))
            #expect(server.accessUnits.map(\.payload) == [[9]] && server.messages.last?.streamID == 3)
            _ = try server.receive(session.finish())
            #expect(server.commandNames.suffix(2) == ["FCUnpublish", "deleteStream"])
            #expect(server.commands.last?.last == .number(3))
        }
    }

    @Test(
        "Rejections contain the command, the server's code and its text without the key", arguments: ["connect", "createStream", "publish"])
    func rejections(command: String) {
        for name in ["_error", "onStatus"] {
            var session = RTMPPublishingSession(address)
            var server = ScriptedRTMPServer()
            server.answers = { asked, transaction in
                guard asked == command else { return nil }
                let information = ScriptedRTMPServer.information("error", "Net.Some.Code", "no secretkey here, abcdef\u{7}")
                return [(name, name == "_error" ? transaction : 0, [.null, information])]
            }
            let expected = StreamingError.rejected(step: command, code: "Net.Some.Code", description: "no … here, …")
            #expect(throws: expected) { try connect(&session, &server) }
        }
    }

    @Test("Redirection is reported with its address and without the key")
    func redirection() {
        var session = RTMPPublishingSession(address)
        var server = ScriptedRTMPServer()
        server.answers = { _, transaction in
            let information: [AMF0Value.Property] = [
                .init("code", .string("NetConnection.Connect.Rejected")), .init("description", .string("busy")),
                .init("ex", .object([.init("code", .number(302)), .init("redirect", .string("rtmp://other/app/secretkey"))])),
            ]
            return [("_error", transaction, [.null, .object(information)])]
        }
        let expected = StreamingError.rejected(
            step: "connect", code: "NetConnection.Connect.Rejected", description: "busy (redirect to rtmp://other/app/…)")
        #expect(throws: expected) { try connect(&session, &server) }
    }

    @Test("Other handshake version throws at its first byte")
    func version() {
        // The second byte is as from an HTTP server.
        for byte in [6, UInt8(ascii: "H")] {
            var session = RTMPPublishingSession(address)
            _ = session.start()
            let expected = StreamingError.protocolViolation("handshake version \(byte) instead of 3")
            #expect(throws: expected) { try session.receive([byte]) }
        }
    }

    @Test("Unexpected and early responses change nothing")
    func strayAnswers() throws {
        var session = RTMPPublishingSession(address)
        var server = ScriptedRTMPServer()
        let start = ScriptedRTMPServer.information("status", "NetStream.Publish.Start", "")
        server.answers = { command, _ in
            command == "connect"
                ? [("_result", 4, [.null, .number(9)]), ("onStatus", 0, [.null, start]), ("_result", 77, []), ("onBWDone", 0, [])] : nil
        }
        try connect(&session, &server)
        #expect(session.state == .awaiting(command: "connect"))
        #expect(server.commandNames == ["connect"])
    }

    @Test(
        "Detects the end of the stream by the server",
        arguments: ["NetStream.Unpublish.Success", "NetConnection.Connect.Closed", "close"])
    func ended(code: String) throws {
        var session = RTMPPublishingSession(address)
        var server = ScriptedRTMPServer()
        try connect(&session, &server)
        let information = ScriptedRTMPServer.information("status", code, "")
        _ = try session.receive(server.message(code == "close" ? ("close", 0, []) : ("onStatus", 0, [.null, information])))
        #expect(session.state == .ended)
    }

    @Test("Answers pings and bandwidth messages")
    func controls() throws {
        var session = RTMPPublishingSession(address)
        var server = ScriptedRTMPServer()
        server.controls = [
            RTMPMessage(.userControl, payload: [0, 6, 1, 2, 3, 4]), RTMPMessage(.userControl, payload: [0, 6, 1]),
            RTMPMessage(.setPeerBandwidth, payload: [0, 1, 0, 0, 2]), RTMPMessage(.setPeerBandwidth, payload: [0]),
        ]
        try connect(&session, &server)
        #expect(server.messages.filter { $0.kind == .userControl }.map(\.payload) == [[0, 7, 1, 2, 3, 4]])
        #expect(server.messages.filter { $0.kind == .windowAcknowledgementSize }.map(\.payload) == [[0, 1, 0, 0]])
    }

    @Test("Acknowledges received bytes when they fill the window, also inside a message")
    func acknowledgements() throws {
        var session = RTMPPublishingSession(address)
        var server = ScriptedRTMPServer()
        server.controls = [RTMPMessage(.windowAcknowledgementSize, payload: [0, 0, 16, 0])]
        try connect(&session, &server)
        var writer = RTMPChunkWriter()
        var bytes: [UInt8] = []
        writer.setChunkSize(65_536, to: &bytes)
        writer.append(RTMPMessage(.data, payload: [UInt8](repeating: 0, count: 10_000)), chunkStream: 5, to: &bytes)
        var counts: [(sent: Int, acknowledged: Int)] = []
        for (index, byte) in bytes.enumerated() {
            let before = server.messages.count
            _ = try server.receive(session.receive([byte]))
            for message in server.messages[before...] where message.kind == .acknowledgement {
                counts.append((index + 1, message.payload.reduce(0) { $0 << 8 | Int($1) }))
            }
        }
        #expect(counts.count == 2)
        #expect(counts[1].sent - counts[0].sent == 4096)
        #expect(counts.map(\.acknowledged) == [4096, 8192])
    }

    @Test("Random bytes after the handshake throw or are ignored")
    func randomBytes() throws {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var session = RTMPPublishingSession(address)
            _ = session.start()
            _ = try session.receive([3] + [UInt8](repeating: 0, count: 3072))
            var bytes = InterleavedChunks(messageCount: 6, longest: 200, using: &random).bytes
            for _ in 0..<Int.random(in: 0...10, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            for part in bytes.divided(longest: 100, using: &random) {
                guard let output = try? session.receive(part) else { break }
                #expect(output.count < 10_000)
            }
        }
    }
}
