// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

/// Randomly damaged files of every kind, read to the end.
///
/// Nothing may trap, loop or reach outside the file.
///
/// ``RandomDamage`` determines their number.
@Suite struct MutationTests {
    /// Calls `read` with damaged copies of `original` and expects at most two events per byte.
    ///
    /// - Parameter readShare: The minimum fraction of damaged copies that are still readable, for which `read` returns more than 0.
    func mutate(_ original: [UInt8], seed: Int, readShare: Double = 0, _ read: ([UInt8]) throws -> Int) throws {
        var readCount = 0
        var random = RandomDamage.generator(seed)
        for index in 0..<RandomDamage.fileCount {
            var bytes = original
            RandomDamage.mutate(&bytes, using: &random)
            let events = try read(bytes)
            #expect(events <= 2 * bytes.count + 1, "seed \(seed), mutation \(index)")
            if events > 0 { readCount += 1 }
        }
        #expect(Double(readCount) >= readShare * Double(RandomDamage.fileCount), "seed \(seed): \(readCount) of \(RandomDamage.fileCount)")
    }

    /// Reads an indexed file to the end and from a random position, and returns the number of events.
    func readAll(_ reader: some ContainerReader, byteCount: Int) throws -> Int {
        var reader = reader
        var count = 0
        while let event = try reader.nextEvent() {
            if case .accessUnit(let accessUnit) = event { #expect(accessUnit.byteRange.upperBound <= byteCount) }
            count += 1
        }
        _ = try reader.seek(toFrame: byteCount)
        _ = try reader.nextEvent()
        return count
    }

    /// Reads a stream in chunks and returns the number of events.
    func readAll(_ reader: some StreamParser, _ bytes: [UInt8]) -> Int {
        let events = streamEvents(of: reader, bytes, chunks: [1 + bytes.count / 3])
        #expect(events.covers(bytes.count))
        return events.count
    }

    @Test("ADTS")
    func adts() throws {
        let tag = [UInt8]("ID3".utf8) + [4, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4, 5]
        let original = tag + (try ADTSStream.random(frameCount: 5).bytes)
        try mutate(original, seed: 1) { readAll(ADTSParser(), $0) }
    }

    @Test("LOAS")
    func loas() throws {
        let original = try LATMTests.stream(LATMTests.payloads(4), interval: 2).flatMap { $0 }
        try mutate(original, seed: 2) { readAll(LOASParser(), $0) }
    }

    @Test("MPEG-TS")
    func transportStream() throws {
        let original = try TransportStreamTests.write(TransportStreamTests.accessUnits(9, sizes: 1...300, seed: 4))
        try mutate(original, seed: 11) { bytes in
            let events = streamEvents(of: TransportStreamParser(), bytes, chunks: [1 + bytes.count / 3])
            #expect(events == streamEvents(of: TransportStreamParser(), bytes))
            for accessUnit in events.accessUnits { #expect(accessUnit.byteRange.upperBound <= bytes.count) }
            if let list = TransportStreamTracks(bytes, isAll: true), let number = list.defaultNumber {
                #expect(list.tracks(reading: number).count { $0.isRead } == 1)
            }
            return events.count
        }
    }

    @Test("MP4 with index at the start, at the end and in fragments", arguments: 0..<3)
    func mp4(kind: Int) throws {
        let layouts: [MP4WriterOptions.Layout] = [
            .indexAtStart(expectedUnitCount: 9), .indexAtEnd, .fragmented(unitsPerFragment: 3, priming: 100),
        ]
        var tags = AudioTags()
        tags.title = "T"
        tags.cover = AudioTags.Picture(bytes: [0x89, 0x50, 0x4E, 0x47])
        let original = try MP4Tests.write(
            MP4Tests.accessUnits(9), MP4Tests.config, .init(layout: layouts[kind], tags: tags),
            gapless: GaplessInfo(primingFrames: 100, validFrames: 9000, remainderFrames: 116))
        try mutate(original, seed: 3 + kind, readShare: 0.2) { bytes in
            guard let reader = try? MP4Reader(MemorySource(bytes)) else { return 0 }
            return try readAll(reader, byteCount: bytes.count)
        }
    }

    @Test("CAF")
    func caf() throws {
        let original = try CAFTests.write(
            MP4Tests.accessUnits(9), gapless: .init(primingFrames: 7, validFrames: 5000, remainderFrames: 4209))
        try mutate(original, seed: 7, readShare: 0.12) { bytes in
            guard let reader = try? CAFReader(MemorySource(bytes)) else { return 0 }
            return try readAll(reader, byteCount: bytes.count)
        }
    }

    @Test("Matroska with and without sizes of its parts", arguments: [true, false])
    func matroska(hasSizes: Bool) throws {
        let original = MatroskaReaderTests.file(sizes: hasSizes).bytes
        try mutate(original, seed: hasSizes ? 13 : 14, readShare: 0.2) { bytes in
            _ = try? TrackSampleStream(matroska: MemorySource(bytes))
            guard let reader = try? MatroskaReader(MemorySource(bytes)) else { return 0 }
            return try readAll(reader, byteCount: bytes.count)
        }
    }

    @Test("Configurations, ADIF and the probe")
    func small() throws {
        var random = SeededRandom(seed: 8)
        var pce = ProgramConfigElement(samplingFrequencyCode: 3)
        pce.front = [.init(isPair: true, instanceTag: 0), .init(isPair: false, instanceTag: 1)]
        pce.comment = (0..<20).map { _ in .random(in: 0...255, using: &random) }
        let config = AudioSpecificConfig(
            sampleRate: 11_111, channelConfiguration: nil, generalAudio: GASpecificConfig(programConfig: pce),
            extensionConfig: .backwardCompatible(sampleRate: 22_222, hasParametricStereo: true))
        try mutate(config.serialized(), seed: 9) { bytes in
            if let parsed = try? AudioSpecificConfig(parsing: bytes) {
                let again = try AudioSpecificConfig(parsing: parsed.serialized())
                #expect(again == parsed)
            }
            return 0
        }
        try mutate(ADIFHeader(programConfig: pce).serialized() + [1, 2, 3, 4], seed: 10) { bytes in
            _ = try? RawBlockReader(adif: MemorySource(bytes))
            _ = try ContainerProbe.format(of: MemorySource(bytes))
            return 0
        }
    }
}
