// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import TestSupport
import Testing

/// Ogg Opus to an Icecast server.
@Suite(.serialized) struct IcecastOpusServerTests {
    private let icecast: IcecastProcess
    private let audio: CountedAudio

    init() async throws {
        icecast = try IcecastProcess("/talk.opus")
        audio = try await CountedAudio.makeOpus(seconds: 4, channelCount: 1, bitRate: 48_000)
    }

    /// The pages of a logical stream, with its headers.
    private struct Link {
        var pages: [OggPage]
        var head: [UInt8] { pages.first?.body ?? [] }
        var tags: String { pages.count > 1 ? String(decoding: pages[1].body, as: UTF8.self) : "" }
        var audio: ArraySlice<OggPage> { pages.dropFirst(2) }
        var preSkip: Int { head.count > 11 ? Int(head[10]) + 256 * Int(head[11]) : -1 }
    }

    /// Divides bytes into logical streams, whose pages must be in order.
    ///
    /// - Parameter isLate: Whether the headers may precede a later page.
    private func links(of bytes: [UInt8], isLate: Bool = false) -> [Link] {
        var parser = OggPageParser()
        parser.append(bytes)
        parser.finish()
        var links: [Link] = []
        while let event = parser.nextEvent() {
            // The server discards an incomplete last block.
            guard case .page(let page, _) = event else { continue }
            if page.isFirst { links.append(Link(pages: [])) }
            let last = links.last?.pages.last
            #expect(page.isFirst || last?.serialNumber == page.serialNumber && last?.isLast == false)
            let isNext = page.isFirst ? page.sequenceNumber == 0 : last.map { $0.sequenceNumber + 1 == page.sequenceNumber } ?? false
            #expect(isNext || isLate && links.last?.pages.count == 2)
            #expect(page.endingPacketCount > 0 || page.granulePosition == -1)
            if !links.isEmpty { links[links.count - 1].pages.append(page) }
        }
        return links
    }

    /// Waits until the server has stored the last page, and returns the links.
    private func storedLinks() async throws -> [Link] {
        #expect(try await waitUntil { links(of: icecast.dump).last?.pages.last?.isLast == true })
        return links(of: icecast.dump)
    }

    /// Decodes a stream with opusdec.
    ///
    /// Returns its samples at 48 kHz.
    private func decode(_ bytes: [UInt8]) throws -> [Float] {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "in.opus")
        let run = try ProgramRun(
            try ProgramRun.require("opusdec"), ["--quiet", "--float", "--rate", "48000", path, folder.path("out.wav")])
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        return try PCMBuffer(contentsOf: folder.path("out.wav")).channels[0]
    }

    /// Returns the samples of the whole stream, decoded from one file.
    private func reference() throws -> [Float] {
        var options = ContainerWriterOptions()
        options.priming = audio.format.primingFrames
        var writer = try AudioFileFormat.oggOpus.makeWriter(to: MemorySink(), audio.format.configuration, options: options)
        for accessUnit in audio.accessUnits { try writer.append(accessUnit) }
        try writer.finish()
        return try decode(writer.sink.bytes)
    }

    @Test("Listener gets intact pages of 0.2 s, and other decoders the exact samples")
    func stream() async throws {
        let run = StreamingRun(try icecast.destination(), audio.format)
        #expect(try await run.waitForConnection(), "\(run.events)")
        let listener = try IcecastListener(port: icecast.port, path: "/talk.opus")
        #expect(listener.header.contains("Content-Type: application/ogg") || listener.header.contains("Content-Type: audio/ogg"))
        try await run.append(audio.accessUnits)
        try await run.finish()
        let received = listener.waitForEnd()
        let link = try #require(try await storedLinks().first)
        #expect(link.head.starts(with: Array("OpusHead".utf8)) && link.tags.hasPrefix("OpusTags") && link.tags.contains("Linnet"))
        #expect(link.preSkip == audio.format.primingFrames && link.pages.last?.isLast == true)
        for (page, next) in zip(link.audio, link.audio.dropFirst()) { #expect(next.granulePosition - page.granulePosition <= 9600) }
        let expected = try reference()
        #expect(expected.count == audio.accessUnits.count * 960 - audio.format.primingFrames)
        #expect(try decode(icecast.dump) == expected)
        // When the source leaves, the server discards data that it has not passed on.
        let heard = try decode(received)
        #expect(heard.count > 3 * 48_000 && heard == Array(expected.prefix(heard.count)))
        let decoded = try LiveUnits.decode(icecast.dump, "talk.opus")
        #expect(decoded.messages == "" && decoded.frameCount == expected.count)
        #expect(run.sink.statistics.sentUnitCount == audio.accessUnits.count && run.sink.statistics.lostUnitCount == 0)
        #expect(run.events == [.connected(number: 1), .finished])
    }

    @Test("A late listener gets the headers first, and the last samples")
    func lateListener() async throws {
        let run = StreamingRun(try icecast.destination(), audio.format)
        #expect(try await run.waitForConnection(), "\(run.events)")
        try await run.append(audio.accessUnits.prefix(100))
        let listener = try IcecastListener(port: icecast.port, path: "/talk.opus")
        try await run.append(audio.accessUnits.dropFirst(100))
        try await run.finish()
        let received = listener.waitForEnd()
        let link = try #require(links(of: received, isLate: true).first)
        #expect(link.head.starts(with: Array("OpusHead".utf8)) && link.tags.hasPrefix("OpusTags"))
        let (first, last) = (try #require(link.audio.first), try #require(link.audio.last))
        #expect(first.granulePosition > 90 * 960 && last.granulePosition > 150 * 960)
        // The decoder has converged before the last second.
        let expected = try reference().prefix(Int(last.granulePosition) - link.preSkip).suffix(48_000)
        let errors = zip(try decode(received).suffix(48_000), expected).map { abs($0 - $1) }
        #expect(errors.count == 48_000 && errors.max() ?? 1 < 0.01, "\(errors.max() ?? 1)")
    }

    @Test("A new title starts a chained stream, in which no sample is missing")
    func titles() async throws {
        let run = StreamingRun(try icecast.destination(), audio.format)
        run.sink.title = "Käse & Brot"
        #expect(try await run.waitForConnection(), "\(run.events)")
        try await run.append(audio.accessUnits.prefix(103))
        #expect(try await waitUntil { run.sink.statistics.sentUnitCount > 90 })
        run.sink.title = "鳥の歌"
        try await run.append(audio.accessUnits.dropFirst(103))
        try await run.finish()
        let links = try await storedLinks()
        #expect(links.count == 2 && links[0].tags.contains("TITLE=Käse & Brot") && links[1].tags.contains("TITLE=鳥の歌"))
        #expect(Set(links.map { $0.pages[0].serialNumber }).count == 2 && links.allSatisfy { $0.pages.last?.isLast == true })
        #expect(links[1].preSkip == 3840)
        let (samples, expected) = (try decode(icecast.dump), try reference())
        #expect(samples.count == expected.count)
        let end = try #require(links[0].pages.last { $0.granulePosition > 0 }).granulePosition
        let change = Int(end) - links[0].preSkip
        #expect(samples[..<change] == expected[..<change])
        let errors = zip(samples, expected).map { abs($0 - $1) }
        #expect(errors.max() ?? 1 < 0.01, "\(errors.max() ?? 1)")
        #expect(run.sink.statistics.sentUnitCount == audio.accessUnits.count)
    }

    @Test("After the server was killed, a new Ogg stream continues with the first undelivered access unit")
    func killed() async throws {
        var limits = StreamingRun.limits()
        limits.shortestRetry = .seconds(2)
        limits.longestRetry = .seconds(2)
        let run = StreamingRun(try icecast.destination(), audio.format, limits: limits)
        #expect(try await run.waitForConnection(), "\(run.events)")
        try await run.append(audio.accessUnits.prefix(105))
        #expect(try await waitUntil { run.sink.statistics.sentUnitCount == 105 })
        icecast.server.kill()
        let before = links(of: icecast.dump)
        try FileManager.default.removeItem(atPath: icecast.dumpPath)
        try await run.append(audio.accessUnits[105..<120])
        try icecast.restart()
        #expect(try await run.waitForConnection(2))
        try await run.append(audio.accessUnits[120...])
        try await run.finish()
        let after = try await storedLinks()
        #expect(before.count == 1 && after.count == 1 && after[0].preSkip == 0 && after[0].tags.hasPrefix("OpusTags"))
        let expected = audio.accessUnits[105...].flatMap(\.payload)
        #expect(after[0].audio.flatMap(\.body) == expected)
        let statistics = run.sink.statistics
        #expect(statistics.sentUnitCount == audio.accessUnits.count && statistics.lostUnitCount == 0)
    }

    @Test("Access units count as unconfirmed until their page is acknowledged")
    func unconfirmed() async throws {
        let connection = try icecast.destination().connect(audio.format, abort: ConnectionAbort())
        for accessUnit in audio.accessUnits.prefix(9) { try connection.send(accessUnit) }
        #expect(connection.unconfirmedUnitCount == 9)
        try connection.send(audio.accessUnits[9])
        #expect(try await waitUntil { connection.unconfirmedUnitCount == 0 })
        try connection.send(audio.accessUnits[10])
        #expect(connection.unconfirmedUnitCount == 1)
        // Without more access units, a pause sends the page.
        try connection.idle()
        #expect(try await waitUntil { connection.unconfirmedUnitCount == 0 })
        icecast.server.send(SIGSTOP)
        for accessUnit in audio.accessUnits[11..<25] { try connection.send(accessUnit) }
        icecast.server.kill()
        #expect(throws: StreamingError.self) { for _ in 0..<1000 { try connection.send(audio.accessUnits[25]); try connection.idle() } }
        try connection.close(isComplete: false)
        #expect(connection.unconfirmedUnitCount >= 5)
    }

    @Test("A mount point for AAC fails the destination without a connection")
    func wrongMount() async throws {
        let run = StreamingRun(try icecast.destination("/talk.aac"), audio.format)
        #expect(try await waitUntil { if case .failed(.invalidAddress) = run.sink.status { true } else { false } }, "\(run.sink.status)")
        try? await run.finish()
        #expect(try !icecast.status().contains("talk.aac"))
    }
}
