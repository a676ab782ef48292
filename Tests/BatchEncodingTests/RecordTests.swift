// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioFiles
import AudioMetadata
import AudioPrimitives
import BatchEncoding
import Foundation
import JSONText
import MPEG4Audio
import PCMFiles
import TestSupport
import Testing

@Suite struct RecordTests {
    @Test("Checksums match sha256sum")
    func checksum() throws {
        #expect(SHA256.hash(of: Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hash(of: []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let folder = try TemporaryFolder()
        let path = try folder.write((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }, to: "file")
        let program = try ProgramRun(try ProgramRun.require("sha256sum"), [path])
        #expect(try program.text.hasPrefix(SHA256.hash(ofFile: path)))
        #expect(throws: BatchError.cannotRead(path: "/none", code: 2)) { try SHA256.hash(ofFile: "/none") }
    }

    @Test("The checksum of bytes in two parts is the same, at any split")
    func checksumInParts() {
        for count in Array(0...200) + [100_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            var state = SHA256()
            // In two parts.
            bytes[..<(count / 3)].withUnsafeBytes { state.update($0) }
            bytes[(count / 3)...].withUnsafeBytes { state.update($0) }
            #expect(SHA256.hash(of: bytes) == state.finish())
        }
    }

    @Test("The record includes all encoder settings except threads and overwriting")
    func settings() throws {
        let changes: [(inout FileConverterConfiguration) -> Void] = [
            { $0.codec = .opus },
            {
                var opus = OpusParameters()
                opus.complexity = 3
                ($0.codec, $0.opus) = (.opus, opus)
            },
            { $0.settings.rateControl = .average(bitRate: 64_000) }, { $0.settings.rateControl = .constant(bitRate: 64_000) },
            { $0.settings.rateControl = .average(bitRate: 64_001) }, { $0.preset = .low }, { $0.preset = .high },
            { $0.settings.profile = .highEfficiency },
            { $0.settings.signaling = .hierarchical }, { $0.settings.effort = .best }, { $0.settings.lowDelay = true },
            { $0.settings.bandwidth = 9000 },
            { $0.channelCount = 1 }, { $0.sampleRate = 32_000 }, { $0.settings.invalidSamples = .silence },
            { $0.range = .seconds(1) ..< .seconds(2) },
            { $0.format = .m4a }, { $0.adts.hasCRC = true }, { $0.tags.title = "a" }, { $0.tags.title = "b" },
            { $0.tags.cover = AudioTags.Picture(format: .png, bytes: [1]) },
            { $0.tags.cover = AudioTags.Picture(format: .png, bytes: [2]) },
        ]
        var texts: Set<String> = [BatchSettings(FileConverterConfiguration()).description.line]
        for change in changes {
            var configuration = FileConverterConfiguration()
            change(&configuration)
            texts.insert(BatchSettings(configuration).description.line)
        }
        #expect(texts.count == changes.count + 1, "\(texts.sorted())")
        var same = FileConverterConfiguration()
        same.threadCount = 3
        same.overwrites = true
        #expect(texts.contains(BatchSettings(same).description.line))
    }

    @Test("Detects a damaged record, wherever it is truncated")
    func damage() throws {
        let folder = try TemporaryFolder()
        let file = RecordedFile(FileStamp(byteCount: 1, modified: 2), sha256: "ab")
        let record = BatchRecord(settings: fastSettings().description, input: file, output: file, result: [("seconds", .integer(1))])
        try record.write(beside: folder.path("x"))
        let text = try folder.contents(of: "x.linnet.json")
        guard case .intact(let read) = BatchRecord.read(beside: folder.path("x")) else { throw BatchError.interrupted }
        #expect(read.input == file && read.settings == record.settings && read.text == record.text)
        for count in 0..<text.count - 2 {
            _ = try folder.write(Array(text[..<count]), to: "x.linnet.json")
            guard case .damaged = BatchRecord.read(beside: folder.path("x")) else { throw BatchError.interrupted }
        }
        guard case .missing = BatchRecord.read(beside: folder.path("y")) else { throw BatchError.interrupted }
    }
}
