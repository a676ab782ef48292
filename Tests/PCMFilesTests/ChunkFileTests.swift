// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import SystemFiles
import TestSupport
import Testing

/// AIFF and CAF with PCM.
@Suite struct ChunkFileTests {
    private static let sampleRate = 8000

    /// Writes a file with a 16-bit signal.
    private func signal(_ file: AudioFileFormat, _ folder: TemporaryFolder, frameCount: Int = 3000) throws -> (
        path: String, channels: [[Float]]
    ) {
        let path = folder.path("a")
        let channels = PCMFileWriterTests.noise(2, frameCount)
        try write(channels, to: path, PCMOutputFormat(file, sampleRate: Self.sampleRate, channelCount: 2))
        return (path, channels)
    }

    @Test("A truncated file yields the available frames and a warning", arguments: [AudioFileFormat.aiff, .caf])
    func cutOff(file: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        let (path, channels) = try signal(file, folder)
        let cut = try folder.write(Array(try bytes(ofFile: path).dropLast(1002)), to: "cut")
        let read = try readAll(cut)
        #expect(read.channels == channels.map { Array($0.prefix(2749)) })
        #expect(read.reader.properties.frameCount == 2749)
        #expect(read.reader.warnings == [.endsEarly(path: cut, declaredFrames: 3000, foundFrames: 2749)])
    }

    @Test("A file that is cut off in its header is damaged, not of an unknown format", arguments: [AudioFileFormat.aiff, .caf, .flac])
    func cutHeader(file: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        let (path, _) = try signal(file, folder)
        let whole = try bytes(ofFile: path)
        for count in [12, 30, 40] {
            let path = try folder.write(Array(whole.prefix(count)), to: "cut")
            let error = #expect(throws: AudioFileError.self) { try PCMFileReader(path: path) }
            #expect(error?.code == .damagedInput, "\(count) bytes: \(error.map(\.description) ?? "")")
        }
    }

    @Test("Of an interrupted recording, CAF has everything and AIFF all but the last second", arguments: [AudioFileFormat.aiff, .caf])
    func unfinished(file: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a")
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        let format = PCMOutputFormat(file, sampleRate: Self.sampleRate, channelCount: 1)
        let writer = try PCMFileWriter(descriptor: descriptor, name: path, format: format)
        let samples = PCMFileWriterTests.noise(1, 20_000)
        for start in stride(from: 0, to: 20_000, by: 500) {
            try writer.append(PCMBuffer(channels: [Array(samples[0][start..<start + 500])], sampleRate: Self.sampleRate))
        }
        let read = try readAll(path)
        #expect(read.channels == [Array(samples[0].prefix(file == .caf ? 20_000 : 16_000))])
        try writer.finish()
        #expect(try readAll(path).channels == samples)
    }

    @Test("Skips unknown and odd-length chunks around the samples", arguments: [AudioFileFormat.aiff, .caf])
    func otherChunks(file: AudioFileFormat) throws {
        let folder = try TemporaryFolder()
        let (path, channels) = try signal(file, folder)
        var bytes = try TestSupport.bytes(ofFile: path)
        let length: [UInt8] = (file == .caf ? [0, 0, 0, 0] : []) + [0, 0, 0, 3]
        let chunk = Array("huh?".utf8) + length + [1, 2, 3] + (file == .caf ? [] : [0])
        bytes.insert(contentsOf: chunk, at: file == .caf ? 8 + 12 + 32 : 12)
        let read = try readAll(try folder.write(bytes + chunk, to: "b"))
        #expect(read.channels == channels && read.reader.warnings.isEmpty, "\(read.reader.warnings)")
    }

    @Test("AIFF that sox wrote to a pipe with a placeholder length is read to its end")
    func piped() throws {
        let folder = try TemporaryFolder()
        let make = "sox -n -r 8000 -c 1 -b 16 -t aiff - synth 1 sine 300 2>/dev/null | cat > a.aiff"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let read = try readAll(folder.path("a.aiff"))
        #expect(read.channels[0].count == 8000 && read.reader.properties.frameCount == 8000 && read.reader.warnings.isEmpty)
    }

    @Test(
        "Little-endian and floating-point AIFF-C from FFmpeg is read exactly",
        arguments: ["pcm_s16le", "pcm_f32be", "pcm_f64be", "pcm_s24be"])
    func compressionTypes(codec: String) throws {
        let folder = try TemporaryFolder()
        let (path, channels) = try signal(.aiff, folder)
        let run = try ProgramRun.shell("ffmpeg -v error -f aiff -i '\(path)' -c:a \(codec) b.aiff", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let read = try readAll(folder.path("b.aiff"))
        #expect(read.channels == channels && read.reader.encoding.rawValue.hasPrefix(String(codec.dropFirst(4).prefix(3))))
        #expect(!read.reader.encoding.isBigEndian)
    }

    @Test("CAF with 24 bits in four bytes has the samples of three bytes", arguments: [true, false])
    func unpackedSamples(isLittleEndian: Bool) throws {
        let samples = (0..<200).map { Int32(truncatingIfNeeded: $0 &* 0x0123_4567) & ~0xFF }
        func file(byteCount: Int) -> [UInt8] {
            var bytes = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 32]
            bytes += [0x40, 0xBF, 0x40, 0, 0, 0, 0, 0] + Array("lpcm".utf8)
            for field in [isLittleEndian ? 2 : 0, UInt8(2 * byteCount), 1, 2, 24] { bytes += [0, 0, 0, field] }
            bytes += Array("data".utf8) + [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0]
            for sample in samples {
                let stored = (0..<byteCount).map { UInt8(truncatingIfNeeded: sample >> (24 - 8 * Int32($0))) }
                bytes += isLittleEndian ? stored.reversed() : stored
            }
            return bytes
        }
        let folder = try TemporaryFolder()
        let packed = try readAll(try folder.write(file(byteCount: 3), to: "packed.caf"))
        let unpacked = try readAll(try folder.write(file(byteCount: 4), to: "unpacked.caf"))
        #expect(unpacked.channels == packed.channels && unpacked.channels[0].count == 100)
        #expect(unpacked.reader.properties.validBitCount == 24 && packed.reader.properties.validBitCount == nil)
    }

    @Test("CAF with an excessive channel count throws before memory is allocated")
    func channelLimit() throws {
        var bytes = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 32, 0x40, 0xBF, 0x40, 0, 0, 0, 0, 0]
        // 2^32 - 1 channels of 8 bits.
        bytes += Array("lpcm".utf8) + [0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 1, 255, 255, 255, 255, 0, 0, 0, 8]
        bytes += Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 68, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 64)
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "a.caf")
        let error = #expect(throws: AudioFileError.self) { _ = try PCMFileReader(path: path) }
        #expect(error?.description.contains("4294967295") == true)
    }
}
