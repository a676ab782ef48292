// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import SystemFiles
import TestSupport
import Testing

@Suite struct LyingHeaderTests {
    typealias Reader = PCMFileReaderTests
    static let frames = 3000
    static let samples = Reader.bytes16(frames * 2)

    @Test(
        "Placeholders and excessive lengths end with the samples, in files and pipes",
        arguments: [0, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFDB, samples.count + 4000])
    func tooLong(declared: Int) throws {
        let bytes = WAVEBytes(declaredByteCount: declared, samples: Self.samples).bytes
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "a.wav")
        let fromFile = try readAll(path)
        #expect(Reader.isRight(fromFile.channels, frames: Self.frames))
        #expect(fromFile.reader.properties.frameCount == Self.frames)
        let fromPipe = try readThroughPipe(bytes)
        #expect(Reader.isRight(fromPipe.channels, frames: Self.frames))
        #expect(fromPipe.reader.properties.containerName == "WAV")
        let isPlaceholder = declared == 0 || declared >= 0x7FFF_F000
        #expect(fromPipe.reader.properties.frameCount == (isPlaceholder ? nil : declared / 4))
        let warning = PCMFileWarning.endsEarly(path: path, declaredFrames: declared / 4, foundFrames: Self.frames)
        #expect(fromFile.reader.warnings == (isPlaceholder ? [] : [warning]))
    }

    @Test("Huge 64-bit lengths of a compressed WAV file never trap in memory", arguments: [Int64.max, .max - 104, .min, -1, 1 << 62])
    func hugeLength(declared: Int64) throws {
        // RF64 with IMA ADPCM, which libsndfile reads.
        let length = (0..<8).map { UInt8(truncatingIfNeeded: declared >> (8 * $0)) }
        let format: [UInt8] = [0x11, 0, 1, 0, 0x40, 0x1F, 0, 0, 0xD7, 0x0F, 0, 0, 0, 1, 4, 0, 2, 0, 0xF9, 1]
        var bytes = Array("RF64".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WAVE".utf8)
        bytes += WAVEBytes.chunk("ds64", length + length + length + [0, 0, 0, 0]) + WAVEBytes.chunk("fmt ", format)
        bytes += Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 1024)
        _ = try? SndfileSource(FileInput(bytes: bytes))
    }

    @Test(
        "A valid WAV length is used, whatever follows the samples",
        arguments: ["noise", "zeros", "ID3v2", "ID3v1", "second data chunk", "ID3v1 and a byte"])
    func surplus(kind: String) throws {
        var random = SeededRandom(seed: 7)
        let oldTag = Array("TAG".utf8) + [UInt8](repeating: 0x78, count: 125)
        let surplus: [UInt8] =
            switch kind {
            case "noise": (0..<1000).map { _ in UInt8.random(in: 128...255, using: &random) }
            case "zeros": [UInt8](repeating: 0, count: 1000)
            case "ID3v2": Array("ID3".utf8) + [4, 0, 0, 0, 0, 7, 0] + [UInt8](repeating: 0x40, count: 896)
            case "ID3v1": oldTag
            case "second data chunk": WAVEBytes.chunk("data", Self.first(4000))
            default: oldTag + [1]
            }
        let folder = try TemporaryFolder()
        for frames in [100, Self.frames] {
            let bytes = WAVEBytes(samples: Self.first(4 * frames)).bytes + surplus
            let path = try folder.write(bytes, to: "a.wav")
            for read in [try readAll(path), try readThroughPipe(bytes)] {
                #expect(Reader.isRight(read.channels, frames: frames) && read.reader.properties.frameCount == frames)
                let isReported = kind == "noise" || kind == "ID3v1 and a byte"
                #expect(read.reader.warnings.count == (isReported ? 1 : 0), "\(read.reader.warnings)")
                #expect(!read.reader.warnings.contains { $0.isDamage })
            }
            if kind == "noise" { #expect(try readAll(path).reader.warnings == [.skipped(path: path, byteCount: surplus.count)]) }
        }
    }

    @Test(
        "A seek past the end finds neither samples nor a wrong length", arguments: [Self.frames, Self.frames + 1, Self.frames + 400, .max])
    func seekPastEnd(frame: Int) throws {
        let folder = try TemporaryFolder()
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 10)
        let information = WAVEBytes.chunk("LIST", Array("INFO".utf8) + WAVEBytes.chunk("ICMT", [UInt8](repeating: 0x78, count: 2000)))
        for bytes in [WAVEBytes(samples: Self.samples).bytes, WAVEBytes(samples: Self.samples).bytes + information] {
            let reader = try PCMFileReader(path: try folder.write(bytes, to: "a.wav"))
            try reader.seek(toFrame: frame)
            try reader.read(into: &buffer)
            #expect(buffer.frameCount == 0 && reader.warnings.isEmpty, "\(reader.warnings)")
        }
        let declared = WAVEBytes(declaredByteCount: Self.samples.count + 4000, samples: Self.samples)
        let path = try folder.write(declared.bytes, to: "cut.wav")
        let reader = try PCMFileReader(path: path)
        try reader.seek(toFrame: frame)
        try reader.read(into: &buffer)
        #expect(buffer.frameCount == 0)
        #expect(reader.warnings == [.endsEarly(path: path, declaredFrames: Self.frames + 1000, foundFrames: Self.frames)])
    }

    @Test("An incomplete last sample frame is reported and skipped, but a zero byte that the header counts as padding is not")
    func partialFrame() throws {
        let folder = try TemporaryFolder()
        let raw = AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)
        for (rest, isReported) in [([1, 2, 3], true), ([0], false)] as [([UInt8], Bool)] {
            let samples = Self.samples + rest
            let wave = WAVEBytes(samples: samples).bytes
            let path = try folder.write(wave, to: "a.wav")
            let warning = PCMFileWarning.skipped(path: path, byteCount: rest.count)
            for read in [try readAll(path), try readAll(path, chunk: Self.frames)] {
                #expect(Reader.isRight(read.channels, frames: Self.frames))
                #expect(read.reader.warnings == (isReported ? [warning] : []))
            }
            let piped = try readThroughPipe(wave)
            #expect(Reader.isRight(piped.channels, frames: Self.frames) && piped.reader.warnings.count == (isReported ? 1 : 0))
            let bare = try folder.write(samples, to: "a.raw")
            for chunk in [777, Self.frames] {
                let read = try readAll(bare, raw: raw, chunk: chunk)
                #expect(Reader.isRight(read.channels, frames: Self.frames))
                #expect(read.reader.warnings == [.skipped(path: bare, byteCount: rest.count)])
            }
            let reader = try PCMFileReader(path: bare, raw: raw)
            var bytes: [UInt8] = []
            for count in [Self.frames, 0] {
                try reader.read(Self.frames, into: &bytes)
                #expect(bytes.count == 4 * count)
            }
            #expect(reader.warnings == [.skipped(path: bare, byteCount: rest.count)])
        }
    }

    @Test("A length of 0, or of a header without samples, is ignored", arguments: [0, 36])
    func noLength(declared: Int) throws {
        let folder = try TemporaryFolder()
        let bytes = WAVEBytes(declaredByteCount: declared, samples: Self.samples).bytes
        for read in [try readAll(try folder.write(bytes, to: "a.wav")), try readThroughPipe(bytes)] {
            #expect(Reader.isRight(read.channels, frames: Self.frames))
        }
    }

    @Test("A chunk after an empty data chunk is not read as samples")
    func emptyData() throws {
        let folder = try TemporaryFolder()
        let bytes = WAVEBytes(chunksAfter: [("LIST", Self.first(4000))]).bytes
        for read in [try readAll(try folder.write(bytes, to: "a.wav")), try readThroughPipe(bytes)] {
            #expect(read.channels.allSatisfy(\.isEmpty) && read.reader.warnings.isEmpty)
        }
        #expect(try PCMFileReader(path: folder.path("a.wav")).properties.frameCount == 0)
    }

    @Test("A length wrapped at 4 GiB is ignored")
    func wrapped() throws {
        let folder = try TemporaryFolder()
        // Most of the file is a hole.
        let path = try folder.write(WAVEBytes(declaredByteCount: 400, samples: Self.samples).bytes, to: "a.wav")
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: 1 << 32 + 1000)
        let reader = try PCMFileReader(path: path)
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: Self.frames)
        var count = 0
        for _ in 0..<3 {
            try reader.read(into: &buffer)
            count += buffer.frameCount
        }
        #expect(count > 2 * Self.frames)
    }

    @Test("An unfinished recording is read to its end, beyond the length in its header")
    func unfinished() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "a.wav")
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        let format = PCMOutputFormat(.wav, encoding: .int16, sampleRate: 1000, channelCount: 2)
        let writer = try PCMFileWriter(descriptor: file.fileDescriptor, name: path, format: format, pendingByteLimit: 0)
        for start in stride(from: 0, to: 2580, by: 30) { try writer.append(bytes: Array(Self.samples[start * 4..<start * 4 + 120])) }
        let killed = try bytes(ofFile: path)
        // The header is updated once per second.
        let data = try #require(killed.firstRange(of: Array("data".utf8)))
        let stated = Int(killed[data.upperBound]) | Int(killed[data.upperBound + 1]) << 8
        #expect((4 * 2000..<4 * 2100).contains(stated))
        for read in [try readAll(path), try readThroughPipe(killed)] { #expect(Reader.isRight(read.channels, frames: 2580)) }
        try writer.finish()
        // The file is complete now, so following bytes do not belong to it.
        let finished = try bytes(ofFile: path) + [UInt8](repeating: 0x81, count: 1000)
        #expect(Reader.isRight(try readThroughPipe(finished).channels, frames: 2580))
    }

    @Test("ID3v2 tags before a file do not shorten it", arguments: ["wav", "aiff", "caf", "au", "w64"])
    func tagBefore(name: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(WAVEBytes(samples: Self.samples).bytes, to: "source.wav")
        let run = try ProgramRun.shell("sox source.wav a.\(name)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 1024)
        let tagged = tag + (try bytes(ofFile: folder.path("a.\(name)")))
        for read in [try readAll(try folder.write(tagged, to: "b.\(name)")), try readThroughPipe(tagged)] {
            #expect(Reader.isRight(read.channels, frames: Self.frames) && read.reader.warnings.isEmpty, "\(read.reader.warnings)")
            #expect(read.reader.properties.frameCount == Self.frames)
        }
    }

    @Test("Chunks around the samples are not audio", arguments: [0, 1, 2000, 3000])
    func otherChunks(frames: Int) throws {
        let list = [UInt8](repeating: 0x41, count: 31)
        // An odd number of bytes per frame, so that a padding byte follows.
        let samples = (0..<frames * 3).map { UInt8(truncatingIfNeeded: $0 * 11) }
        let wave = WAVEBytes(
            channelCount: 1, bitsPerSample: 24, chunksBefore: [("bext", [1, 2, 3]), ("JUNK", list)],
            chunksAfter: [("LIST", list), ("id3 ", list)], samples: samples)
        let folder = try TemporaryFolder()
        for read in [try readAll(try folder.write(wave.bytes, to: "a.wav")), try readThroughPipe(wave.bytes)] {
            #expect(read.channels[0].count == frames)
            #expect(read.reader.warnings.isEmpty)
        }
    }

    @Test("The chunks of W64 around the samples, with padding between, are read as tags and not reported", arguments: [1, 2000, 2001])
    func partsOfW64(frames: Int) throws {
        let samples = (0..<frames * 3).map { UInt8(truncatingIfNeeded: $0 * 11) }
        let broadcast = Array("Brook".utf8) + [UInt8](repeating: 0, count: 602)
        let information = Array("INFO".utf8) + WAVEBytes.chunk("INAM", Array("Song".utf8))
        let artist: [UInt8] =
            WAVEBytes.number(1, byteCount: 4) + Array("IART".utf8) + WAVEBytes.number(6, byteCount: 4) + [0x4D, 0, 0x65, 0, 0, 0]
        let chunks: [(id: String, body: [UInt8])] = [("list", information), ("bext", broadcast), ("summary", artist)]
        var wave = WAVEBytes(channelCount: 1, bitsPerSample: 24, samples: samples)
        let folder = try TemporaryFolder()
        for isBefore in [true, false] {
            (wave.chunksBefore, wave.chunksAfter) = isBefore ? (chunks, []) : ([], chunks)
            var reads = [try readAll(try folder.write(wave.wave64, to: "a.w64"))]
            // Tags after the samples of a pipe come too late.
            if isBefore { reads.append(try readThroughPipe(wave.wave64)) }
            for read in reads {
                let properties = read.reader.properties
                #expect(read.channels[0].count == frames && properties.containerName == "W64")
                #expect(properties.tags.title == "Song" && properties.tags["DESCRIPTION"] == ["Brook"])
                #expect(properties.tags.artist == "Me")
                #expect(read.reader.warnings.isEmpty, "\(read.reader.warnings)")
            }
        }
    }

    @Test("A file without frames is valid")
    func empty() throws {
        let folder = try TemporaryFolder()
        let read = try readAll(try folder.write(WAVEBytes().bytes, to: "a.wav"))
        #expect(read.channels == [[], []])
        #expect(read.reader.warnings.isEmpty)
    }

    @Test("A header truncated anywhere throws or yields an empty file, and never traps")
    func truncatedHeaders() throws {
        let bytes = WAVEBytes(channelMask: 3, chunksBefore: [("JUNK", [1, 2, 3])], samples: Self.first(4)).bytes
        let folder = try TemporaryFolder()
        for count in 0..<bytes.count {
            let path = try folder.write(Array(bytes[..<count]), to: "a.wav")
            if count < bytes.count - 4 {
                #expect(throws: AudioFileError.self, "\(count) bytes") { try readAll(path) }
            } else {
                #expect(try readAll(path).channels[0].isEmpty)
            }
        }
    }

    static func first(_ count: Int) -> [UInt8] { Array(samples.prefix(count)) }

    @Test("Errors state the values of impossible formats")
    func impossibleFormats() throws {
        let folder = try TemporaryFolder()
        let expectations: [(WAVEBytes, String)] = [
            (WAVEBytes(channelCount: 0, samples: Self.samples), "channel count is 0"),
            (WAVEBytes(chunksBefore: [("data", Array(Self.samples))]), "no fmt chunk before the data chunk at byte 12"),
            (WAVEBytes(sampleRate: 0, samples: Self.samples), "sample rate is 0"),
            (WAVEBytes(bitsPerSample: 72, samples: Self.samples), "bytes per frame is 18"),
        ]
        for (wave, text) in expectations {
            let path = try folder.write(wave.bytes, to: "a.wav")
            let error = #expect(throws: AudioFileError.self) { try readAll(path) }
            #expect(error?.description.hasSuffix(text) == true, "\(String(describing: error))")
        }
    }

    @Test("Random damage to a header never traps", arguments: [1, 2, 3] as [UInt64])
    func randomDamage(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let good = WAVEBytes(channelMask: 3, chunksBefore: [("JUNK", [1, 2, 3])], samples: Self.first(400)).bytes
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<100, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try folder.write(bytes, to: "a.wav")
            _ = try? readAll(path, chunk: 64)
        }
    }
}
