// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import Synchronization
import SystemFiles
import TestSupport
import Testing

/// Interrupted joins, and how another run resumes them.
@Suite struct UnfinishedJoinTests {
    /// The lengths of the parts, in frames: four AAC-LC segments and a remainder.
    static let lengths = [310_001, 520_000, 300_123]
    /// The name of the journal file.
    static let kept = "book.m4b.linnet-partial"

    /// Writes the parts: a chord, noise, a chord.
    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.writeChord("part0.wav", frameCount: Self.lengths[0])
        let noise = randomSamples(.int16, count: 2 * Self.lengths[1], seed: 3)
        try folder.writePCM(noise, to: "part1.wav", PCMOutputFormat(.wav, encoding: .int16, sampleRate: 44_100, channelCount: 2))
        try folder.writeChord("part2.wav", frameCount: Self.lengths[2])
        return folder
    }

    /// Joins the parts and returns the reported notes.
    ///
    /// `frameCount` is the number of input frames before cancelling; `nil` for no cancelling.
    @discardableResult
    private func join(
        _ folder: TemporaryFolder, _ output: String = "book.m4b", until frameCount: Int? = nil,
        change: (inout FileConverterConfiguration) -> Void = { _ in }
    ) throws -> [UnfinishedJoin.Note] {
        var configuration = FileConverterConfiguration()
        configuration.settings.effort = .fast
        configuration.bitRate = 96_000
        configuration.overwrites = true
        change(&configuration)
        let notes = Mutex<[UnfinishedJoin.Note]>([])
        let paths = Self.lengths.indices.map { folder.path("part\($0).wav") }
        var converter = FileConverter(joining: paths, output: folder.path(output), configuration: configuration)
        converter.unfinished = UnfinishedJoin(output: folder.path(output), settings: Self.settings(configuration)) { note in
            notes.withLock { $0.append(note) }
        }
        do throws(AudioFileError) {
            try converter.run { state in frameCount.map { state.framesRead < $0 } ?? true }
            #expect(frameCount == nil)
        } catch {
            guard error.code == .cancelled, frameCount != nil else { throw error }
        }
        return notes.withLock { $0 }
    }

    /// Returns all settings except the tags.
    private static func settings(_ configuration: FileConverterConfiguration) -> [String] {
        var compared = configuration
        compared.tags = AudioTags()
        return ["\(compared)"]
    }

    private func bytes(_ folder: TemporaryFolder, _ name: String) throws -> [UInt8] { try TestSupport.bytes(ofFile: folder.path(name)) }

    /// A named setting.
    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout FileConverterConfiguration) -> Void
        init(_ name: String, _ change: @escaping @Sendable (inout FileConverterConfiguration) -> Void) {
            testDescription = name
            self.change = change
        }
    }

    static let settings = [
        Setting("average rate") { _ in },
        Setting("constant rate") { $0.settings.rateControl = .constant(bitRate: 96_000) },
        Setting("variable rate") { $0.settings.rateControl = .variable(quality: 40) },
        Setting("HE-AAC v2") {
            $0.settings.profile = .highEfficiencyV2
            $0.bitRate = 32_000
        },
        Setting("another sample rate") { $0.sampleRate = 32_000 },
        Setting("another loudness") { $0.loudnessTarget = LoudnessTarget(integrated: -23) },
        Setting("mono, a range") {
            $0.channelCount = 1
            $0.range = .seconds(1) ..< .seconds(25)
        },
    ]

    @Test("A join that was interrupted twice equals an uninterrupted one", arguments: settings.selectedCases)
    func continues(setting: Setting) throws {
        let folder = try makeFolder()
        #expect(try join(folder, "whole.m4b", change: setting.change) == [])
        let isLong = setting.testDescription == "HE-AAC v2"
        let first = try join(folder, until: isLong ? 700_000 : 400_000, change: setting.change)
        #expect(first == [.kept], "\(first)")
        #expect(try folder.contents == [Self.kept, "part0.wav", "part1.wav", "part2.wav", "whole.m4b"])
        let second = try join(folder, until: setting.testDescription.contains("range") ? 900_000 : 1_100_000, change: setting.change)
        guard case .continues(let seconds)? = second.first else { Issue.record("\(second)"); return }
        #expect(seconds > 4 && seconds < 17 && second.last == .kept)
        let third = try join(folder, change: setting.change)
        guard case .continues(let more)? = third.first else { Issue.record("\(third)"); return }
        #expect(more > seconds && third.count == 1)
        #expect(try bytes(folder, "book.m4b") == bytes(folder, "whole.m4b"))
        #expect(try folder.contents == ["book.m4b", "part0.wav", "part1.wav", "part2.wav", "whole.m4b"])
    }

    @Test("A resumed run reports warnings about files that the first run read")
    func warnings() throws {
        let folder = try makeFolder()
        // The header overstates the length; the remainder is silence.
        let file = try bytes(folder, "part0.wav")
        _ = try folder.write(Array(file.dropLast(4000)), to: "part0.wav")
        try join(folder, until: 700_000)
        var configuration = FileConverterConfiguration()
        configuration.settings.effort = .fast
        configuration.bitRate = 96_000
        configuration.overwrites = true
        let paths = Self.lengths.indices.map { folder.path("part\($0).wav") }
        var converter = FileConverter(joining: paths, output: folder.path("book.m4b"), configuration: configuration)
        let whole = try FileConverter(joining: paths, output: folder.path("whole.m4b"), configuration: configuration).run()
        let notes = Mutex(0)
        converter.unfinished = UnfinishedJoin(output: folder.path("book.m4b"), settings: Self.settings(configuration)) { _ in
            notes.withLock { $0 += 1 }
        }
        let summary = try converter.run()
        #expect(notes.withLock { $0 } == 1)
        #expect(summary.warnings == whole.warnings && summary.warnings.count == 1)
        #expect(summary.framesRead == whole.framesRead && summary.frameCount == whole.frameCount)
        #expect(try bytes(folder, "book.m4b") == bytes(folder, "whole.m4b"))
    }

    @Test("Ignores state saved with other settings, inputs or order, but not with other tags")
    func otherWork() throws {
        let folder = try makeFolder()
        try join(folder, until: 700_000)
        let work = try bytes(folder, Self.kept)
        #expect(try join(folder) { $0.bitRate = 64_000 } == [.differs])
        try join(folder, "whole.m4b") { $0.bitRate = 64_000 }
        #expect(try bytes(folder, "book.m4b") == bytes(folder, "whole.m4b"))
        #expect(try !folder.contents.contains(Self.kept))
        _ = try folder.write(work, to: Self.kept)
        let tagged = try join(folder) { $0.tags.title = "Another" }
        guard case .continues? = tagged.first else { Issue.record("\(tagged)"); return }
        for change in ["touch part1.wav", "mv part0.wav a; mv part1.wav part0.wav; mv a part1.wav", "truncate -s -4 part2.wav"] {
            _ = try folder.write(work, to: Self.kept)
            #expect(try ProgramRun.shell(change, folder: folder.url).exitCode == 0)
            #expect(try join(folder) == [.differs], "\(change)")
            #expect(try !folder.contents.contains(Self.kept))
        }
        try join(folder, "whole.m4b")
        #expect(try bytes(folder, "book.m4b") == bytes(folder, "whole.m4b"))
    }

    @Test("Uses truncated or damaged state up to the damage")
    func damage() throws {
        let folder = try makeFolder()
        try join(folder, "whole.m4b")
        let whole = try bytes(folder, "whole.m4b")
        try join(folder, until: 1_000_000)
        let work = try bytes(folder, Self.kept)
        var random = SeededRandom(seed: 17)
        var continuedCount = 0
        for round in 0..<18 {
            var damaged = work
            let place = random.integer(in: round < 3 ? 0..<14 : 14..<work.count)
            switch round % 3 {
            case 0: damaged.removeSubrange(place...)
            case 1: damaged[place] ^= 1 << UInt8(random.integer(in: 0..<8))
            default: damaged.replaceSubrange(place..<min(place + 500, work.count), with: [UInt8](repeating: 0, count: 500))
            }
            // A file without our signature belongs to another program.
            let isForeign = damaged.prefix(14) != JoinJournal.signature.prefix(damaged.count)
            _ = try folder.write(damaged, to: Self.kept)
            let notes = try join(folder)
            if case .continues? = notes.first { continuedCount += 1 }
            #expect(!isForeign || notes == [.foreign])
            #expect(try bytes(folder, "book.m4b") == whole, "round \(round), place \(place)")
            #expect(try folder.contents.contains(Self.kept) == isForeign)
            if isForeign { try FileManager.default.removeItem(atPath: folder.path(Self.kept)) }
        }
        #expect(continuedCount >= 5)
    }

    @Test("Forged records with valid checksums do no harm")
    func forgery() throws {
        let folder = try makeFolder()
        try join(folder, until: 1_000_000)
        let work = try bytes(folder, Self.kept)
        var reader = JournalReader(at: JoinJournal.signature.count, size: work.count) { range throws(SystemFileError) in
            Array(work[range.clamped(to: 0..<work.count)])
        }
        let (first, second) = (reader.next(), reader.next())
        let key = try #require(first)
        let accessUnits = try #require(second)
        func stored(_ numbers: [UInt64]) -> [UInt8] {
            numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) } }
        }
        let state = [UInt64(Float(-3).bitPattern), 0, 5, 0]
        let odd = [UInt64(Float.infinity.bitPattern), Double.nan.bitPattern, .max, UInt64(Float.nan.bitPattern)]
        let checkpoints: [[UInt8]] = [
            stored([256] + state), stored([0] + state), [], [1], stored([.max] + state), stored([UInt64(Int.max)] + state),
            stored([256] + odd), stored([256] + state + [1 << 40, 0, 1 << 40, 0, 1 << 40, 0]), stored([256] + state + [.max, 0]),
            stored([256] + state + [7, .max]), stored([256] + state + [7, 1]) + [0x5B], stored([256] + state + [7]),
            stored([256] + state + [UInt64](repeating: 0, count: 8)), stored([256] + state + [UInt64](repeating: 0, count: 6)),
        ]
        let full = JournalRecord(kind: .accessUnits, contents: [[UInt8]](repeating: [1, 0, 0, 0, 7], count: 256).flatMap { $0 })
        let empty = JournalRecord(kind: .accessUnits, contents: [UInt8](repeating: 0, count: 4 * 256))
        var forgeries: [[JournalRecord]] = [
            [key, key], [accessUnits, key], [key, JournalRecord(kind: .accessUnits, contents: [255, 255, 255, 255, 0])],
            [JournalRecord(kind: .key, contents: []), accessUnits],
        ]
        forgeries += checkpoints.map { [key, full, JournalRecord(kind: .checkpoint, contents: $0)] }
        forgeries += [[key], [key, empty]].map { $0 + [JournalRecord(kind: .checkpoint, contents: checkpoints[0])] }
        for length in [.max, 1 << 63, 1 << 41, 0] as [UInt64] {
            let lengths = stored([length, length, length])
            forgeries.append([JournalRecord(kind: .key, contents: lengths + key.contents.dropFirst(24)), accessUnits])
        }
        for forgery in forgeries {
            var forged = JoinJournal.signature
            var checksum: UInt64 = 0
            for record in forgery { forged += record.bytes(&checksum) }
            _ = try folder.write(forged, to: Self.kept)
            // The output may be wrong, because the checksums match.
            try join(folder)
            #expect(try !folder.contents.contains(Self.kept))
        }
    }

    @Test("Leaves state in use by another program and unrelated files alone")
    func foreign() throws {
        let folder = try makeFolder()
        try join(folder, "whole.m4b")
        try join(folder, until: 700_000)
        let work = try bytes(folder, Self.kept)
        let descriptor = open(folder.path(Self.kept), O_RDONLY)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(try join(folder) == [.inUse])
        flock(descriptor, LOCK_UN)
        close(descriptor)
        #expect(try bytes(folder, Self.kept) == work)
        _ = try folder.write(Array("my notes".utf8), to: Self.kept)
        #expect(try join(folder) == [.foreign])
        #expect(try bytes(folder, Self.kept) == Array("my notes".utf8))
        #expect(try bytes(folder, "book.m4b") == bytes(folder, "whole.m4b"))
    }

    @Test("A starting process with copies of all descriptors does not hold the lock")
    func copiedDescriptor() throws {
        let folder = try makeFolder()
        try join(folder, until: 700_000)
        let place = UnfinishedJoin(output: folder.path("book.m4b"), settings: []) { _ in }
        var copy: Int32?
        do {
            let journal = JoinJournal(place, key: [], partCount: 3)
            let path = URL(filePath: place.path).resolvingSymlinksInPath().path
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
            }
            copy = dup(try #require(open))
            _ = journal
        }
        let notes = try join(folder)
        #expect(notes.count == 1 && notes != [.inUse], "\(notes)")
        close(try #require(copy))
    }

    @Test("Saves state only for AAC, and creates no file for a short join")
    func others() throws {
        let folder = try makeFolder()
        #expect(try join(folder, "book.flac", until: 900_000) { $0.bitRate = nil } == [])
        #expect(try join(folder, until: 60_000) { $0.bitRate = 32_000 } == [])
        #expect(try folder.contents == ["part0.wav", "part1.wav", "part2.wav"])
    }
}
