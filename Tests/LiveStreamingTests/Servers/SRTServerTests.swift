// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import TestSupport
import Testing

#if os(Linux)
@Suite(.serialized) struct SRTServerTests {
    private static let passphrase = "a-s3cret-of-words"

    private func destination(_ url: String, timeout: Duration = .seconds(10), origin: Int64 = 0) throws -> SRTDestination {
        SRTDestination(try SRTAddress(url), timeout: timeout, origin: origin)
    }

    /// Sends access units to a listening receiver.
    ///
    /// Returns its stored data.
    private func send(_ accessUnits: [AccessUnit], options: String = "", origin: Int64 = 0) async throws -> [UInt8] {
        let port = try LiveServer.freePort()
        let receiver = try SRTReceiverProcess("srt://127.0.0.1:\(port)?mode=listener\(options)")
        let run = StreamingRun(try destination("srt://127.0.0.1:\(port)?\(options)", origin: origin))
        #expect(try await run.waitForConnection())
        try await run.append(accessUnits)
        try await run.finish()
        let statistics = run.sink.statistics
        #expect(statistics.sentUnitCount == accessUnits.count && statistics.lostUnitCount == 0 && statistics.connectionCount == 1)
        #expect(statistics.sentByteCount == accessUnits.reduce(0) { $0 + $1.payload.count })
        let payloads = accessUnits.map(\.payload)
        #expect(try await waitUntil { receiver.payloads == payloads })
        return receiver.bytes
    }

    @Test("All access units arrive exactly, and FFmpeg decodes them without messages")
    func caller() async throws {
        let accessUnits = try LiveUnits.noise(seconds: 3)
        let decoded = try LiveUnits.decode(try await send(accessUnits), "received.ts")
        #expect(decoded.messages == "" && decoded.frameCount == accessUnits.count * 1024)
    }

    @Test("Access units of all sizes arrive", arguments: [11, 12])
    func sizes(seed: UInt64) async throws {
        _ = try await send(LiveUnits.random(150, sizes: seed == 11 ? 1...4000 : 1...10, seed: seed))
    }

    @Test("Timestamps wrap around at 2^33, and FFmpeg continues decoding")
    func wrap() async throws {
        let accessUnits = try LiveUnits.noise(seconds: 4)
        // The clock wraps around after one second, the timestamps 0.7 s earlier.
        let bytes = try await send(accessUnits, origin: (1 << 33) - 90_000)
        let decoded = try LiveUnits.decode(bytes, "received.ts")
        #expect(decoded.messages == "" && decoded.frameCount == accessUnits.count * 1024)
    }

    @Test("Encrypted stream arrives with the same passphrase", arguments: [16, 24, 32])
    func encryption(keyLength: Int) async throws {
        _ = try await send(LiveUnits.random(100, sizes: 1...500, seed: 13), options: "&passphrase=\(Self.passphrase)&pbkeylen=\(keyLength)")
    }

    @Test("Wrong or missing passphrase is rejected with libsrt's text, without the passphrase", arguments: [true, false])
    func wrongPassphrase(isGiven: Bool) async throws {
        let port = try LiveServer.freePort()
        let receiver = try SRTReceiverProcess("srt://127.0.0.1:\(port)?mode=listener&passphrase=the-right-one")
        defer { receiver.kill() }
        let run = StreamingRun(try destination("srt://127.0.0.1:\(port)\(isGiven ? "?passphrase=the-wrong-one" : "")"))
        #expect(try await waitUntil { if case .failed = run.sink.status { true } else { false } })
        guard case .failed(.rejected(let step, let code, let words)) = run.sink.status else {
            Issue.record("\(run.sink.status)")
            return
        }
        #expect(step == "the connection" && code == (isGiven ? "10" : "11") && words != "")
        #expect(!"\(run.sink.status)".contains("wrong-one"))
        try? await run.finish()
    }

    @Test("Receiver gets the stream ID and whole transport stream packets")
    func streamID() async throws {
        let port = try LiveServer.freePort()
        let listener = try LibraryReceiver(port: port)
        let run = StreamingRun(try destination("srt://127.0.0.1:\(port)?streamid=%23!%3A%3Ar%3Dtalk&latency=300"))
        let accessUnits = LiveUnits.random(100, sizes: 100...900, seed: 14)
        let accepted = try #require(try await listener.accept())
        #expect(accepted.streamID == "#!::r=talk" && accepted.latency == 300)
        try await run.append(accessUnits)
        let payloads = accessUnits.map(\.payload)
        async let end: Void = run.finish()
        #expect(
            try await waitUntil {
                accepted.receive()
                return LiveUnits.payloads(ofTransportStream: accepted.packets.flatMap(\.self)) == payloads
            })
        try await end
        #expect(accepted.packets.allSatisfy { $0.count % 188 == 0 && $0.count <= 7 * 188 })
    }

    @Test("Listener waits for receivers in sequence; access units without a receiver are counted")
    func listener() async throws {
        let port = try LiveServer.freePort()
        let accessUnits = LiveUnits.random(700, sizes: 100...300, seed: 15)
        let run = StreamingRun(
            try destination("srt://:\(port)?mode=listener", timeout: .seconds(2)),
            limits: StreamingRun.limits(step: .seconds(2), queue: .milliseconds(1000)))
        try await run.append(accessUnits.prefix(200))
        #expect(run.sink.status == .connecting && run.sink.statistics.lostUnitCount == 200 - 46)
        let first = try SRTReceiverProcess("srt://127.0.0.1:\(port)?mode=caller")
        #expect(try await run.waitForConnection())
        try await run.append(accessUnits[200..<300], every: .milliseconds(10))
        // Waits until everything is delivered, so that nothing is lost with the receiver.
        #expect(try await waitUntil { first.payloads.last == accessUnits[299].payload })
        first.kill()
        #expect(try await waitUntil { run.sink.status != .streaming })
        let second = try SRTReceiverProcess("srt://127.0.0.1:\(port)?mode=caller")
        #expect(try await run.waitForConnection(2))
        try await run.append(accessUnits[300...], every: .milliseconds(10))
        try await run.finish()
        #expect(try await waitUntil { second.payloads.last == accessUnits.last?.payload })
        let arrived = Self.numbers(of: first.payloads, in: accessUnits) + Self.numbers(of: second.payloads, in: accessUnits)
        let statistics = run.sink.statistics
        // Each access unit arrives once and in order, or is counted.
        #expect(zip(arrived, arrived.dropFirst()).allSatisfy(<))
        #expect(statistics.sentUnitCount == arrived.count && statistics.lostUnitCount == accessUnits.count - arrived.count)
    }

    /// Maps payloads to access unit numbers.
    private static func numbers(of payloads: [[UInt8]], in accessUnits: [AccessUnit]) -> [Int] {
        let numbers = Dictionary(accessUnits.enumerated().map { ($1.payload, $0) }) { first, _ in first }
        return payloads.map { numbers[$0] ?? -1 }
    }

    @Test("FFmpeg receives the stream")
    func ffmpeg() async throws {
        let port = try LiveServer.freePort()
        let folder = try TemporaryFolder()
        let accessUnits = try LiveUnits.noise(seconds: 8)
        let receiver = try LiveServer(
            "ffmpeg", in: folder,
            ["-v", "error", "-i", "srt://127.0.0.1:\(port)?mode=listener", "-c", "copy", "-f", "adts", folder.path("out.aac")], port: 0)
        let run = StreamingRun(try destination("srt://127.0.0.1:\(port)"))
        let isConnected = try await run.waitForConnection()
        let log = { (try? String(contentsOfFile: folder.path("server.log"), encoding: .utf8)) ?? "" }
        try #require(isConnected, "\(log()) \(run.events)")
        try await run.append(accessUnits)
        try await run.finish()
        let expected = accessUnits.map(\.payload)
        #expect(
            try await waitUntil {
                ADTSFrames((try? bytes(ofFile: folder.path("out.aac"))) ?? [])?.accessUnits == expected
            })
        receiver.kill()
        // FFmpeg reports the end of the connection as an error.
        #expect(log().split(separator: "\n").allSatisfy { $0.hasSuffix(": Input/output error") })
    }
}
#endif
