// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import TestSupport
import Testing

@Suite(.serialized) struct IcecastFaultServerTests {
    @Test("Stream resumes after the server was killed; only audio held by the server is lost uncounted")
    func killed() async throws {
        let icecast = try IcecastProcess()
        let accessUnits = LiveUnits.random(600, sizes: 100...300, seed: 5)
        // Attempts only every two seconds rarely hit the moment in which the server starts.
        var limits = StreamingRun.limits()
        limits.shortestRetry = .seconds(2)
        limits.longestRetry = .seconds(2)
        let run = StreamingRun(try icecast.destination(), limits: limits)
        #expect(try await run.waitForConnection())
        try await run.append(accessUnits.prefix(300))
        #expect(try await waitUntil { icecast.dump.count > 4096 })
        icecast.server.kill()
        let before = try #require(try IcecastServerTests.range(of: icecast.dump, in: accessUnits))
        try FileManager.default.removeItem(atPath: icecast.server.folder.path("dump/talk.aac"))
        try await run.append(accessUnits[300..<400])
        try icecast.restart()
        #expect(try await run.waitForConnection(2))
        try await run.append(accessUnits[400...])
        try await run.finish()
        let after = try #require(try IcecastServerTests.range(of: icecast.dump, in: accessUnits))
        #expect(try IcecastServerTests.isStored(Array(accessUnits[after.lowerBound...]), by: icecast))
        #expect(run.sink.statistics.sentUnitCount == accessUnits.count && run.sink.statistics.lostUnitCount == 0)
        // Access units sent after the server's end were not acknowledged and are sent again, without duplicates.
        #expect(before.lowerBound == 0 && before.upperBound <= after.lowerBound && after.lowerBound <= 301)
        #expect(run.events.contains { if case .disconnected = $0 { true } else { false } })
    }

    @Test("Access units queue while the server is stopped, losses are counted, and the stream resumes")
    func stopped() async throws {
        let icecast = try IcecastProcess()
        // More than the buffers of both systems hold.
        let accessUnits = LiveUnits.random(1200, sizes: 3000...5000, seed: 6)
        let limits = StreamingRun.limits(step: .seconds(1), queue: .seconds(5))
        let run = StreamingRun(try icecast.destination(timeout: limits.step), limits: limits)
        #expect(try await run.waitForConnection())
        try await run.append(accessUnits.prefix(100))
        icecast.server.send(SIGSTOP)
        try await run.append(accessUnits[100..<1100], every: .microseconds(500))
        #expect(try await waitUntil { run.events.contains { if case .disconnected(.timedOut, _) = $0 { true } else { false } } })
        #expect(run.sink.statistics.lostUnitCount > 0)
        icecast.server.send(SIGCONT)
        #expect(try await run.waitForConnection(2))
        try await run.append(accessUnits[1100...])
        try await run.finish()
        let statistics = run.sink.statistics
        #expect(statistics.sentUnitCount + statistics.lostUnitCount == accessUnits.count)
        #expect(run.sink.status == .finished)
        // The last access unit may be in the server's last block, which it discards. Earlier blocks are stored.
        let last = try LiveUnits.adts(accessUnits.suffix(10).dropLast())
        #expect(Data(icecast.dump).range(of: Data(last)) != nil)
    }

    @Test("Stopped server does not delay the end of the stream beyond the limit")
    func stoppedForGood() async throws {
        let icecast = try IcecastProcess()
        let accessUnits = LiveUnits.random(1000, sizes: 3000...5000, seed: 7)
        var limits = StreamingRun.limits()
        limits.closing = .seconds(1)
        let run = StreamingRun(try icecast.destination(), limits: limits)
        #expect(try await run.waitForConnection())
        icecast.server.send(SIGSTOP)
        try await run.append(accessUnits, every: .zero)
        let start = ContinuousClock.now
        try await run.finish()
        #expect(ContinuousClock.now - start < .seconds(5))
        let statistics = run.sink.statistics
        #expect(statistics.sentUnitCount + statistics.lostUnitCount == accessUnits.count && statistics.lostUnitCount > 0)
    }

    @Test("Distinguishes other services from a closed port")
    func otherServices() throws {
        let port = try LiveServer.freePort()
        let address = try IcecastAddress("icecast://source:pw@127.0.0.1:\(port)/a")
        #expect(throws: StreamingError.connectionFailed(.connect, code: ECONNREFUSED)) {
            try IcecastDestination(address, timeout: .seconds(5)).connect(.stereo48(), abort: ConnectionAbort())
        }
        let server = try AnsweringServer("SSH-2.0-test\r\n")
        #expect(throws: StreamingError.protocolViolation("the response “SSH-2.0-test” is not HTTP")) {
            try server.destination.connect(.stereo48(), abort: ConnectionAbort())
        }
    }

    @Test("Rejection contains the server's text, also from a page, without a quoted password")
    func refusals() throws {
        for (answer, code, words) in [
            (
                "HTTP/1.1 404 Not Found\r\nContent-Length: 44\r\n\r\n<html><body>404 - No such mount</body></html>\n", "404",
                "No such mount"
            ),
            ("HTTP/1.0 403 Forbidden\r\n\r\n", "403", "Forbidden"), ("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n", "301", "Moved"),
            ("HTTP/1.1 500 Oh\r\nContent-Length: 99\r\n\r\nsecret-word is bad: c291cmNlOnNlY3JldC13b3Jk", "500", "… is bad: …"),
        ] {
            let server = try AnsweringServer(answer)
            #expect(throws: StreamingError.rejected(step: "the stream", code: code, description: words)) {
                try server.destination.connect(.stereo48(), abort: ConnectionAbort())
            }
        }
    }

    @Test("Late rejection is distinguished from a closed connection")
    func lateRefusal() async throws {
        let server = try AnsweringServer("HTTP/1.1 100 Continue\r\n\r\n", then: "HTTP/1.1 403 No\r\nContent-Length: 6\r\n\r\nBanned")
        let connection = try server.destination.connect(.stereo48(), abort: ConnectionAbort())
        let accessUnit = AccessUnit(number: 0)
        var failure: StreamingError?
        _ = try await waitUntil {
            do { try connection.send(accessUnit) } catch { failure = error as? StreamingError }
            return failure != nil
        }
        #expect(failure == .rejected(step: "the stream", code: "403", description: "Banned"))
        try connection.close(isComplete: false)
    }

    @Test("Stream does not wait for a title that the server does not accept")
    func stoppedDuringTitle() async throws {
        let icecast = try IcecastProcess()
        let connection = try icecast.destination().connect(.stereo48(), abort: ConnectionAbort())
        icecast.server.send(SIGSTOP)
        let start = ContinuousClock.now
        for accessUnit in LiveUnits.random(100, sizes: 100...100, seed: 9) {
            try (connection as? any TitledConnection)?.setTitle("Title \(accessUnit.presentationTime.value)")
            try connection.send(accessUnit)
        }
        // The system's buffers hold these access units. The server would respond to a title only after this test.
        #expect(ContinuousClock.now - start < .seconds(10))
        icecast.server.send(SIGCONT)
        // The server shows a title with the next audio.
        let next = LiveUnits.random(1, sizes: 2000...2000, seed: 11)[0]
        let isShown = try await waitUntil {
            try connection.send(next)
            return try icecast.status().contains("Title 101376")
        }
        #expect(isShown)
        try connection.close(isComplete: true)
        #expect(connection.unconfirmedUnitCount == 0)
    }

    @Test("Silent server times out, and aborts at once when the stream ends")
    func stoppedLogin() throws {
        let icecast = try IcecastProcess()
        icecast.server.send(SIGSTOP)
        #expect(throws: StreamingError.timedOut(.handshake, after: .seconds(1))) {
            try icecast.destination(timeout: .seconds(1)).connect(.stereo48(), abort: ConnectionAbort())
        }
        let abort = ConnectionAbort()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { abort.request() }
        #expect(throws: StreamingError.aborted) {
            try icecast.destination(timeout: .seconds(60)).connect(.stereo48(), abort: abort)
        }
    }

    @Test("Unacknowledged access units are counted exactly")
    func unconfirmed() async throws {
        let icecast = try IcecastProcess()
        let connection = try icecast.destination(timeout: .milliseconds(300)).connect(.stereo48(), abort: ConnectionAbort())
        icecast.server.send(SIGSTOP)
        let accessUnit = LiveUnits.random(1, sizes: 4000...4000, seed: 10)[0]
        var sentCount = 0
        #expect(throws: StreamingError.timedOut(.send, after: .milliseconds(300))) {
            // The buffers of both systems hold less than 40 MB.
            while sentCount < 10_000 {
                sentCount += 1
                try connection.send(accessUnit)
            }
        }
        let unconfirmedCount = connection.unconfirmedUnitCount
        #expect(unconfirmedCount > 1 && unconfirmedCount < sentCount)
        icecast.server.kill()
        try connection.close(isComplete: false)
        #expect(connection.unconfirmedUnitCount == unconfirmedCount)
    }
}

/// A server that answers each connection with a text, and 0.3 s later with another text.
private final class AnsweringServer {
    private let server: LiveServer
    let destination: IcecastDestination

    init(_ answer: String, then later: String = "") throws {
        let port = try LiveServer.freePort()
        let folder = try TemporaryFolder()
        let script = """
            import socket, time
            answers = [open(name, 'rb').read() for name in ('\(folder.path("answer"))', '\(folder.path("later"))')]
            listener = socket.create_server(('127.0.0.1', \(port)))
            while True:
                c = listener.accept()[0]
                try:
                    c.recv(4096)
                    c.send(answers[0])
                    time.sleep(0.3)
                    c.send(answers[1])
                    while c.recv(4096): pass
                except OSError: pass
                c.close()
            """
        try Data(answer.utf8).write(to: URL(filePath: folder.path("answer")))
        try Data(later.utf8).write(to: URL(filePath: folder.path("later")))
        let path = try folder.write(Array(script.utf8), to: "server.py")
        server = try LiveServer("python3", in: folder, [path], port: port)
        let address = try IcecastAddress("icecast://source:secret-word@127.0.0.1:\(port)/a")
        destination = IcecastDestination(address, timeout: .seconds(5))
    }

    deinit { server.kill() }
}
