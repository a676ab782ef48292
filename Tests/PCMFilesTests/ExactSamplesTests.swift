// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Lossless writing and reading of samples.
@Suite struct ExactSamplesTests {
    /// A file format with a supported encoding.
    struct Kind: CustomTestStringConvertible {
        let file: AudioFileFormat
        let encoding: SampleEncoding
        var testDescription: String { "\(file) \(encoding.rawValue)" }

        static let all = AudioFileFormat.pcmFormats.flatMap { file in
            SampleEncoding.allCases.filter(file.canStore).map { Kind(file: file, encoding: $0) }
        }
    }

    /// Returns random samples of an encoding: any integers, and floating point between -2 and 2.
    private func samples(_ encoding: SampleEncoding, count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        guard encoding.isFloat else { return (0..<count * encoding.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) } }
        return (0..<count).flatMap { _ -> [UInt8] in
            let value = Double.random(in: -2...2, using: &random)
            let bits = encoding.byteCount == 8 ? value.bitPattern : UInt64(Float(value).bitPattern)
            let bytes = (0..<encoding.byteCount).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
            return encoding.isBigEndian ? bytes.reversed() : bytes
        }
    }

    private func swapped(_ bytes: [UInt8], _ byteCount: Int) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: byteCount).flatMap { bytes[$0..<$0 + byteCount].reversed() }
    }

    @Test("Bytes survive the round trip in every file format and encoding", arguments: Kind.all)
    func roundTrip(kind: Kind) throws {
        let folder = try TemporaryFolder()
        for (channelCount, frameCount) in [(1, 1), (2, 1001), (3, 4096), (1, 0)] {
            let path = folder.path("a")
            let bytes = samples(kind.encoding, count: channelCount * frameCount, seed: UInt64(frameCount))
            let format = PCMOutputFormat(kind.file, encoding: kind.encoding, sampleRate: 48_000, channelCount: channelCount)
            let writer = try PCMFileWriter(path: path, format: format, overwrites: true)
            for start in stride(from: 0, to: bytes.count, by: 701 * format.bytesPerFrame) {
                try writer.append(bytes: Array(bytes[start..<min(bytes.count, start + 701 * format.bytesPerFrame)]))
            }
            try writer.finish()
            #expect(writer.frameCount == frameCount)
            let raw = AudioFormat(kind.encoding, sampleRate: 48_000, channelCount: channelCount)
            let reader = try PCMFileReader(path: path, raw: kind.file == .raw ? raw : nil)
            var read: [UInt8] = []
            var part: [UInt8] = []
            repeat {
                try reader.read(333, into: &part)
                read += part
            } while !part.isEmpty
            #expect(reader.position == frameCount)
            #expect(reader.properties.frameCount == frameCount)
            #expect(reader.encoding.byteCount == kind.encoding.byteCount && reader.encoding.isFloat == kind.encoding.isFloat)
            let isSwapped = reader.encoding.isBigEndian != kind.encoding.isBigEndian
            #expect(read == (isSwapped ? swapped(bytes, kind.encoding.byteCount) : bytes))
        }
    }

    @Test("Buffers yield the same samples as bytes of equal value", arguments: Kind.all)
    func buffers(kind: Kind) throws {
        let folder = try TemporaryFolder()
        let format = PCMOutputFormat(kind.file, encoding: kind.encoding, sampleRate: 8000, channelCount: 2)
        // Multiples of 1/128 are exact in all encodings.
        let values = (-128..<128).map { Float($0) / 128 }
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: 2, frameCapacity: 128)
        for (index, value) in values.enumerated() { buffer.samples[index % 2 * 128 + index / 2] = value }
        let writer = try PCMFileWriter(path: folder.path("a"), format: format)
        try writer.append(buffer)
        try writer.finish()
        let raw = AudioFormat(kind.encoding, sampleRate: 8000, channelCount: 2)
        let reader = try PCMFileReader(path: folder.path("a"), raw: kind.file == .raw ? raw : nil)
        var read = PCMBuffer(sampleRate: 8000, channelCount: 2, frameCapacity: 128)
        try reader.read(into: &read)
        #expect(read == buffer)
    }

    @Test("Unsupported encodings throw, but their counterparts do not")
    func refused() throws {
        let folder = try TemporaryFolder()
        for file in AudioFileFormat.pcmFormats {
            for encoding in SampleEncoding.allCases {
                let format = PCMOutputFormat(file, encoding: encoding, sampleRate: 8000, channelCount: 1)
                if !file.canStore(encoding) {
                    #expect(throws: AudioFileError(.unsupportedOutput(format), path: folder.path("x"))) {
                        try PCMFileWriter(path: folder.path("x"), format: format)
                    }
                }
                let nearest = file.encoding(nearestTo: encoding)
                #expect(file.canStore(nearest))
                #expect(nearest.byteCount == encoding.byteCount && nearest.isFloat == encoding.isFloat || file.isFLAC)
            }
        }
        #expect(AudioFileFormat.flac.encoding(nearestTo: .float32) == .int24)
        #expect(AudioFileFormat.aiff.encoding(nearestTo: .unsigned8) == .signed8)
        #expect(AudioFileFormat.wav.encoding(nearestTo: .int16BigEndian) == .int16)
    }

    @Test("Seeking works with reading bytes", arguments: [AudioFileFormat.wav, .flac, .oggFLAC, .aiff])
    func seeking(file: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        let encoding = file.counterpart(of: .int16)
        let bytes = samples(encoding, count: 5000, seed: 3)
        let writer = try PCMFileWriter(
            path: folder.path("a"), format: PCMOutputFormat(file, encoding: encoding, sampleRate: 8000, channelCount: 1))
        try writer.append(bytes: bytes)
        try writer.finish()
        let reader = try PCMFileReader(path: folder.path("a"))
        var read: [UInt8] = []
        try reader.seek(toFrame: 4321)
        try reader.read(10_000, into: &read)
        let expected = Array(bytes[2 * 4321..<10_000])
        #expect(read == (encoding.isBigEndian ? swapped(expected, 2) : expected))
    }

    @Test("Writes and reads tags in formats that support them", arguments: AudioFileFormat.pcmFormats)
    func tags(file: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        var tags = AudioTags()
        tags.title = "Grünes Lied"
        tags.artist = "A"
        tags.album = "An album with a name"
        tags.date = "2026-11-20"
        var format = PCMOutputFormat(file, sampleFormat: .int16, sampleRate: 8000, channelCount: 1)
        format.tags = tags
        let writer = try PCMFileWriter(path: folder.path("a"), format: format)
        try writer.append(PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 100))
        try writer.finish()
        let raw = AudioFormat(.int16, sampleRate: 8000, channelCount: 1)
        let reader = try PCMFileReader(path: folder.path("a"), raw: file == .raw ? raw : nil)
        #expect(reader.properties.tags == file.tagStorage.storable(tags))
        #expect(reader.properties.frameCount == 100)
    }

    @Test("Finds tags after the samples of a WAV file and ends the samples before them")
    func trailingTags() throws {
        let folder = try TemporaryFolder()
        var tags = AudioTags()
        tags.title = "End"
        let writer = try PCMFileWriter(
            path: folder.path("a.wav"), format: PCMOutputFormat(.wav, encoding: .unsigned8, sampleRate: 8000, channelCount: 1))
        try writer.append(bytes: [1, 2, 3])
        try writer.finish()
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wav"))) + Data(RIFFInformation(tags).chunk)
        for cut in [0, 1, 9] {
            try data.dropLast(cut).write(to: URL(fileURLWithPath: folder.path("b.wav")))
            let reader = try PCMFileReader(path: folder.path("b.wav"))
            #expect(reader.properties.tags.title == (cut == 0 ? "End" : nil))
            var bytes: [UInt8] = []
            try reader.read(100, into: &bytes)
            #expect(bytes == [1, 2, 3])
        }
    }

    @Test("Damaged tags and lengths of a WAV file never trap, and leave the samples readable")
    func damagedTags() throws {
        let folder = try TemporaryFolder()
        var tags = AudioTags()
        tags.title = "Title"
        tags.album = "Album"
        let list = RIFFInformation(tags).chunk
        var random = SeededRandom(seed: 6)
        for _ in 0..<2000 {
            var damaged = Array(list.dropFirst(8))
            for _ in 0..<3 { damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            _ = RIFFInformation(list: Array(damaged.prefix(Int.random(in: 0...damaged.count, using: &random))))
        }
        var format = PCMOutputFormat(.wav, encoding: .int16, sampleRate: 8000, channelCount: 1)
        format.tags = tags
        let writer = try PCMFileWriter(path: folder.path("a.wav"), format: format)
        try writer.append(bytes: [1, 2, 3, 4])
        try writer.finish()
        let intact = try bytes(ofFile: folder.path("a.wav")) + list + list
        for _ in 0..<300 {
            var damaged = intact
            // Excludes the format chunk, damage to which would throw.
            for _ in 0..<2 {
                let index = [Int.random(in: 12..<48, using: &random), Int.random(in: 88..<damaged.count, using: &random)].randomElement(
                    using: &random)
                damaged[index ?? 12] = random.element(of: [0, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)])
            }
            let reader = try? PCMFileReader(path: try folder.write(damaged, to: "b.wav"))
            var samples: [UInt8] = []
            try reader?.read(1000, into: &samples)
        }
    }

    @Test("A 64-bit length near the maximum integer never traps", arguments: [UInt8(0xFF), 0xFE, 0xF4, 0xF3, 0xF0], ["RF64", "BW64"])
    func hugeLength(lastByte: UInt8, signature: String) throws {
        let folder = try TemporaryFolder()
        let writer = try PCMFileWriter(
            path: folder.path("a.wav"), format: PCMOutputFormat(.wav, encoding: .int16, sampleRate: 8000, channelCount: 1))
        try writer.append(bytes: [1, 2, 3, 4])
        try writer.finish()
        var bytes = try bytes(ofFile: folder.path("a.wav"))
        bytes.replaceSubrange(0..<4, with: Array(signature.utf8))
        bytes.replaceSubrange(12..<16, with: Array("ds64".utf8))
        // The length of the samples: 2^63 - 1, and less.
        bytes.replaceSubrange(28..<36, with: [lastByte] + [UInt8](repeating: 0xFF, count: 6) + [0x7F])
        let data = try #require(bytes.firstRange(of: Array("data".utf8)))
        bytes.replaceSubrange(data.upperBound..<data.upperBound + 4, with: [UInt8](repeating: 0xFF, count: 4))
        let reader = try PCMFileReader(path: try folder.write(bytes, to: "b.wav"))
        var samples: [UInt8] = []
        try reader.read(1000, into: &samples)
        #expect(samples == [1, 2, 3, 4] && reader.properties.containerName == signature)
    }

    @Test("FFmpeg reads Linnet's WAV tags, and Linnet reads FFmpeg's")
    func foreignTags() throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let made = try ProgramRun(
            ffmpeg,
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=d=0.1", "-metadata", "title=T1", "-metadata", "artist=Ä", "-metadata",
                "date=1999", "a.wav",
            ],
            folder: folder.url)
        #expect(made.exitCode == 0)
        let tags = try PCMFileReader(path: folder.path("a.wav")).properties.tags
        #expect(tags.title == "T1" && tags.artist == "Ä" && tags.date == "1999" && tags.album == nil)
        var format = PCMOutputFormat(.wav, sampleRate: 8000, channelCount: 1)
        format.tags = tags
        let writer = try PCMFileWriter(path: folder.path("b.wav"), format: format)
        try writer.append(PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 800))
        try writer.finish()
        let probe = try ProgramRun(
            try ProgramRun.require("ffprobe"), ["-v", "error", "-show_entries", "format_tags", "-of", "csv", "b.wav"], folder: folder.url)
        #expect(probe.text.contains("T1") && probe.text.contains("Ä") && probe.text.contains("1999"))
    }
}
