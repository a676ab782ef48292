// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

/// Files read and written in one call, on disk and in memory.
@Suite struct PCMBufferFileTests {
    /// Returns two channels of tones.
    private static func tones(frameCount: Int = 50_001, sampleRate: Int = 48_000) -> PCMBuffer {
        let channels: [[Float]] = [3, 5].map { factor in
            (0..<frameCount).map { Float($0 * factor * 73 % 1_009) / 4_036 - 0.125 }
        }
        return PCMBuffer(channels: channels, sampleRate: sampleRate)
    }

    @Test(
        arguments: [
            AudioFileFormat.m4a, .fragmentedM4A, .caf, .oggOpus, .wav, .aiff, .flac,
        ])
    func `Encoding and decoding in memory keeps the length`(format: AudioFileFormat) throws {
        let audio = Self.tones()
        let bytes = try audio.encoded(as: format)
        let again = try PCMBuffer(decoding: bytes)
        #expect(again.frameCount == audio.frameCount)
        #expect(again.channelCount == 2)
        #expect(again.sampleRate == 48_000)
    }

    @Test(arguments: [AudioFileFormat.m4a, .fragmentedM4A, .caf, .oggOpus, .wav, .aiff, .flac])
    func `Tags are stored in the file`(format: AudioFileFormat) throws {
        var tags = AudioTags()
        tags.title = "Gnossienne"
        tags[.artist] = ["Erik Satie"]
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.tones().encoded(as: format, tags: tags), to: "tagged")
        let found = try AudioTags(contentsOf: path)
        #expect(found.title == "Gnossienne" && found[.artist] == ["Erik Satie"])
    }

    @Test func `Unsupported tags throw`() throws {
        var tags = AudioTags()
        tags.title = "Gnossienne"
        #expect(throws: AudioFileError(.unsupportedTags(.adts), path: "memory")) { try Self.tones().encoded(as: .adts, tags: tags) }
    }

    @Test(arguments: [AudioFileFormat.adts, .loas, .transportStream])
    func `Streams without a length decode to whole access units`(format: AudioFileFormat) throws {
        let audio = Self.tones()
        let again = try PCMBuffer(decoding: try audio.encoded(as: format, bitRate: 128_000))
        #expect(again.frameCount % 1024 == 0)
        #expect(again.frameCount >= audio.frameCount)
    }

    @Test func `Damage is reported to the caller`() throws {
        var bytes = try Self.tones().encoded(as: .adts, bitRate: 128_000)
        for index in 4000..<6000 { bytes[index] = 0x55 }
        var warnings: [PCMFileWarning] = []
        _ = try PCMBuffer(decoding: bytes) { warnings.append($0) }
        #expect(warnings.contains { $0.isDamage })
        let folder = try TemporaryFolder()
        var again: [PCMFileWarning] = []
        _ = try PCMBuffer(contentsOf: try folder.write(bytes, to: "a.aac")) { again.append($0) }
        #expect(again.count == warnings.count)
    }

    @Test func `iLBC is mono at 8 kHz`() throws {
        let again = try PCMBuffer(decoding: try Self.tones(frameCount: 48_000).encoded(as: .ilbc))
        #expect(again.channelCount == 1)
        #expect(again.sampleRate == 8_000)
    }

    @Test func `The bit rate chooses the frames of iLBC; other rates throw`() throws {
        let audio = Self.tones(frameCount: 48_000)
        #expect(try audio.encoded(as: .ilbc, bitRate: 13_333).starts(with: "#!iLBC30".utf8))
        #expect(try audio.encoded(as: .ilbc, bitRate: 15_200).starts(with: "#!iLBC20".utf8))
        for bitRate in [1000, 64_000] {
            let error = try #require(throws: AudioFileError.self) { try audio.encoded(as: .ilbc, bitRate: bitRate) }
            #expect(error.underlyingError as? CodecError == .unsupportedBitRate(bitRate, allowed: 13_000...15_200))
        }
    }

    @Test(arguments: [AudioFileFormat.m4a, .oggOpus, .flac, .wav])
    func `Tags of a file with unread parts can be written`(format: AudioFileFormat) throws {
        // Private data and a title.
        let frames = Array("PRIV".utf8) + [0, 0, 0, 4, 0, 0] + Array("ab\0c".utf8) + Array("TIT2".utf8) + [0, 0, 0, 2, 0, 0, 3, 0x41]
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
        let folder = try TemporaryFolder()
        let path = try folder.write(tag + Self.tones(frameCount: 4096).encoded(as: .adts), to: "a.aac")
        let tags = try AudioTags(contentsOf: path)
        #expect(tags.title == "A" && tags.unreadNames == ["private data"])
        let bytes = try Self.tones(frameCount: 4096).encoded(as: format, tags: tags)
        #expect(try AudioTags(contentsOf: try folder.write(bytes, to: "b")).title == "A")
        // A title is requested.
        #expect(throws: AudioFileError.self) { try Self.tones(frameCount: 4096).encoded(as: .adts, tags: tags) }
    }

    @Test(arguments: [AudioFileFormat.wav, .aiff]) func `Floating-point files keep all bits`(format: AudioFileFormat) throws {
        let audio = Self.tones(frameCount: 1_000)
        let again = try PCMBuffer(decoding: try audio.encoded(as: format))
        #expect(again.channels == audio.channels)
    }

    @Test func `A file and its bytes decode to the same samples`() throws {
        let bytes = try Self.tones().encoded(as: .m4a, bitRate: 96_000)
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "tones.m4a")
        #expect(try PCMBuffer(contentsOf: path) == PCMBuffer(decoding: bytes))
    }

    @Test func `5.1 without a layout is mixed with the WAV layout`() throws {
        let count = 100
        var surround = PCMBuffer(sampleRate: 48_000, channelCount: 6, frameCapacity: count)
        surround.frameCount = count
        for channel in 0..<6 {
            for place in surround.range(ofChannel: channel) { surround.samples[place] = Float(1 << channel) / 64 }
        }
        let bytes = try surround.encoded(as: .wav)
        let stereo = try PCMBuffer(decoding: bytes, channelCount: 2)
        // L + C/√2 + Ls/√2, divided by the sum of the gains.
        let side = 1 / Float(2).squareRoot()
        for (channel, sum) in [1 + 4 * side + 16 * side, 2 + 4 * side + 32 * side].enumerated() {
            #expect(abs(stereo.channel(channel)[50] - sum / 64 / (1 + 2 * side)) < 1e-6)
        }
        let mono = try PCMBuffer(decoding: bytes, channelCount: 1).channel(0)[50]
        #expect(abs(mono - (stereo.channel(0)[50] + stereo.channel(1)[50]) / 2) < 1e-6)
    }

    @Test func `The encoder reaches the bit rate`() throws {
        let audio = Self.tones(frameCount: 480_000)
        let low = try audio.encoded(as: .adts, bitRate: 64_000).count
        #expect(abs(low * 8 / 10 - 64_000) < 6_400)
    }

    @Test(arguments: [AudioFileFormat.m4a, .wav, .adts]) func `A range is exact to the sample frame`(format: AudioFileFormat) throws {
        let bytes = try Self.tones().encoded(as: format)
        let all = try PCMBuffer(decoding: bytes)
        let part = try PCMBuffer(decoding: bytes, range: .milliseconds(250) ..< .milliseconds(500))
        #expect(part.frameCount == 12_000)
        #expect(part.channels[1] == Array(all.channels[1][12_000..<24_000]))
    }

    @Test func `Converts sample rate and channels`() throws {
        let bytes = try Self.tones().encoded(as: .wav)
        let speech = try PCMBuffer(decoding: bytes, sampleRate: 16_000, channelCount: 1)
        #expect(speech.sampleRate == 16_000)
        #expect(speech.channelCount == 1)
        #expect(speech.frameCount == 16_667)
    }

    @Test func `An unsupported AAC sample rate becomes the next higher one`() throws {
        let again = try PCMBuffer(decoding: try Self.tones(sampleRate: 40_000).encoded(as: .m4a))
        #expect(again.sampleRate == 44_100)
        let low = Self.tones(sampleRate: 11_025)
        var settings = AACEncoderSettings()
        settings.profile = .highEfficiency
        #expect(try PCMBuffer(decoding: low.encoded(as: .m4a, settings: settings)).sampleRate == 16_000)
    }

    @Test func `Errors describe the problem`() throws {
        #expect(throws: AudioFileError.self) { try PCMBuffer(decoding: [1, 2, 3]) }
        #expect(throws: AudioFileError.self) { try PCMBuffer(contentsOf: "/nonexistent.wav") }
        #expect(throws: AudioFileError(.emptyRange, path: "memory")) {
            try PCMBuffer(decoding: try Self.tones().encoded(as: .wav), range: .seconds(9) ..< .seconds(10))
        }
        let error = #expect(throws: AudioFileError.self) { try Self.tones().encoded(as: .matroska) }
        #expect(error?.code == .unsupportedContainer)
        #expect(throws: AudioFileError.self) { try Self.tones().encoded(as: .m4a, bitRate: 1) }
    }

    @Test(arguments: [0, -1, Int.max]) func `Impossible sample rates and channel counts throw`(value: Int) throws {
        let audio = Self.tones(frameCount: 100)
        let bytes = try audio.encoded(as: .wav)
        #expect(throws: AudioFileError.self) { try PCMBuffer(decoding: bytes, sampleRate: value) }
        #expect(throws: AudioFileError.self) { try PCMBuffer(decoding: bytes, channelCount: value) }
        let invalid = PCMBuffer(channels: audio.channels, sampleRate: value)
        for format in [AudioFileFormat.wav, .aiff, .flac, .m4a, .oggOpus] {
            #expect(throws: AudioFileError.self) { try invalid.encoded(as: format) }
        }
        for raw in [
            AudioFormat(.int16, sampleRate: value, channelCount: 2), AudioFormat(.int16, sampleRate: 48_000, channelCount: value),
            AudioFormat(.int16, sampleRate: 48_000, channelCount: 2, isInterleaved: false),
        ] {
            #expect(throws: AudioFileError.self) { try AudioFile(bytes: bytes, raw: raw) }
        }
    }

    @Test(arguments: [AudioFileFormat.wav, .aiff, .m4a, .flac], [0, -1])
    func `Reading no frames does not end the file`(format: AudioFileFormat, count: Int) throws {
        let file = try AudioFile(bytes: Self.tones(frameCount: 100).encoded(as: format))
        var bytes: [UInt8] = [1]
        #expect(try !file.read(count, into: &bytes) && bytes.isEmpty)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 0)
        #expect(try !file.read(into: &buffer))
        #expect(try file.read(1000, into: &bytes) && file.position == 100 && file.warnings.isEmpty)
    }

    @Test func `All file readers read bytes in memory`() throws {
        let bytes = try Self.tones().encoded(as: .m4a)
        let reader = try AccessUnitReader(bytes: bytes)
        #expect(reader.format == .m4a)
        #expect(reader.byteCount == bytes.count)
        var frameCount = 0
        let decoder = try FileDecoder(bytes: bytes)
        while let buffer = try decoder.next() { frameCount += buffer.frameCount }
        #expect(frameCount == 50_001)
        let file = try AudioFile(bytes: bytes)
        try file.seek(toFrame: 50_000)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 100)
        try file.read(into: &buffer)
        #expect(buffer.frameCount == 1)
        #expect(try PCMFileReader(bytes: try Self.tones().encoded(as: .flac)).properties.containerName == "FLAC")
    }

    @Test func `A header with 68 billion frames reserves no memory`() throws {
        var bytes = try Self.tones(frameCount: 5000).encoded(as: .flac)
        // The 36-bit total sample count is in the first metadata block (RFC 9639, 8.2).
        bytes[21] |= 0x0F
        for index in 22...25 { bytes[index] = 0xFF }
        #expect(try PCMBuffer(decoding: bytes).frameCount == 5000)
    }
}
