// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import Foundation
import LiveAudio
import TestSupport
import Testing

@testable import LiveStreaming

@Suite(.serialized) struct IcecastFaultServerTests {
    @Test("After the server was killed the stream goes on, and only what the server held is missing without being counted")
    func killed() async throws {
        let icecast = try IcecastProcess()
        let units = LiveUnits.random(600, sizes: 100...300, seed: 5)
        // An attempt every second or two seldom meets the moment in which the server starts.
        var limits = StreamingRun.limits()
        limits.shortestRetry = .seconds(2)
        limits.longestRetry = .seconds(2)
        let run = StreamingRun(icecast.destination(), limits: limits)
        #expect(try await run.waitForConnection())
        try await run.append(units.prefix(300))
        #expect(try await waitUntil { icecast.dump.count > 4096 })
        icecast.server.kill()
        let before = try #require(try IcecastServerTests.range(of: icecast.dump, in: units))
        try FileManager.default.removeItem(atPath: icecast.server.folder.path("dump/talk.aac"))
        try await run.append(units[300..<400])
        try icecast.restart()
        #expect(try await run.waitForConnection(2))
        try await run.append(units[400...])
        try await run.finish()
        let after = try #require(try IcecastServerTests.range(of: icecast.dump, in: units))
        #expect(try IcecastServerTests.isStored(Array(units[after.lowerBound...]), by: icecast))
        #expect(run.sink.statistics.sentUnitCount == units.count && run.sink.statistics.lostUnitCount == 0)
        // What was sent after the server's end was refused and comes again; none comes twice.
        #expect(before.lowerBound == 0 && before.upperBound <= after.lowerBound && after.lowerBound <= 301)
        #expect(run.events.contains { if case .disconnected = $0 { true } else { false } })
    }

    @Test("While the server is stopped units wait and are counted when they are lost, and the stream goes on afterwards")
    func stopped() async throws {
        let icecast = try IcecastProcess()
        // More than the buffers of both systems hold.
        let units = LiveUnits.random(1200, sizes: 3000...5000, seed: 6)
        let limits = StreamingRun.limits(step: .seconds(1), queue: .seconds(5))
        let run = StreamingRun(icecast.destination(timeout: limits.step), limits: limits)
        #expect(try await run.waitForConnection())
        try await run.append(units.prefix(100))
        icecast.server.send(SIGSTOP)
        try await run.append(units[100..<1100], every: .microseconds(500))
        #expect(try await waitUntil { run.events.contains { if case .disconnected(.network(.timedOut), _) = $0 { true } else { false } } })
        #expect(run.sink.statistics.lostUnitCount > 0)
        icecast.server.send(SIGCONT)
        #expect(try await run.waitForConnection(2))
        try await run.append(units[1100...])
        try await run.finish()
        let statistics = run.sink.statistics
        #expect(statistics.sentUnitCount + statistics.lostUnitCount == units.count)
        #expect(run.sink.status == .finished)
        // The last unit may be in the server's last block, which it discards; the one before the last block is not.
        let last = try LiveUnits.adts(units.suffix(10).dropLast())
        #expect(Data(icecast.dump).range(of: Data(last)) != nil)
    }

    @Test("A server that stays stopped delays the end of the stream no longer than the limit")
    func stoppedForGood() async throws {
        let icecast = try IcecastProcess()
        let units = LiveUnits.random(1000, sizes: 3000...5000, seed: 7)
        var limits = StreamingRun.limits()
        limits.closing = .seconds(1)
        let run = StreamingRun(icecast.destination(), limits: limits)
        #expect(try await run.waitForConnection())
        icecast.server.send(SIGSTOP)
        try await run.append(units, every: .zero)
        let start = ContinuousClock.now
        try await run.finish()
        #expect(ContinuousClock.now - start < .seconds(5))
        let statistics = run.sink.statistics
        #expect(statistics.sentUnitCount + statistics.lostUnitCount == units.count && statistics.lostUnitCount > 0)
    }

    @Test("A service that is none of HTTP, and a port without a service, are told apart")
    func otherServices() async throws {
        let port = try LiveServer.freePort()
        var address = try IcecastAddress("icecast://source:pw@127.0.0.1:\(port)/a")
        #expect(throws: StreamingError.network(.failed(.connect, code: ECONNREFUSED))) {
            try IcecastDestination(address, timeout: .seconds(5)).connect(.stereo48(), abort: ConnectionAbort())
        }
        let folder = try TemporaryFolder()
        let script = """
            import socket
            s = socket.create_server(('127.0.0.1', \(port)))
            s.accept()
            c = []
            while True: c.append(s.accept()[0]); c[-1].send(b'SSH-2.0-test\\r\\n')
            """
        let path = try folder.write(Array(script.utf8), to: "server.py")
        let server = try LiveServer("python3", in: folder, [path], port: port)
        address.password = "not shown"
        #expect(throws: StreamingError.network(.timedOut(.handshake, after: .seconds(2)))) {
            try IcecastDestination(address, timeout: .seconds(2)).connect(.stereo48(), abort: ConnectionAbort())
        }
        server.kill()
    }

    @Test("A stream does not wait for a title that the server does not take")
    func stoppedDuringTitle() async throws {
        let icecast = try IcecastProcess()
        let connection = try icecast.destination().connect(.stereo48(), abort: ConnectionAbort())
        icecast.server.send(SIGSTOP)
        let start = ContinuousClock.now
        for unit in LiveUnits.random(100, sizes: 100...100, seed: 9) {
            try connection.setTitle("Title \(unit.presentationTime.value)")
            try connection.send(unit)
        }
        // The system's buffers hold these units; the server would answer a title only after this test.
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

    @Test("A server that does not answer is left within the time, and at once when the stream ends")
    func stoppedLogin() throws {
        let icecast = try IcecastProcess()
        icecast.server.send(SIGSTOP)
        #expect(throws: StreamingError.network(.timedOut(.handshake, after: .seconds(1)))) {
            try icecast.destination(timeout: .seconds(1)).connect(.stereo48(), abort: ConnectionAbort())
        }
        let abort = ConnectionAbort()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { abort.request() }
        #expect(throws: StreamingError.network(.aborted)) {
            try icecast.destination(timeout: .seconds(60)).connect(.stereo48(), abort: abort)
        }
    }

    @Test("Units that the server's system has not received are unconfirmed, to the unit")
    func unconfirmed() async throws {
        let icecast = try IcecastProcess()
        let connection = try icecast.destination(timeout: .milliseconds(300)).connect(.stereo48(), abort: ConnectionAbort())
        icecast.server.send(SIGSTOP)
        let unit = LiveUnits.random(1, sizes: 4000...4000, seed: 10)[0]
        var sentCount = 0
        #expect(throws: StreamingError.network(.timedOut(.send, after: .milliseconds(300)))) {
            // The buffers of both systems hold less than 40 MB.
            while sentCount < 10_000 {
                sentCount += 1
                try connection.send(unit)
            }
        }
        let unconfirmedCount = connection.unconfirmedUnitCount
        #expect(unconfirmedCount > 1 && unconfirmedCount < sentCount)
        icecast.server.kill()
        try connection.close(isComplete: false)
        #expect(connection.unconfirmedUnitCount == unconfirmedCount)
    }
}
