// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import TestSupport
import Testing

@Suite(.serialized) struct IcecastServerTests {
    /// The server's block size.
    ///
    /// It discards an incomplete last block when the source leaves.
    static let blockSize = 1400

    /// Whether the server has stored a stream up to its last complete block.
    static func isStored(_ accessUnits: [AccessUnit], by icecast: IcecastProcess) throws -> Bool {
        let (stored, stream) = (icecast.dump, try LiveUnits.adts(accessUnits))
        return stored.elementsEqual(stream.prefix(stored.count)) && stream.count - stored.count < blockSize
    }

    /// Finds the access units in a part of a stream.
    ///
    /// - Returns: The indices of the complete access units in `part`, which may start and end inside one; `nil` if it is not part of the
    ///   stream.
    static func range(of part: [UInt8], in accessUnits: [AccessUnit]) throws -> Range<Int>? {
        let stream = Data(try LiveUnits.adts(accessUnits))
        guard let found = stream.range(of: Data(part)) else { return nil }
        var (start, first, end) = (0, nil as Int?, 0)
        for (index, accessUnit) in accessUnits.enumerated() {
            let next = start + 7 + accessUnit.payload.count
            if start >= found.lowerBound, first == nil { first = index }
            if next <= found.upperBound { end = index + 1 }
            start = next
        }
        let lower = first ?? accessUnits.count
        return lower..<max(lower, end)
    }

    @Test("Listener gets the exact stream, and FFmpeg decodes it without messages")
    func stream() async throws {
        let icecast = try IcecastProcess()
        let accessUnits = try LiveUnits.noise(seconds: 4)
        var address = try icecast.address()
        address.stationName = "Linnet"
        address.genre = "Talk"
        address.stationDescription = "A test; of several words"
        let run = StreamingRun(IcecastDestination(address, timeout: .seconds(10)))
        #expect(try await run.waitForConnection(), "\(run.events)")
        let listener = try IcecastListener(port: icecast.port, path: "/talk.aac")
        #expect(listener.header.contains("Content-Type: audio/aac"))
        try await run.append(accessUnits)
        // When the source leaves, the server discards data that it has not passed on.
        let stream = try LiveUnits.adts(accessUnits)
        #expect(try await waitUntil { listener.bytes.count > stream.count - 8192 })
        let status = try icecast.status()
        for text in [
            "\"server_type\":\"audio/aac\"", "bitrate=128", "\"genre\":\"Talk\"", "\"server_name\":\"Linnet\"", "A test; of several words",
        ] {
            #expect(status.contains(text), "\(text) in \(status)")
        }
        try await run.finish()
        let received = listener.waitForEnd()
        let isPrefix = received.elementsEqual(stream.prefix(received.count))
        #expect(isPrefix && stream.count - received.count < 8192)
        #expect(try Self.isStored(accessUnits, by: icecast))
        #expect(run.sink.statistics.sentUnitCount == accessUnits.count && run.sink.statistics.lostUnitCount == 0)
        // Skips the last frame, which may be incomplete.
        let frames = try #require(try Self.range(of: icecast.dump, in: accessUnits))
        let decoded = try LiveUnits.decode(try LiveUnits.adts(Array(accessUnits[frames])), "talk.aac")
        #expect(decoded.messages == "")
        #expect(decoded.frameCount == frames.count * 1024 && frames.lowerBound == 0)
        #expect(run.events == [.connected(number: 1), .finished])
    }

    @Test("Listeners and server status see titles in any language during the stream")
    func titles() async throws {
        let icecast = try IcecastProcess()
        let accessUnits = LiveUnits.random(2000, sizes: 200...400, seed: 3)
        let run = StreamingRun(try icecast.destination())
        #expect(try await run.waitForConnection(), "\(run.events)")
        let listener = try IcecastListener(port: icecast.port, path: "/talk.aac", titles: true)
        run.sink.title = "Käse & Brot 100 %"
        try await run.append(accessUnits.prefix(500))
        #expect(try await waitUntil { try icecast.status().contains("Käse & Brot 100 %") })
        run.sink.title = "鳥の歌"
        // The server shows a title with the next audio.
        try await run.append(accessUnits.dropFirst(500))
        #expect(try await waitUntil { try icecast.status().contains("鳥の歌") })
        #expect(try await waitUntil { listener.divided().titles.contains("StreamTitle='鳥の歌';") })
        try await run.finish()
        _ = listener.waitForEnd()
        let (audio, titles) = listener.divided()
        #expect(titles.last == "StreamTitle='鳥の歌';")
        let stream = try LiveUnits.adts(accessUnits)
        let isPrefix = audio.elementsEqual(stream.prefix(audio.count))
        #expect(isPrefix && stream.count - audio.count < 16_384)
        #expect(try Self.isStored(accessUnits, by: icecast))
    }

    @Test("Wrong password fails the destination, and the error does not contain it")
    func wrongPassword() async throws {
        let icecast = try IcecastProcess()
        let address = try icecast.address(password: "wrong-password")
        let run = StreamingRun(IcecastDestination(address, timeout: .seconds(10)))
        #expect(try await waitUntil { if case .failed = run.sink.status { true } else { false } })
        guard case .failed(.rejected(let step, let code, let words)) = run.sink.status else {
            Issue.record("\(run.sink.status)")
            return
        }
        #expect(step == "the stream" && code == "401" && words == "You need to authenticate (wrong user name or password)")
        #expect(!"\(run.sink.status)".contains("wrong-password") && !run.sink.name.contains("wrong-password"))
        #expect(throws: StreamingError.self) { try run.sink.append(AccessUnit(number: 0)) }
        try? await run.finish()
    }

    @Test("Mount point in use is rejected without affecting the other source")
    func mountTaken() async throws {
        let icecast = try IcecastProcess()
        let accessUnits = LiveUnits.random(300, sizes: 100...300, seed: 4)
        let first = StreamingRun(try icecast.destination())
        #expect(try await first.waitForConnection(), "\(first.events)")
        try await first.append(accessUnits.prefix(100))
        let second = StreamingRun(try icecast.destination())
        #expect(try await waitUntil { if case .failed = second.sink.status { true } else { false } })
        let refusal = StreamingError.rejected(step: "the stream", code: "403", description: "Mountpoint in use")
        #expect(second.sink.status == .failed(refusal))
        try? await second.finish()
        try await first.append(accessUnits.dropFirst(100))
        try await first.finish()
        #expect(try Self.isStored(accessUnits, by: icecast))
    }

    @Test("Mount point with an encoded character matches the address")
    func encodedMount() async throws {
        let icecast = try IcecastProcess()
        let run = StreamingRun(try icecast.destination("/my%20talk.aac"))
        #expect(try await run.waitForConnection(), "\(run.events)")
        run.sink.title = "Here"
        try await run.append(LiveUnits.random(100, sizes: 300...300, seed: 12))
        #expect(try await waitUntil { try icecast.status().contains("/my talk.aac") })
        try await run.finish()
    }

    @Test("Server at its source limit reports it")
    func full() async throws {
        let icecast = try IcecastProcess(sourceLimit: 1)
        let connection = try icecast.destination().connect(.stereo48(), abort: ConnectionAbort())
        let refusal = StreamingError.rejected(step: "the stream", code: "403", description: "too many sources connected")
        #expect(throws: refusal, "\(icecast.log)") {
            try icecast.destination("/other.aac").connect(.stereo48(), abort: ConnectionAbort())
        }
        try connection.close(isComplete: true)
    }

    @Test("Simultaneous streams count their own access units")
    func simultaneous() async throws {
        let icecast = try IcecastProcess()
        let destinations = try (0..<8).map { try icecast.destination("/socket-\($0).aac") }
        try await withThrowingTaskGroup { group in
            for (index, destination) in destinations.enumerated() {
                group.addTask {
                    let connection = try destination.connect(.stereo48(), abort: ConnectionAbort())
                    try connection.send(AccessUnit(number: index))
                    try connection.close(isComplete: true)
                    #expect(connection.unconfirmedUnitCount == 0)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A hundred connections leak no descriptors or threads")
    func leaks() async throws {
        let icecast = try IcecastProcess()
        var descriptorCount = 0
        for round in 0..<110 {
            // A mount point is not free at once after its source has left.
            let destination = try icecast.destination("/leak-\(round).aac")
            let connection = try destination.connect(.stereo48(), abort: ConnectionAbort())
            try (connection as? any TitledConnection)?.setTitle("Title \(round)")
            try connection.send(AccessUnit(number: round))
            try connection.close(isComplete: round % 2 == 0)
            #expect(try await waitUntil { try !icecast.status().contains("/leak-") })
            if round == 9 { descriptorCount = try openDescriptorCount() }
        }
        #expect(try await waitUntil { try openDescriptorCount() <= descriptorCount + 40 })
        #expect(try await waitUntil { try threadCount() < 100 })
    }
}
