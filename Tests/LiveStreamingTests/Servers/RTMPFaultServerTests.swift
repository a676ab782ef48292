// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct RTMPFaultServerTests {
    private let stream: SampleStream

    init() throws { stream = try SampleStream("tone") }

    @Test("Recordings of a killed server and the losses together equal the sent audio, on one timeline")
    func killed() async throws {
        let server = try RTMPServer()
        var limits = RTMPServerTests.limits()
        // Access units are sent faster than in real time.
        limits.queueDuration = .seconds(60)
        let sink = StreamingSink(RTMPDestination(try server.address(), timeout: .seconds(8)), limits: limits)
        sink.begin(stream.format)
        var number = 0
        func send(while condition: () throws -> Bool) async throws {
            while try condition() {
                try sink.append(stream.accessUnit(number))
                number += 1
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        try await send { number < 100 }
        // Data received by the server's system counts as delivered, so wait until the server has read it.
        #expect(try await waits { try server.recordings.last?.count(where: \.isUnit) == number })
        server.server.kill()
        // More than one second, after which the recording has another name.
        let end = ContinuousClock.now + .milliseconds(1100)
        try await send { ContinuousClock.now < end }
        let lostNumber = number
        try server.server.start()
        try await send { number < lostNumber + 100 }
        #expect(await waits { sink.statistics.connectionCount > 1 })
        try sink.finish(nil)
        #expect(await waits { server.log.contains("deleteStream") })
        let recordings = try server.recordings.map { $0.filter(\.isUnit) }
        #expect(recordings.count == 2)
        #expect(recordings.map(\.count).reduce(0, +) + sink.statistics.lostUnitCount == number)
        #expect(sink.statistics.sentUnitCount + sink.statistics.lostUnitCount == number)
        #expect(sink.statistics.lostUnitCount == 0)
        #expect(recordings.flatMap { $0.map(\.payload) } == (0..<number).map(stream.payload))
    }

    @Test("Server missing for longer than the queue loses exactly the oldest access units")
    func lost() async throws {
        let server = try RTMPServer()
        var limits = RTMPServerTests.limits()
        limits.queueDuration = .seconds(2)
        let sink = StreamingSink(RTMPDestination(try server.address(), timeout: .seconds(8)), limits: limits)
        sink.begin(stream.format)
        for number in 0..<50 { try sink.append(stream.accessUnit(number)) }
        #expect(try await waits { try server.recordings.last?.count(where: \.isUnit) == 50 })
        server.server.kill()
        #expect(await waits { sink.status == .waiting })
        for number in 50..<400 { try sink.append(stream.accessUnit(number)) }
        try await Task.sleep(for: .milliseconds(1100))
        try server.server.start()
        #expect(await waits { sink.statistics.connectionCount > 1 })
        try sink.finish(nil)
        #expect(try await waits { try server.recordings.count == 2 })
        let recordings = try server.recordings.map { $0.filter(\.isUnit) }
        #expect(recordings.map(\.count).reduce(0, +) + sink.statistics.lostUnitCount == 400)
        #expect(sink.statistics.lostUnitCount >= 350 - 94)
        let last = recordings.last?.map(\.payload) ?? []
        #expect(last == (400 - last.count..<400).map(stream.payload))
    }

    @Test("Timestamps continue across connections, and each access unit arrives once")
    func timeline() async throws {
        var behaviour = SocketServer.Behaviour()
        behaviour.byteLimit = 20_000
        let server = try SocketServer(behaviour)
        defer { server.end() }
        let origin = Int64(1) << 32 - 1500
        let address = try #require(RTMPAddress("rtmp://127.0.0.1:\(server.port)/live/talk"))
        let sink = StreamingSink(RTMPDestination(address, timeout: .seconds(8), origin: origin), limits: RTMPServerTests.limits())
        sink.begin(stream.format)
        for part in 0..<3 {
            for number in 0..<100 { try sink.append(stream.accessUnit(100 * part + number)) }
            #expect(await waits { server.accessUnits.count == part + 1 && server.accessUnits[part].count == 100 })
            if part < 2 { #expect(await waits { server.closedCount.load(ordering: .relaxed) > part }) }
        }
        try sink.finish(nil)
        #expect(sink.statistics.sentUnitCount == 300 && sink.statistics.connectionCount == 3)
        let connections = server.accessUnits
        #expect(connections.map(\.count) == [100, 100, 100])
        #expect(connections.flatMap { $0.map(\.payload) } == (0..<300).map(stream.payload))
        let timestamps = (0..<300).map { UInt32(truncatingIfNeeded: stream.timestamp($0) + origin) }
        #expect(connections.flatMap { $0.map(\.timestamp) } == timestamps)
        #expect(server.commandNames.last?.suffix(2) == ["FCUnpublish", "deleteStream"])
    }

    @Test("Briefly stopped server delays access units without losses or duplicates")
    func stopped() async throws {
        let server = try RTMPServer()
        let sink = StreamingSink(RTMPDestination(try server.address(), timeout: .seconds(20)), limits: RTMPServerTests.limits())
        sink.begin(stream.format)
        #expect(await waits { sink.status == .streaming })
        server.server.send(SIGSTOP)
        for number in 0..<400 { try sink.append(stream.accessUnit(number)) }
        try await Task.sleep(for: .seconds(1))
        server.server.send(SIGCONT)
        try sink.finish(nil)
        #expect(sink.statistics.lostUnitCount == 0 && sink.statistics.connectionCount == 1)
        #expect(try await waits { try server.recordings.last?.count(where: \.isUnit) == 400 })
    }

    @Test("Server stopped beyond the timeout loses the connection; the stream resumes later")
    func stoppedForLong() async throws {
        let server = try RTMPServer(application: "drop_idle_publisher 1s;")
        var limits = RTMPServerTests.limits(step: .seconds(1))
        limits.queueDuration = .seconds(5)
        let sink = StreamingSink(RTMPDestination(try server.address(), timeout: limits.step), limits: limits)
        var events = sink.events.makeAsyncIterator()
        sink.begin(stream.format)
        #expect(await waits { sink.status == .streaming })
        server.server.send(SIGSTOP)
        var number = 0
        // More than the buffers of both systems hold, which is several megabytes.
        while sink.status == .streaming, number < 200_000 {
            try sink.append(stream.accessUnit(number))
            number += 1
            if number % 50 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(sink.status != .streaming)
        _ = await events.next()
        guard case .disconnected(let error, _)? = await nextDisconnection(&events) else { return }
        #expect(error == .timedOut(.send, after: limits.step))
        server.server.send(SIGCONT)
        #expect(await waits { sink.statistics.connectionCount > 1 && sink.status == .streaming })
        try sink.finish(nil)
        #expect(sink.statistics.sentUnitCount + sink.statistics.lostUnitCount == number)
    }

    /// Returns the next disconnection event.
    private func nextDisconnection(_ events: inout AsyncStream<StreamingEvent>.Iterator) async -> StreamingEvent? {
        while let event = await events.next() { if case .disconnected = event { return event } }
        return nil
    }

    @Test("Server reading 2 kB/s loses the oldest access units without delaying recording or end")
    func slow() async throws {
        var behaviour = SocketServer.Behaviour()
        behaviour.bytesPerTenth = 200
        let server = try SocketServer(behaviour)
        defer { server.end() }
        var limits = RTMPServerTests.limits(step: .seconds(20))
        limits.queueDuration = .seconds(1)
        limits.closing = .seconds(1)
        let address = try #require(RTMPAddress("rtmp://127.0.0.1:\(server.port)/live/talk"))
        let sink = StreamingSink(RTMPDestination(address, timeout: limits.step), limits: limits)
        sink.begin(stream.format)
        #expect(await waits { sink.status == .streaming })
        let clock = ContinuousClock()
        var longest = Duration.zero
        for number in 0..<1500 {
            let start = clock.now
            try sink.append(stream.accessUnit(number))
            longest = max(longest, clock.now - start)
            if number % 10 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(longest < .seconds(1))
        let start = clock.now
        try? sink.finish(nil)
        #expect(clock.now - start < .seconds(10))
        #expect(sink.statistics.lostUnitCount > 0)
        #expect(sink.statistics.sentUnitCount + sink.statistics.lostUnitCount == 1500)
        #expect(sink.statistics.connectionCount == 1)
    }

    @Test("Silent or trickling server times out")
    func silent() throws {
        var behaviour = SocketServer.Behaviour()
        behaviour.answers = false
        let server = try SocketServer(behaviour)
        defer { server.end() }
        let address = try #require(RTMPAddress("rtmp://127.0.0.1:\(server.port)/live/talk"))
        let destination = RTMPDestination(address, timeout: .milliseconds(500))
        #expect(throws: StreamingError.timedOut(.handshake, after: .milliseconds(500))) {
            try destination.connect(stream.format, abort: ConnectionAbort())
        }
    }

    @Test("Connections leak no descriptors or threads", arguments: [false, true])
    func leaks(isEncrypted: Bool) async throws {
        let certificate = try TestCertificate(["IP:127.0.0.1"])
        let server = try RTMPServer(certificate: certificate)
        let asked = ProcessInfo.processInfo.environment["LINNET_CONNECTION_COUNT"].flatMap { Int($0) }
        let count = asked ?? 100
        // Other suites open files and start threads in parallel, unless this one runs alone.
        let tolerance = asked == nil ? count / 4 : 4
        let url = "\(isEncrypted ? "rtmps" : "rtmp")://127.0.0.1:\(isEncrypted ? server.encryptedPort ?? 0 : server.port)/live/talk"
        let counts = { try ["fd", "task"].map { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\($0)").count } }
        let failures = Mutex<[String]>([])
        /// Opens many connections from several threads, each of which mostly waits.
        func connect(_ count: Int) {
            let group = DispatchGroup()
            for thread in 0..<20 {
                group.enter()
                Thread {
                    for round in 0..<count / 20 {
                        do {
                            // A unique name, because the server may not have seen the end of the previous connection.
                            let address = try #require(RTMPAddress(url + "-\(thread)-\(count)-\(round)"))
                            let destination = RTMPDestination(
                                address, timeout: .seconds(20), authorities: certificate.authorityPath)
                            let connection = try destination.connect(stream.format, abort: ConnectionAbort())
                            try connection.send(stream.accessUnit(round))
                            try connection.close(isComplete: (thread + round) % 2 == 0)
                        } catch {
                            failures.withLock { $0.append("\(error)") }
                        }
                    }
                    group.leave()
                }.start()
            }
            group.wait()
        }
        connect(20)
        let before = try counts()
        connect(count)
        #expect(failures.withLock { $0 } == [])
        let isClean = try await waits { try zip(counts(), before).allSatisfy { $0 <= $1 + tolerance } }
        let after = try counts()
        #expect(isClean, "\(before) before, \(after) after")
    }
}
