// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import TestSupport
import Testing

#if os(Linux)
@Suite(.serialized) struct SRTFaultServerTests {
    private func destination(_ port: Int, timeout: Duration = .seconds(1), options: String = "") throws -> SRTDestination {
        SRTDestination(try SRTAddress("srt://127.0.0.1:\(port)\(options)"), timeout: timeout)
    }

    /// Maps payloads to access unit numbers.
    private func numbers(of payloads: [[UInt8]], in accessUnits: [AccessUnit]) -> [Int] {
        let numbers = Dictionary(accessUnits.enumerated().map { ($1.payload, $0) }) { first, _ in first }
        return payloads.map { numbers[$0] ?? -1 }
    }

    @Test("Stream resumes after the receiver was restarted; every access unit arrives once or is counted")
    func killed() async throws {
        let port = try LiveServer.freePort()
        let first = try SRTReceiverProcess("srt://127.0.0.1:\(port)?mode=listener")
        let accessUnits = LiveUnits.random(500, sizes: 100...300, seed: 21)
        let run = StreamingRun(try destination(port), limits: StreamingRun.limits(step: .seconds(1), queue: .seconds(3)))
        #expect(try await run.waitForConnection())
        try await run.append(accessUnits.prefix(100))
        // Waits until everything is delivered, so that nothing is lost with the receiver.
        #expect(try await waitUntil { first.payloads.last == accessUnits[99].payload })
        first.kill()
        try await run.append(accessUnits[100..<400], every: .milliseconds(5))
        #expect(try await waitUntil { run.sink.status != .streaming })
        let second = try SRTReceiverProcess("srt://127.0.0.1:\(port)?mode=listener")
        #expect(try await run.waitForConnection(2))
        try await run.append(accessUnits[400...], every: .milliseconds(25))
        try await run.finish()
        #expect(try await waitUntil { second.payloads.last == accessUnits.last?.payload })
        let arrived = numbers(of: first.payloads, in: accessUnits) + numbers(of: second.payloads, in: accessUnits)
        let statistics = run.sink.statistics
        #expect(zip(arrived, arrived.dropFirst()).allSatisfy(<))
        #expect(statistics.sentUnitCount == arrived.count && statistics.lostUnitCount == accessUnits.count - arrived.count)
        #expect(statistics.lostUnitCount > 0)
    }

    @Test("Access units queue while the receiver is stopped, and all arrive later")
    func stopped() async throws {
        let port = try LiveServer.freePort()
        let receiver = try SRTReceiverProcess("srt://127.0.0.1:\(port)?mode=listener")
        let accessUnits = LiveUnits.random(300, sizes: 100...300, seed: 22)
        let run = StreamingRun(try destination(port, timeout: .seconds(20)))
        #expect(try await run.waitForConnection())
        try await run.append(accessUnits.prefix(100))
        #expect(try await waitUntil { receiver.payloads.count > 50 })
        receiver.send(SIGSTOP)
        try await run.append(accessUnits[100...])
        // More is unconfirmed than the library's send buffer can hold.
        #expect(run.sink.statistics.sentUnitCount < accessUnits.count)
        try await Task.sleep(for: .milliseconds(500))
        receiver.send(SIGCONT)
        try await run.finish()
        #expect(run.sink.statistics.sentUnitCount == accessUnits.count)
        #expect(run.sink.statistics.connectionCount == 1 && run.sink.statistics.lostUnitCount == 0)
        #expect(try await waitUntil { receiver.payloads.last == accessUnits.last?.payload })
    }

    @Test("Stopped receiver does not delay the end beyond the limit, and losses are counted")
    func stoppedForGood() async throws {
        let port = try LiveServer.freePort()
        let receiver = try SRTReceiverProcess("srt://127.0.0.1:\(port)?mode=listener")
        let accessUnits = LiveUnits.random(600, sizes: 500...1500, seed: 23)
        var limits = StreamingRun.limits(step: .seconds(20))
        limits.closing = .seconds(1)
        let run = StreamingRun(try destination(port, timeout: .seconds(20)), limits: limits)
        #expect(try await run.waitForConnection())
        receiver.send(SIGSTOP)
        try await run.append(accessUnits, every: .zero)
        let start = ContinuousClock.now
        try await run.finish()
        #expect(ContinuousClock.now - start < .seconds(5))
        let statistics = run.sink.statistics
        #expect(statistics.sentUnitCount + statistics.lostUnitCount == accessUnits.count && statistics.lostUnitCount > 400)
    }

    @Test("Connecting without a receiver times out, and aborts when the stream ends")
    func noReceiver() async throws {
        let port = try LiveServer.freePort()
        #expect(throws: StreamingError.timedOut(.connect, after: .milliseconds(300))) {
            try destination(port, timeout: .milliseconds(300)).connect(.stereo48(), abort: ConnectionAbort())
        }
        for url in ["srt://127.0.0.1:\(port)", "srt://127.0.0.1:\(port)?mode=listener"] {
            let abort = ConnectionAbort()
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { abort.request() }
            let start = ContinuousClock.now
            #expect(throws: StreamingError.aborted) {
                try SRTDestination(try SRTAddress(url), timeout: .seconds(20)).connect(.stereo48(), abort: abort)
            }
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    @Test("Port in use throws the system's error")
    func portTaken() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        let port = try LiveServer.freePort()
        let address = try SocketAddress.resolve("127.0.0.1", port: port, for: .datagrams)[0]
        try #require(address.withPointer { bind(descriptor, $0, socklen_t($1)) } == 0)
        #expect(throws: StreamingError.connectionFailed(.connect, code: EADDRINUSE)) {
            try SRTDestination(try SRTAddress("srt://127.0.0.1:\(port)?mode=listener"), timeout: .seconds(1))
                .connect(.stereo48(), abort: ConnectionAbort())
        }
    }

    @Test("A hundred connections leak no descriptors or threads")
    func leaks() async throws {
        let port = try LiveServer.freePort()
        let receiver = try LibraryReceiver(port: port)
        let destination = try destination(port, timeout: .seconds(30))
        try open(10, of: destination, receiver)
        let counts = (descriptors: try openDescriptorCount(), threads: try threadCount())
        try open(100, of: destination, receiver)
        // libsrt frees resources some seconds after a connection, and other tests run in parallel.
        #expect(try await waitUntil { try openDescriptorCount() < counts.descriptors + 40 })
        #expect(try await waitUntil { try threadCount() < counts.threads + 40 })
    }

    /// Opens and closes connections.
    private func open(_ count: Int, of destination: SRTDestination, _ receiver: LibraryReceiver) throws {
        for round in 0..<count {
            let connection = try destination.connect(.stereo48(), abort: ConnectionAbort())
            try connection.send(AccessUnit(number: round))
            try connection.close(isComplete: round % 10 == 0)
            receiver.closeWaiting()
        }
    }
}
#endif
