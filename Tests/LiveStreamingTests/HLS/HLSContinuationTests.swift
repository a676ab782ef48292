// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import Synchronization
import TestSupport
import Testing

@Suite struct HLSContinuationTests {
    private func accessUnits(_ range: Range<Int>) -> [AccessUnit] { range.map { AccessUnit(number: $0) } }

    @Test("Stream in an earlier stream's folder continues its numbers and removes only its files")
    func restart() throws {
        let folder = try HLSTestFolder()
        try folder.write(accessUnits(0..<400))
        let first = try folder.playlist()
        let others = ["audio-x.m4s", "audio-007.m4s", "audio-1.ts", "segment-1.m4s", "notes.txt"]
        for name in others { try Data([1]).write(to: URL(fileURLWithPath: folder.path(name))) }
        // An unfinished segment of a killed program.
        try Data([1]).write(to: URL(fileURLWithPath: folder.path("audio-\(first.mediaSequence + first.segments.count).m4s")))
        try folder.write(accessUnits(0..<1000))
        let second = try folder.playlist()
        #expect(second.mediaSequence > first.mediaSequence + first.segments.count)
        #expect(second.discontinuitySequence == 1)
        let names = folder.names
        #expect(others.allSatisfy(names.contains))
        for segment in first.segments { #expect(!names.contains(segment.uri)) }
        #expect(!names.contains { $0.hasPrefix(".linnet") })
    }

    @Test("First playlist in an earlier stream's folder marks a discontinuity and follows the rules")
    func restartRules() throws {
        let folder = try HLSTestFolder()
        try folder.write(accessUnits(0..<400))
        let first = try folder.playlist()
        let connection = try folder.connect(HLSDestination(folder.settings))
        for accessUnit in accessUnits(0..<100) { try connection.send(accessUnit) }
        let second = try folder.playlist()
        try first.checkSuccessor(second)
        #expect(second.segments[0].isDiscontinuous && !second.segments[1].isDiscontinuous)
        #expect(second.mediaSequence == first.mediaSequence + first.segments.count)
        #expect(second.segments.map(\.map) != first.segments.prefix(2).map(\.map))
    }

    @Test("Interrupted event continues in its playlist")
    func eventRestart() throws {
        let folder = try HLSTestFolder()
        folder.settings.playlistKind = .event
        do {
            let broken = try folder.connect(HLSDestination(folder.settings))
            for accessUnit in accessUnits(0..<300) { try broken.send(accessUnit) }
        }
        let first = try folder.playlist()
        try folder.write(accessUnits(0..<300))
        let second = try folder.playlist()
        try first.checkSuccessor(second)
        #expect(second.segments.count(where: \.isDiscontinuous) == 1)
        #expect(second.isFinished)
        for segment in second.segments { #expect(!(try folder.contents(segment.uri).payloads.isEmpty)) }
        // A finished event does not continue.
        try folder.write(accessUnits(0..<200))
        let third = try folder.playlist()
        #expect(third.mediaSequence == second.segments.count)
    }

    @Test("Folder takes one stream at a time")
    func simultaneousStreams() throws {
        let folder = try HLSTestFolder()
        let destination = HLSDestination(folder.settings)
        let connection = try folder.connect(destination)
        #expect(throws: StreamingError.cannotWrite(path: folder.settings.path, code: EWOULDBLOCK)) {
            try folder.connect(HLSDestination(folder.settings))
        }
        try connection.close(isComplete: false)
        try folder.connect(destination).close(isComplete: true)
        try folder.write(accessUnits(0..<100))
    }

    @Test("With a foreign playlist, numbers come from the clock, and nothing is removed")
    func foreignPlaylist() throws {
        for text in ["", "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\naudio-3.m4s\n", "# Written by Linnet\n"] {
            let folder = try HLSTestFolder()
            try FileManager.default.createDirectory(atPath: folder.settings.path, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("audio.m3u8")))
            try Data([1]).write(to: URL(fileURLWithPath: folder.path("audio-3.m4s")))
            try folder.write(accessUnits(0..<100), clock: 1_700_000_000.5)
            #expect(try folder.playlist().mediaSequence == 1_700_000_000)
            #expect(folder.names.contains("audio-3.m4s"))
        }
    }

    @Test(
        "Removed folder throws with its path; the next connection writes all unwritten access units")
    func removedFolder() throws {
        let folder = try HLSTestFolder()
        folder.settings.partDuration = .milliseconds(300)
        let destination = HLSDestination(folder.settings)
        let connection = try folder.connect(destination)
        var sent = accessUnits(0..<217)
        var next = 0
        while next < 120 {
            try connection.send(sent[next])
            next += 1
        }
        let before = try folder.playlist()
        try FileManager.default.removeItem(atPath: folder.settings.path)
        var failure: StreamingError?
        while failure == nil {
            do { try connection.send(sent[next]) } catch { failure = error as? StreamingError }
            next += 1
        }
        guard case .cannotWrite(let path, let code) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(path.hasPrefix(folder.settings.path) && code == ENOENT)
        sent.removeFirst(next - connection.unconfirmedUnitCount)
        try connection.close(isComplete: false)
        let again = try folder.connect(destination)
        for accessUnit in sent { try again.send(accessUnit) }
        try again.close(isComplete: true)
        let after = try folder.playlist()
        #expect(after.mediaSequence >= before.mediaSequence + before.segments.count)
        #expect(after.segments.allSatisfy { !$0.isDiscontinuous })
        let numbers = try after.segments.flatMap { try folder.contents($0.uri).payloads.map { UInt32($0[2]) << 8 | UInt32($0[3]) } }
        #expect(numbers == Array(try #require(numbers.first)..<217))
        #expect(numbers[0] <= 120)
    }

    @Test("File with the folder's path throws, and the stream starts once it is removed")
    func fileInPlaceOfFolder() async throws {
        let folder = try HLSTestFolder()
        let parent = folder.temporary.path("talk")
        try Data([1]).write(to: URL(fileURLWithPath: parent))
        var limits = StreamingLimits()
        limits.shortestRetry = .milliseconds(20)
        limits.longestRetry = .milliseconds(50)
        let sink = StreamingSink(.hls(folder.settings), limits: limits)
        let events = sink.events
        sink.begin(.stereo48())
        for accessUnit in accessUnits(0..<200) { try sink.append(accessUnit) }
        var received: [StreamingEvent] = []
        for await event in events {
            received.append(event)
            if received.count == 2 { try FileManager.default.removeItem(atPath: parent) }
            if case .connected = event { break }
        }
        guard case .disconnected(.cannotWrite(let path, _), _)? = received.first else {
            Issue.record("\(received)")
            return
        }
        #expect(path.hasPrefix(parent))
        try sink.finish(nil)
        #expect(sink.statistics.lostUnitCount == 0)
        #expect(sink.statistics.sentUnitCount == 200)
        #expect(try folder.playlist().segments.reduce(0) { $0 + $1.duration } * 48_000 / 1024 - 200 < 0.01)
    }

    @Test("Reader never sees a partial or missing playlist")
    func readersDuringReplacement() async throws {
        let folder = try HLSTestFolder()
        folder.settings.segmentDuration = .milliseconds(100)
        folder.settings.partDuration = .milliseconds(45)
        let path = folder.path("audio.m3u8")
        let readCount = ReadCounter()
        async let reading: Void = onThread {
            while true {
                Thread.sleep(forTimeInterval: 0.0005)
                // The first playlist appears after a while. From then on it is never missing.
                if readCount.value == 0, !FileManager.default.fileExists(atPath: path) { continue }
                let playlist = try StrictPlaylist(String(contentsOfFile: path, encoding: .utf8))
                readCount.increment()
                if playlist.isFinished { return }
            }
        }
        let destination = HLSDestination(folder.settings)
        async let writing: Void = onThread {
            let connection = try destination.connect(.stereo48(), abort: ConnectionAbort())
            var number = 0
            while readCount.value < 300 || number < 2000, number < 100_000 {
                try connection.send(AccessUnit(number: number))
                number += 1
            }
            try connection.close(isComplete: true)
        }
        try await writing
        try await reading
        #expect(readCount.value >= 300)
    }

    @Test("Corrupt playlists are read or rejected, and yield only segment names", arguments: 0..<4)
    func changedPlaylists(seed: UInt64) throws {
        let folder = try HLSTestFolder()
        folder.settings.partDuration = .milliseconds(300)
        try folder.write(accessUnits(0..<120) + accessUnits(140..<300))
        let original = try bytes(ofFile: folder.path("audio.m3u8"))
        let whole = try #require(HLSMediaPlaylist(reading: String(decoding: original, as: UTF8.self)))
        let strict = try folder.playlist()
        #expect(whole.segments.map(\.name) == strict.segments.map(\.uri))
        #expect(whole.segments.map(\.isDiscontinuous) == strict.segments.map(\.isDiscontinuous))
        #expect(whole.mediaSequence == strict.mediaSequence && whole.isFinished)
        var random = SeededRandom(seed: 900 + seed)
        var readCount = 0
        for _ in 0..<800 {
            var changed = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.insert(UInt8.random(in: 0x2C...0x3A, using: &random), at: index)
                case 2: changed.remove(at: index)
                default: changed = Array(changed[..<index]) + changed[Int.random(in: 0..<changed.count, using: &random)...]
                }
                if changed.isEmpty { changed = [0x23] }
            }
            guard let playlist = HLSMediaPlaylist(reading: String(decoding: changed, as: UTF8.self)) else { continue }
            readCount += 1
            #expect(playlist.fileNames.allSatisfy { HLSFileNames.number(of: $0) != nil }, "seed \(900 + seed)")
            #expect(playlist.nextNumber >= 0 && playlist.duration.isFinite && !playlist.text.isEmpty)
        }
        #expect(readCount > 20)
    }
}

/// A counter shared between threads.
private final class ReadCounter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.add(1, ordering: .relaxed) }
}
