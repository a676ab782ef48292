// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Reads a whole file in chunks of an odd size.
///
/// Returns the channels and the reader.
func readAll(_ path: String, raw: AudioFormat? = nil, chunk: Int = 777) throws -> (channels: [[Float]], reader: PCMFileReader) {
    let reader = try PCMFileReader(path: path, raw: raw)
    let properties = reader.properties
    var channels = [[Float]](repeating: [], count: properties.channelCount)
    var buffer = PCMBuffer(sampleRate: properties.sampleRate, channelCount: properties.channelCount, frameCapacity: chunk)
    while true {
        try reader.read(into: &buffer)
        if buffer.frameCount == 0 { break }
        for channel in channels.indices { channels[channel] += buffer.channel(channel) }
    }
    return (channels, reader)
}

/// Reads bytes through a named pipe.
func readThroughPipe(_ bytes: [UInt8], chunk: Int = 777) throws -> (channels: [[Float]], reader: PCMFileReader) {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = Thread {
        guard let handle = FileHandle(forWritingAtPath: pipe) else { return }
        // Uneven pieces cause short reads.
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 5000 + start % 777)
            try? handle.write(contentsOf: Data(bytes[start..<end]))
            start = end
        }
        try? handle.close()
    }
    writer.start()
    return try readAll(pipe, chunk: chunk)
}

@Suite struct PCMFileReaderTests {
    static func samples16(_ count: Int) -> [Int16] { (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7919 &+ 13) } }
    static func bytes16(_ count: Int) -> [UInt8] { samples16(count).flatMap { WAVEBytes.number(Int($0), byteCount: 2) } }
    static func isRight(_ channels: [[Float]], frames: Int) -> Bool {
        let expected = samples16(frames * 2).map { Float($0) / 32_768 }
        return channels == [stride(from: 0, to: frames * 2, by: 2), stride(from: 1, to: frames * 2, by: 2)].map { $0.map { expected[$0] } }
    }

    @Test("A plain WAV file is read exactly, in chunks of any size", arguments: [1, 3, 1024, 100_000])
    func plainWAV(chunk: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(WAVEBytes(samples: Self.bytes16(4000)).bytes, to: "a.wav")
        let (channels, reader) = try readAll(path, chunk: chunk)
        #expect(Self.isRight(channels, frames: 2000))
        #expect(reader.properties.containerName == "WAV")
        #expect(reader.properties.frameCount == 2000)
        #expect(reader.properties.sampleRate == 44_100)
        #expect(reader.warnings.isEmpty)
        #expect(reader.position == 2000)
    }

    @Test("Decodes every integer and float width, in WAV and headerless")
    func widths() throws {
        let folder = try TemporaryFolder()
        let cases: [(SampleEncoding, tag: Int, bytes: [UInt8], expected: [Float])] = [
            (.unsigned8, 1, [0, 128, 192, 255], [-1, 0, 0.5, 127.0 / 128]),
            (.int16, 1, [0, 0x80, 0, 0, 0, 0x40, 0xFF, 0x7F], [-1, 0, 0.5, 32_767.0 / 32_768]),
            (.int24, 1, [0, 0, 0x80, 0, 0, 0x40, 1, 0, 0], [-1, 0.5, 1 / 8_388_608]),
            (.int32, 1, [0, 0, 0, 0x80, 0, 0, 0, 0x40, 0, 1, 0, 0], [-1, 0.5, 1 / 8_388_608]),
            (.float32, 3, [0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF], [1, -0.5]),
            (.float64, 3, [0, 0, 0, 0, 0, 0, 0xF0, 0x3F], [1]),
        ]
        for (encoding, tag, bytes, expected) in cases {
            for mask in [nil, 4] {
                let wave = WAVEBytes(
                    tag: tag, channelCount: 1, bitsPerSample: encoding.byteCount * 8, channelMask: mask, samples: bytes)
                let path = try folder.write(wave.bytes, to: "\(encoding).wav")
                let read = try readAll(path)
                #expect(read.channels == [expected], "\(encoding)")
                #expect(read.reader.properties.channelLayout == mask.map { _ in ChannelLayout([.center]) })
                #expect(read.reader.properties.streamDescription.bitsPerChannel == encoding.byteCount * 8)
            }
            let raw = try folder.write(bytes, to: "\(encoding).pcm")
            #expect(try readAll(raw, raw: AudioFormat(encoding, sampleRate: 8000, channelCount: 1)).channels == [expected])
        }
    }

    @Test("Big-endian raw samples equal byte-swapped little-endian ones", arguments: SampleEncoding.allCases)
    func bigEndian(encoding: SampleEncoding) throws {
        let folder = try TemporaryFolder()
        let little = SampleEncoding(rawValue: encoding.rawValue.replacingOccurrences(of: "be", with: "le")) ?? encoding
        let bytes = [UInt8]((0..<encoding.byteCount * 10).map { UInt8(truncatingIfNeeded: $0 * 37 + 1) & 0x3F })
        let turned = stride(from: 0, to: bytes.count, by: encoding.byteCount).flatMap { bytes[$0..<$0 + encoding.byteCount].reversed() }
        let first = try folder.write(encoding == little ? bytes : turned, to: "first")
        let second = try folder.write(bytes, to: "second")
        let form = { AudioFormat($0, sampleRate: 8000, channelCount: 2) }
        #expect(try readAll(first, raw: form(encoding)).channels == readAll(second, raw: form(little)).channels)
        #expect(SampleEncoding(name: encoding.rawValue) == encoding)
    }

    @Test("Six channels keep the layout of their mask")
    func layout() throws {
        let folder = try TemporaryFolder()
        let wave = WAVEBytes(channelCount: 6, channelMask: 0x60F, samples: Self.bytes16(12))
        let (channels, reader) = try readAll(try folder.write(wave.bytes, to: "a.wav"))
        #expect(channels.count == 6)
        #expect(reader.properties.channelLayout?.speakers == [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight])
        let wrong = WAVEBytes(channelCount: 6, channelMask: 0x3, samples: Self.bytes16(12))
        #expect(try readAll(try folder.write(wrong.bytes, to: "b.wav")).reader.properties.channelLayout == nil)
    }

    @Test("Seeks to the requested frame")
    func seek() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(WAVEBytes(samples: Self.bytes16(4000)).bytes, to: "a.wav")
        let reader = try PCMFileReader(path: path)
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 2)
        for frame in [1999, 0, 1234] {
            try reader.seek(toFrame: frame)
            try reader.read(into: &buffer)
            #expect(buffer.channel(0)[0] == Float(Self.samples16(4000)[frame * 2]) / 32_768)
        }
    }

    @Test func `Files are seekable; pipes only if they are copied to a file`() throws {
        let wave = WAVEBytes(samples: Self.bytes16(4000)).bytes
        #expect(try PCMFileReader(bytes: wave).canSeek)
        #expect(try !readThroughPipe(wave).reader.canSeek)
        let flac = try ProgramRun.file("a.flac", by: "sox -R -n -r 44100 -c 2 -b 16 a.flac synth 0.2 sine 440")
        #expect(try readThroughPipe(flac).reader.canSeek)
    }
}
