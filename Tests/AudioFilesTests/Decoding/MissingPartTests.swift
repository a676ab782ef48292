// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Files without a page or fragment in the middle, or without the last page, and two files in one.
@Suite struct MissingPartTests {
    /// Returns a folder with three seconds of a chord as `a.NAME`, and the positions of its pages or fragments.
    private func file(_ name: String, _ format: AudioFileFormat) throws -> (folder: TemporaryFolder, bytes: [UInt8], parts: [Int]) {
        let folder = try TemporaryFolder()
        let chord = ChordFile(sampleRate: 48_000, frameCount: 144_000)
        var configuration = chord.configuration
        configuration.format = format
        configuration.settings.rateControl = nil
        let source = try folder.write(chord.bytes, to: "chord.raw")
        try FileConverter(input: source, output: folder.path("a.\(name)"), configuration: configuration).run()
        let bytes = try bytes(ofFile: folder.path("a.\(name)"))
        let signature = Array((format == .oggOpus ? "OggS" : "moof").utf8)
        // The type of a box follows its size.
        let parts = bytes.indices.filter { bytes[$0...].starts(with: signature) }.map { format == .oggOpus ? $0 : $0 - 4 }
        return (folder, bytes, parts)
    }

    @Test(
        "Access units in a missing page or fragment are concealed, and the following ones keep their times",
        arguments: [("opus", AudioFileFormat.oggOpus, 3), ("m4a", .fragmentedM4A, 1)])
    func missing(name: String, format: AudioFileFormat, part: Int) throws {
        let (folder, bytes, parts) = try file(name, format)
        let path = try folder.write(Array(bytes[..<parts[part]] + bytes[parts[part + 1]...]), to: "b.\(name)")
        let expected = try decodedChannels(folder.path("a.\(name)"))
        let decoder = try FileDecoder(path: path)
        var found: [Float] = []
        while let buffer = try decoder.next() { found += buffer.channel(1) }
        #expect(found.count == 144_000)
        let count = decoder.statistics.concealedUnitCount
        #expect((25...50).contains(count) && !decoder.statistics.isIntact, "\(count)")
        let difference = zip(found, expected[1]).map { abs($0 - $1) }
        #expect(difference[..<40_000].allSatisfy { $0 == 0 } && difference.contains { $0 > 0.1 })
        #expect(difference[120_000...].allSatisfy { $0 < 0.001 })

        let probe = try ProbeSummary(of: .file(path))
        #expect(probe.damage.map(\.cause) == [.skipped(.missing(unitCount: count))])
        let remuxed = try FileRemuxer(input: path, output: folder.path("c.m4a")).run()
        #expect(remuxed.gapUnitCount == count && remuxed.gapless?.validFrames == 144_000 - count * (name == "opus" ? 960 : 1024))
    }

    @Test("Access units missing at the start are silent, and the following ones keep their times", arguments: ["opus", "m4a"])
    func missingStart(name: String) throws {
        var (folder, bytes, parts) = try file(name, name == "opus" ? .oggOpus : .m4a)
        if name == "opus" {
            bytes[parts[2] + 100] ^= 1
        } else {
            let table = try #require(bytes.indices.last { bytes[$0...].starts(with: "stco".utf8) })
            bytes[table + 12] = 0xFF
        }
        let decoder = try FileDecoder(path: folder.write(bytes, to: "b.\(name)"))
        var found: [Float] = []
        while let buffer = try decoder.next() { found += buffer.channel(1) }
        let expected = try decodedChannels(folder.path("a.\(name)"))[1]
        #expect(found.count == 144_000 && (25...50).contains(decoder.statistics.concealedUnitCount))
        #expect(found[..<40_000].allSatisfy { $0 == 0 })
        #expect(zip(found, expected).dropFirst(60_000).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test("A range that starts in a missing fragment is silent up to the next one, which keeps its time")
    func rangeInside() throws {
        let (folder, bytes, parts) = try file("m4a", .fragmentedM4A)
        let path = try folder.write(Array(bytes[..<parts[1]] + bytes[parts[2]...]), to: "b.m4a")
        var configuration = FileDecoderConfiguration()
        configuration.range = .seconds(1.5)..<Duration.seconds(2.9)
        let decoder = try FileDecoder(path: path, configuration: configuration)
        var found: [Float] = []
        while let buffer = try decoder.next() { found += buffer.channel(1) }
        let expected = try decodedChannels(folder.path("a.m4a"), range: .seconds(1.5)..<Duration.seconds(2.9))[1]
        #expect(found.count == expected.count && decoder.statistics.concealedUnitCount > 0)
        let difference = zip(found, expected).map { abs($0 - $1) }
        #expect(difference[36_000...].allSatisfy { $0 < 0.001 } && found[..<9600].allSatisfy { $0 == 0 })
    }

    @Test("A range that starts in or after a missing page keeps the times of the following ones", arguments: [1.5, 1.9, 2.3])
    func rangeOfPages(start: Double) throws {
        let (folder, bytes, parts) = try file("opus", .oggOpus)
        let path = try folder.write(Array(bytes[..<parts[3]] + bytes[parts[4]...]), to: "b.opus")
        let range = Duration.seconds(start)..<Duration.seconds(2.9)
        let found = try decodedChannels(path, range: range)[1]
        let expected = try decodedChannels(folder.path("a.opus"), range: range)[1]
        #expect(found.count == expected.count)
        // The decoder has adapted half a second after the page.
        let adapted = max(0, Int((2.5 - start) * 48_000))
        #expect(zip(found, expected).dropFirst(adapted).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test("A range after a missing fragment has its samples")
    func range() throws {
        let (folder, bytes, parts) = try file("m4a", .fragmentedM4A)
        let path = try folder.write(Array(bytes[..<parts[1]] + bytes[parts[2]...]), to: "b.m4a")
        let range = Duration.seconds(2.5)..<Duration.seconds(2.9)
        #expect(try decodedChannels(path, range: range) == decodedChannels(folder.path("a.m4a"), range: range))
    }

    @Test("An Opus file without its last page is noted as possibly cut off")
    func unfinishedOpus() throws {
        let (folder, bytes, parts) = try file("opus", .oggOpus)
        let path = try folder.write(Array(bytes[..<parts[parts.count - 1]]), to: "b.opus")
        #expect(try FileConverter(input: path, output: folder.path("b.wav")).run().notes == [.unfinished])
        #expect(try FileConverter(input: folder.path("a.opus"), output: folder.path("a.wav")).run().notes.isEmpty)
        #expect(try FileRemuxer(input: path, output: folder.path("c.m4a")).run().isUnfinished)
        #expect(try ProbeSummary(of: .file(path)).notes == [.unfinished])
    }

    @Test("A second M4A file after the first is reported, but not a repeated start of fragments")
    func secondFile() throws {
        let (folder, bytes, _) = try file("m4a", .m4a)
        let decoder = try FileDecoder(path: folder.write(bytes + bytes, to: "b.m4a"))
        while try decoder.next() != nil {}
        #expect(decoder.statistics.lostByteCount == bytes.count && decoder.statistics.frameCount == 144_000)

        let (fragmented, start, parts) = try file("m4a", .fragmentedM4A)
        let repeated = Array(start[..<parts[1]] + start[..<parts[0]] + start[parts[1]...])
        let second = try FileDecoder(path: fragmented.write(repeated, to: "b.m4a"))
        while try second.next() != nil {}
        #expect(second.statistics.isIntact && second.statistics.frameCount == 144_000)
    }
}
