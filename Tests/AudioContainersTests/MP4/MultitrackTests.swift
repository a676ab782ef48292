// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct MultitrackTests {
    /// A track with its access units and gapless information.
    struct Track {
        var options: MP4WriterOptions.Track
        var accessUnits: [AccessUnit]
        var gapless: GaplessInfo?

        init(_ configuration: CodecConfiguration, count: Int, framesPerUnit: Int, priming: Int, remainder: Int = 0, seed: UInt64) {
            let frames = count * framesPerUnit
            options = .init(
                configuration, unitsPerFragment: configuration.sampleRate / 2 / framesPerUnit, priming: priming, name: "Spur \(seed)")
            // The core timescale of SBR counts half the frames.
            let divisor = configuration.sampleRate / configuration.coreSampleRate
            accessUnits = MP4Tests.accessUnits(
                count, seed: seed, duration: framesPerUnit / divisor, rate: configuration.coreSampleRate)
            gapless =
                count == 0
                ? nil
                : GaplessInfo(primingFrames: priming, validFrames: frames - priming - remainder, remainderFrames: remainder)
        }
    }

    static let highEfficiency: AudioSpecificConfig = {
        var config = AudioSpecificConfig(sampleRate: 24_000, channelConfiguration: ChannelConfiguration(channelCount: 1))
        config.extensionConfig = .backwardCompatible(sampleRate: 48_000, hasParametricStereo: false)
        return config
    }()

    /// AAC-LC, HE-AAC, Opus, and AAC-LC at another sample rate, of about 3 s.
    static func tracks(_ count: Int = 4) throws -> [Track] {
        let opus = OpusConfiguration(mapping: try OpusChannelMapping(channelCount: 2), preSkip: 312)
        let other = AudioSpecificConfig(sampleRate: 44_100, channelConfiguration: ChannelConfiguration(channelCount: 1))
        let tracks = [
            Track(.aac(MP4Tests.config), count: 141, framesPerUnit: 1024, priming: 2112, remainder: 200, seed: 1),
            Track(.aac(highEfficiency), count: 71, framesPerUnit: 2048, priming: 5186, remainder: 1000, seed: 2),
            Track(.opus(opus), count: 150, framesPerUnit: 960, priming: 312, seed: 3),
            Track(.aac(other), count: 130, framesPerUnit: 1024, priming: 2112, remainder: 77, seed: 4),
        ]
        return Array(tracks.prefix(count))
    }

    /// Returns a writer with all access units, appended in random order of the tracks.
    static func writer(
        _ tracks: [Track], tags: AudioTags = AudioTags(), isIndexed: Bool = true, seed: UInt64 = 7
    ) throws -> MP4Writer<MemorySink> {
        var writer = try MP4Writer(to: MemorySink(), tracks: tracks.map(\.options), tags: tags, isIndexed: isIndexed)
        var random = SeededRandom(seed: seed)
        var order = tracks.enumerated().flatMap { index, track in track.accessUnits.map { _ in index } }
        order.shuffle(using: &random)
        var next = tracks.map { _ in 0 }
        for index in order {
            try writer.append(tracks[index].accessUnits[next[index]], toTrack: index)
            next[index] += 1
        }
        return writer
    }

    static func write(_ tracks: [Track], tags: AudioTags = AudioTags(), isIndexed: Bool = true, seed: UInt64 = 7) throws -> [UInt8] {
        var writer = try writer(tracks, tags: tags, isIndexed: isIndexed, seed: seed)
        for (index, track) in tracks.enumerated() { try writer.finishTrack(index, track.gapless) }
        try writer.finish()
        return writer.sink.bytes
    }

    static func read(_ bytes: [UInt8], track index: Int) throws -> (reader: MP4Reader<MemorySource>, accessUnits: [AccessUnit]) {
        var reader = try MP4Reader(MemorySource(bytes), audioTrack: index + 1)
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        return (reader, events.accessUnits.map(\.accessUnit))
    }

    static func movie(_ bytes: [UInt8]) throws -> MovieBox {
        var cursor = ByteCursor(bytes)
        while case (let type, var body)? = try cursor.nextBox() {
            if type == MovieBox.type { return try MovieBox(parsing: &body) }
        }
        throw ContainerError.missingPart(MovieBox.type)
    }

    @Test("Each track round-trips with its configuration, times and gapless information", arguments: [false, true], 1...4)
    func roundTrip(isIndexed: Bool, count: Int) throws {
        let tracks = try Self.tracks(count)
        var tags = AudioTags()
        tags.title = "Besprechung"
        tags.setChapters([.init(start: 1, timescale: 1, title: "Beginn")])
        let bytes = try Self.write(tracks, tags: tags, isIndexed: isIndexed)
        for (index, track) in tracks.enumerated() {
            let (reader, accessUnits) = try Self.read(bytes, track: index)
            #expect(reader.configuration == track.options.configuration)
            #expect(accessUnits.map(\.payload) == track.accessUnits.map(\.payload))
            // The last access units of a fragment are shortened by the padding.
            #expect(accessUnits.map(\.presentationTime) == track.accessUnits.map(\.presentationTime))
            #expect(reader.metadata.gaplessInfo == track.gapless, "track \(index)")
            #expect(reader.metadata.tags.title == "Besprechung" && reader.metadata.tags.chapters.map(\.title) == ["Beginn"])
            #expect(reader.metadata.audioTracks.map(\.isRead) == tracks.indices.map { $0 == index })
            #expect(reader.metadata.audioTracks.map(\.name) == tracks.map(\.options.name))
            #expect(reader.metadata.audioTracks.map(\.sampleRate) == tracks.map(\.options.configuration.sampleRate))
        }
        if isIndexed { #expect(MP4Tests.topLevelNames(bytes) == ["ftyp", "mdat", "moov"]) }
        #expect(try MP4Reader(MemorySource(bytes)).configuration == tracks[0].options.configuration)
        #expect(throws: ContainerError.unsupportedCodec(nil)) { try MP4Reader(MemorySource(bytes), audioTrack: 9) }
    }

    @Test("All tracks are enabled, named, and played together", arguments: [false, true])
    func headers(isIndexed: Bool) throws {
        let bytes = try Self.write(Self.tracks(), isIndexed: isIndexed)
        let movie = try Self.movie(bytes)
        #expect(movie.tracks.map(\.trackID) == [1, 2, 3, 4] && movie.nextTrackID == 5)
        #expect(movie.tracks.allSatisfy { $0.isEnabled })
        #expect(movie.tracks.map(\.name) == ["Spur 1", "Spur 2", "Spur 3", "Spur 4"])
        // Both sample rates divide the timescale.
        #expect(movie.times.timescale == 7_056_000)
        // The alternate group follows track ID, duration and layer.
        let headers = bytes.indices.dropLast(8).filter { bytes[$0...].starts(with: Array("tkhd".utf8)) }
        #expect(headers.count >= 4)
        for header in headers {
            let fields = header + 8 + (bytes[header + 4] == 1 ? 32 : 20)
            #expect(Array(bytes[fields..<fields + 14]) == [UInt8](repeating: 0, count: 12) + [1, 0])
        }
    }

    @Test("Truncation at any byte loses at most the fragment being collected and the truncated one", arguments: [1, 2] as [UInt64])
    func truncation(seed: UInt64) throws {
        let tracks = try Self.tracks()
        let writer = try Self.writer(tracks, seed: seed)
        let bytes = writer.sink.bytes
        var random = SeededRandom(seed: seed)
        for (index, track) in tracks.enumerated() {
            let ranges = try Self.ranges(bytes, track: index)
            #expect(ranges.count >= track.accessUnits.count - track.options.unitsPerFragment, "track \(index)")
            for _ in 0..<10 {
                let cut = Int.random(in: 2500..<bytes.count, using: &random)
                let accessUnits = try Self.read(Array(bytes.prefix(cut)), track: index).accessUnits
                #expect(accessUnits.map(\.payload) == track.accessUnits.prefix(accessUnits.count).map(\.payload))
                // All access units that end before the cut are found.
                let lost = ranges.dropFirst(accessUnits.count).first
                #expect(lost.map { $0.upperBound > cut } ?? true, "track \(index), cut at \(cut)")
            }
        }
    }

    private static func ranges(_ bytes: [UInt8], track index: Int) throws -> [Range<Int>] {
        var reader = try MP4Reader(MemorySource(bytes), audioTrack: index + 1)
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        return events.accessUnits.map(\.byteRange)
    }

    @Test("A late start is an empty edit, and unfinished tracks end with their last access unit", arguments: [false, true])
    func lateStart(isIndexed: Bool) throws {
        var tracks = try Self.tracks(2)
        tracks[1].options.startFrame = 24_000
        var writer = try Self.writer(tracks, isIndexed: isIndexed)
        try writer.finishTrack(0, tracks[0].gapless)
        try writer.finish()
        let movie = try Self.movie(writer.sink.bytes)
        let total = tracks[1].accessUnits.count * 2048
        #expect(
            movie.tracks[1].editList
                == EditListBox(edits: [
                    .init(duration: 24_000, mediaTime: -1), .init(duration: isIndexed ? total - 5186 : 0, mediaTime: 5186 / 2),
                ]))
        #expect(!isIndexed || movie.tracks[1].duration == 24_000 + total - 5186)
        let (reader, accessUnits) = try Self.read(writer.sink.bytes, track: 1)
        #expect(accessUnits.map(\.payload) == tracks[1].accessUnits.map(\.payload))
        #expect(reader.metadata.gaplessInfo == GaplessInfo(primingFrames: 5186, validFrames: total - 5186, remainderFrames: 0))
    }

    @Test("A track without access units leaves the others unchanged", arguments: [false, true])
    func emptyTrack(isIndexed: Bool) throws {
        var tracks = try Self.tracks(3)
        (tracks[1].accessUnits, tracks[1].gapless) = ([], nil)
        let bytes = try Self.write(tracks, isIndexed: isIndexed)
        for (index, track) in tracks.enumerated() {
            let (reader, accessUnits) = try Self.read(bytes, track: index)
            #expect(accessUnits.map(\.payload) == track.accessUnits.map(\.payload))
            #expect(reader.metadata.gaplessInfo == track.gapless)
        }
    }

    @Test("Fragments of a track have the same bytes in any order of the tracks, except for sequence numbers")
    func order() throws {
        let tracks = try Self.tracks(2)
        let files = try [3, 4].map { try Self.write(tracks, seed: $0) }
        #expect(files[0].count == files[1].count && files[0] != files[1])
        for index in tracks.indices {
            #expect(try Self.read(files[0], track: index).accessUnits == Self.read(files[1], track: index).accessUnits)
        }
    }

    @Test("Offsets beyond 4 GiB have 64 bits")
    func large() throws {
        let tracks = try Self.tracks(2)
        var writer = try MP4Writer(to: LastBytesSink(), tracks: tracks.map(\.options), tags: AudioTags(), isIndexed: true)
        for track in [0, 1] { try writer.append(tracks[track].accessUnits[0], toTrack: track) }
        // As if gigabytes had been written.
        writer.sink.byteCount += 1 << 33
        for track in [0, 1] { try writer.finishTrack(track, nil) }
        try writer.finish()
        let index = try #require(writer.sink.last)
        var cursor = ByteCursor(index)
        guard case (_, var body)? = try cursor.nextBox() else { return #expect(Bool(false), "no index") }
        let movie = try MovieBox(parsing: &body)
        #expect(movie.tracks.allSatisfy { $0.sampleTable.offsets.allSatisfy { $0 > 1 << 33 } && $0.sampleTable.offsets.count == 1 })
    }

    @Test("Mutations never trap or loop in any track", arguments: 0..<2)
    func mutations(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 70)
        var tracks = try Self.tracks(3)
        for index in tracks.indices { tracks[index].accessUnits.removeLast(tracks[index].accessUnits.count - 30) }
        let original = try Self.write(tracks, isIndexed: seed == 0)
        for _ in 0..<100 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            for track in 1...3 {
                guard var reader = try? MP4Reader(MemorySource(bytes), audioTrack: track) else { continue }
                var count = 0
                while let event = try reader.nextEvent() {
                    if case .accessUnit(let unit) = event { #expect(unit.byteRange.upperBound <= bytes.count) }
                    count += 1
                }
                #expect(count <= bytes.count + 1, "seed \(seed)")
            }
        }
    }
}

/// A sink that keeps only its last bytes.
private struct LastBytesSink: ByteSink {
    var canOverwrite: Bool { true }
    var byteCount = 0
    var last: [UInt8]?
    mutating func append(_ bytes: [UInt8]) {
        byteCount += bytes.count
        last = bytes
    }
    mutating func overwrite(_ bytes: [UInt8], at offset: Int) {}
}
