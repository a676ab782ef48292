// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import SystemFiles
import TestSupport
import Testing

/// Writes channels of samples in uneven pieces.
func write(_ channels: [[Float]], to path: String, _ format: PCMOutputFormat) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    let writer = try PCMFileWriter(descriptor: descriptor, name: path, format: format)
    var start = 0
    while start < channels[0].count {
        let count = min(channels[0].count - start, 100 + start / 3)
        var buffer = PCMBuffer(sampleRate: format.sampleRate, channelCount: channels.count, frameCapacity: count + 7, frameCount: count)
        for (index, channel) in channels.enumerated() {
            buffer.samples.replaceSubrange(buffer.range(ofChannel: index), with: channel[start..<start + count])
        }
        try writer.append(buffer)
        start += count
    }
    try writer.finish()
}

@Suite struct PCMFileWriterTests {
    /// Random multiples of 2^-15, which are exact in every format.
    static func noise(_ channelCount: Int, _ frameCount: Int, seed: UInt64 = 5) -> [[Float]] {
        var random = SeededRandom(seed: seed)
        return (0..<channelCount).map { _ in
            (0..<frameCount).map { _ in Float(Int16.random(in: .min ... .max, using: &random)) / 32_768 }
        }
    }

    @Test("AIFF is limited to its 32-bit lengths")
    func longestFile() throws {
        #expect(AudioFileFormat.pcmFormats.filter { $0.sampleByteLimit < Int.max } == [.aiff])
        #expect((4_294_900_000...4_294_967_295).contains(AudioFileFormat.aiff.sampleByteLimit))
        let folder = try TemporaryFolder()
        let format = PCMOutputFormat(.aiff, sampleFormat: .int16, sampleRate: 8000, channelCount: 2)
        let file = try FileOutput(path: folder.path("a.aiff"))
        let writer = try PCMFileWriter(file.file, path: "a.aiff", format: format, sampleByteLimit: 403)
        try writer.append(bytes: [UInt8](repeating: 1, count: 396))
        #expect(throws: AudioFileError(.tooLong(.aiff), path: "a.aiff")) { try writer.append(bytes: [UInt8](repeating: 1, count: 8)) }
        #expect(throws: AudioFileError(.tooLong(.aiff), path: "a.aiff")) {
            try writer.append(PCMBuffer(sampleRate: 8000, channelCount: 2, frameCapacity: 2, frameCount: 2))
        }
        try writer.append(bytes: [1, 2, 3, 4])
        try writer.finish()
        #expect(writer.frameCount == 100)
    }

    @Test("The tags of AIFF count towards its limit")
    func longestFileWithTags() throws {
        let folder = try TemporaryFolder()
        var format = PCMOutputFormat(.aiff, sampleFormat: .int16, sampleRate: 8000, channelCount: 2)
        format.tags.cover = AudioTags.Picture(format: .png, bytes: [UInt8](repeating: 1, count: 10_000))
        let file = try FileOutput(path: folder.path("a.aiff"))
        let writer = try PCMFileWriter(file.file, path: "a.aiff", format: format, sampleByteLimit: 12_000)
        #expect(throws: AudioFileError(.tooLong(.aiff), path: "a.aiff")) { try writer.append(bytes: [UInt8](repeating: 1, count: 2000)) }
        try writer.append(bytes: [UInt8](repeating: 1, count: 1600))
    }

    @Test("FLAC in Ogg states the number of its metadata blocks, and keeps a picture without tags")
    func oggBlockCount() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.oga")
        var format = PCMOutputFormat(.oggFLAC, sampleFormat: .int16, sampleRate: 8000, channelCount: 1)
        format.tags.cover = AudioTags.Picture(format: .png, bytes: [UInt8](repeating: 1, count: 100))
        try write(Self.noise(1, 500), to: path, format)
        // The count follows the page header, the signature and the version.
        #expect([UInt8](try Data(contentsOf: URL(filePath: path)))[35..<37] == [0, 2])
        #expect(try PCMFileReader(path: path).properties.tags.pictures == format.tags.pictures)
    }

    @Test("AIFF counts an odd number of sample bytes without the padding", arguments: [1, 2, 3, 5])
    func oddLength(channelCount: Int) throws {
        let folder = try TemporaryFolder()
        for (encoding, frameCount) in [(SampleEncoding.signed8, 11), (.int24BigEndian, 11), (.int24BigEndian, 12)] {
            let path = folder.path("a.aiff")
            let format = PCMOutputFormat(.aiff, encoding: encoding, sampleRate: 8000, channelCount: channelCount)
            try write(Self.noise(channelCount, frameCount), to: path, format)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let head = try #require(bytes.indices.first { bytes[$0...].starts(with: "SSND".utf8) })
            let size = bytes[head + 4..<head + 8].reduce(0) { $0 << 8 | Int($1) }
            // An offset and a block size precede the samples.
            #expect(size == frameCount * channelCount * encoding.byteCount + 8)
            #expect(bytes.count == head + 8 + size + size % 2)
            #expect(bytes[4..<8].reduce(0) { $0 << 8 | Int($1) } == bytes.count - 8)
        }
    }

    @Test("The header of an unfinished WAV file states its length up to the last second")
    func neverFinished() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "a.wav")
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        let format = PCMOutputFormat(.wav, sampleFormat: .int16, sampleRate: 8000, channelCount: 2)
        let writer = try PCMFileWriter(descriptor: descriptor, name: path, format: format)
        for _ in 0..<7 { try writer.append(bytes: [UInt8](repeating: 1, count: 4 * 3000)) }
        let reader = try PCMFileReader(path: path)
        #expect(reader.properties.frameCount == 18_000)
    }

    @Test(
        "Samples survive the round trip in every format, width and channel count",
        arguments: AudioFileFormat.pcmFormats, [SampleFormat.int16, .int24, .float32])
    func roundTrip(file: AudioFileFormat, sampleFormat: SampleFormat) throws {
        let folder = try TemporaryFolder()
        for channelCount in [1, 2, 3, 6] {
            let channels = Self.noise(channelCount, 1001)
            let path = folder.path("a")
            let format = PCMOutputFormat(file, sampleFormat: sampleFormat, sampleRate: 48_000, channelCount: channelCount)
            if file.isFLAC, sampleFormat == .float32 {
                #expect(throws: AudioFileError.self) { try write(channels, to: path, format) }
                continue
            }
            try write(channels, to: path, format)
            let encoding: SampleEncoding = [.int16: .int16, .int24: .int24][sampleFormat] ?? .float32
            let raw = AudioFormat(encoding, sampleRate: 48_000, channelCount: channelCount)
            let read = try readAll(path, raw: file == .raw ? raw : nil)
            #expect(read.channels == channels)
            #expect(read.reader.properties.frameCount == 1001)
            #expect(read.reader.properties.streamDescription.bitsPerChannel == sampleFormat.byteCount * 8)
            #expect(read.reader.warnings.isEmpty)
        }
    }

    @Test("libsndfile reads Linnet's WAV files identically", arguments: SampleFormat.allCases)
    func agreesWithLibrary(sampleFormat: SampleFormat) throws {
        let folder = try TemporaryFolder()
        for channelCount in [1, 2, 6] {
            let channels = Self.noise(channelCount, 333)
            let speakers: [Speaker] = [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight]
            let path = folder.path("a.wav")
            let format = PCMOutputFormat(
                .wav, sampleFormat: sampleFormat, sampleRate: 44_100, channelCount: channelCount,
                channelLayout: channelCount == 6 ? ChannelLayout(speakers) : nil)
            try write(channels, to: path, format)
            let source = try #require(try SndfileSource(FileInput(path: path)))
            #expect(source.properties.frameCount == 333)
            var buffer = PCMBuffer(sampleRate: 44_100, channelCount: channelCount, frameCapacity: 400)
            try source.read(into: &buffer)
            #expect((0..<channelCount).map { buffer.channel($0) } == channels)
            if channelCount == 6 { #expect(source.properties.channelLayout?.speakers == speakers) }
        }
    }

    @Test("Integers round to nearest and clip; NaN becomes silence")
    func conversion() {
        let halfStep: Float = 0.5 / 32_768
        let inputs: [Float] = [0, halfStep, 3 * halfStep, -halfStep, 1, 1.5, -1, -7, .nan, .infinity, -.infinity, 1.49 * halfStep * 2]
        let outputs: [Int32] = [0, 0, 2, 0, 32_767, 32_767, -32_768, -32_768, 0, 32_767, -32_768, 1]
        #expect(inputs.map { SampleRounding.integer($0, bitCount: 16) } == outputs)
        #expect(SampleRounding.integer(1, bitCount: 24) == 8_388_607)
        #expect(SampleRounding.integer(1, bitCount: 32) == .max)
        #expect(SampleRounding.integer(-1, bitCount: 32) == .min)
    }

    @Test("A WAV file of an interrupted writer is read to its end")
    func unfinished() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.wav")
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        let format = PCMOutputFormat(.wav, sampleRate: 8000, channelCount: 1)
        let writer = try PCMFileWriter(descriptor: descriptor, name: path, format: format)
        try writer.append(PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 500))
        let read = try readAll(path)
        #expect(read.channels[0].count == 500)
        #expect(read.reader.warnings.isEmpty)
    }

    @Test("Full disk throws with the system's errno")
    func fullDisk() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let format = PCMOutputFormat(.raw, sampleRate: 8000, channelCount: 1)
        let writer = try PCMFileWriter(descriptor: descriptor, name: "/dev/full", format: format)
        #expect(throws: AudioFileError(.noSpace, path: "/dev/full")) {
            try writer.append(PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 500))
        }
    }

    @Test("File name extensions determine formats")
    func names() {
        #expect(AudioFileFormat(pcmPath: "/a.b/c.WAV") == .wav)
        #expect(AudioFileFormat(pcmPath: "c.aif") == .aiff)
        #expect(AudioFileFormat(pcmPath: "/a.wav/c") == nil)
        #expect(AudioFileFormat(pcmPath: "c.xyz") == nil)
    }
}
