// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// PCM, MPEG audio and FLAC tracks of MP4 and QuickTime files from FFmpeg.
@Suite struct TrackPCMSourceTests {
    /// Returns a folder with two seconds of noise encoded by FFmpeg, and FFmpeg's decoded samples as `a.f64`.
    private func folder(_ options: String, to name: String) throws -> TemporaryFolder {
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let noise = "-f lavfi -i anoisesrc=d=2:r=44100:seed=3:a=0.3,lowpass=f=3000,aformat=channel_layouts=stereo"
        let commands =
            "ffmpeg -v error \(noise) \(options) -strict -2 -metadata title=Tïtle \(name) && ffmpeg -v error -i \(name) -f f64le a.f64"
        let run = try ProgramRun.shell(commands, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return folder
    }

    /// Reads all remaining frames of a file.
    private func samples(_ reader: PCMFileReader) throws -> [[Float]] {
        var channels = [[Float]](repeating: [], count: reader.properties.channelCount)
        var buffer = PCMBuffer(sampleRate: reader.properties.sampleRate, channelCount: channels.count, frameCapacity: 3001)
        repeat {
            try reader.read(into: &buffer)
            for channel in channels.indices { channels[channel] += buffer.channel(channel) }
        } while buffer.frameCount > 0
        return channels
    }

    @Test(
        "Samples match FFmpeg's, tags are read, and reading works from any position",
        arguments: [
            "pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be",
            "pcm_f64le", "pcm_f64be", "pcm_mulaw", "pcm_alaw", "pcm_s24le -ar 96000", "pcm_s16le -movflags frag_keyframe+empty_moov",
            "pcm_s16le -ac 1", "pcm_s16be -f lavfi -i testsrc=d=2:s=64x64 -c:v mpeg4",
        ].selectedCases)
    func exact(options: String) throws {
        // Inputs precede the codec.
        let words = options.split(separator: " -f lavfi", maxSplits: 1).map(String.init)
        let film = words.count > 1 ? "-f lavfi" + words[1] : ""
        let folder = try folder("\(film) -c:a \(words[0])", to: "a.mov")
        let reader = try PCMFileReader.reading(.file(folder.path("a.mov")))
        let raw = AudioFormat(.float64, sampleRate: reader.properties.sampleRate, channelCount: reader.properties.channelCount)
        let theirs = try samples(try PCMFileReader(path: folder.path("a.f64"), raw: raw))
        let found = try samples(reader)
        #expect(found == theirs && found[0].count == 2 * reader.properties.sampleRate)
        #expect(reader.properties.frameCount == found[0].count && reader.warnings.isEmpty && reader.properties.tags.title == "Tïtle")
        try reader.seek(toFrame: 54_321)
        #expect(try samples(reader)[0] == Array(theirs[0][54_321...]))
        let inMemory = try PCMBuffer(decoding: try bytes(ofFile: folder.path("a.mov")))
        #expect(Array(inMemory.channel(0)) == theirs[0])
    }

    @Test(
        "FLAC is exact; the edit list gives MP3 the length of its source",
        arguments: [("flac", "a.mp4"), ("libmp3lame", "a.mp4"), ("libmp3lame", "a.mov")])
    func compressed(codec: String, name: String) throws {
        let folder = try folder("-c:a \(codec)", to: name)
        let reader = try PCMFileReader.reading(.file(folder.path(name)))
        let theirs = try samples(
            try PCMFileReader(path: folder.path("a.f64"), raw: AudioFormat(.float64, sampleRate: 44_100, channelCount: 2)))
        let found = try samples(reader)
        #expect(found[0].count == 88_200 && reader.warnings.isEmpty)
        let difference = zip(found[0], theirs[0]).map { abs($0 - $1) }.max() ?? 1
        #expect(difference <= (codec == "flac" ? 0 : 1 / 32_768))
        try reader.seek(toFrame: 0)
        #expect(try samples(reader)[0].elementsEqual(found[0]) { abs($0 - $1) < 0.0001 })
    }

    @Test(
        "A sample rate above 65535 Hz is read from the codec or a separate box",
        arguments: [("flac", "fLaC", "a.mp4"), ("pcm_s16le", "lpcm", "a.mov"), ("alac", "alac", "a.mp4")])
    func highRate(codec: String, entry: String, name: String) throws {
        let folder = try folder("-ar 96000 -c:a \(codec)", to: name)
        var bytes = try bytes(ofFile: folder.path(name))
        let description = try #require(bytes.indices.dropLast(80).first { bytes[$0..<$0 + 4].elementsEqual("stsd".utf8) })
        let body = try #require(bytes[description...].indices.first { bytes[$0..<$0 + 4].elementsEqual(entry.utf8) }) + 4
        if entry == "lpcm" {
            // Convert the QuickTime entry to an ISO/IEC 14496-12 one of the same length, with the rate in a separate box.
            bytes[description + 4] = 1
            bytes.replaceSubrange(body - 4..<body, with: "sowt".utf8)
            bytes.replaceSubrange(body + 8..<body + 20, with: [0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 16])
            bytes.replaceSubrange(body + 28..<body + 44, with: [0, 0, 0, 16] + Array("srat".utf8) + [0, 0, 0, 0, 0, 1, 0x77, 0])
            bytes.replaceSubrange(body + 44..<body + 64, with: [0, 0, 0, 20] + Array("free".utf8) + [UInt8](repeating: 0, count: 12))
        }
        // 48000, a divisor of 96000.
        bytes.replaceSubrange(body + 24..<body + 28, with: [0xBB, 0x80, 0, 0])
        let reader = try PCMFileReader.opening(try folder.write(bytes, to: name), raw: nil)
        #expect(reader.properties.sampleRate == 96_000 && reader.properties.frameCount == 192_000)
        #expect(try samples(reader)[0].count == 192_000 && reader.warnings.isEmpty)
    }

    @Test("A truncated file yields the available samples and a warning")
    func cut() throws {
        let folder = try folder("-c:a pcm_s16le -movflags faststart", to: "a.mov")
        let bytes = try bytes(ofFile: folder.path("a.mov"))
        let reader = try PCMFileReader.reading(.bytes(Array(bytes[..<(bytes.count - 40_000)]), name: "a.mov"))
        #expect(try samples(reader)[0].count == 78_200)
        #expect(reader.warnings == [.endsEarly(path: "a.mov", declaredFrames: 88_200, foundFrames: 78_200)])
    }

    @Test(
        "MPEG audio in a transport stream matches a separate file",
        arguments: [
            ("mp2 -b:a 192k", "a.ts"), ("libmp3lame -b:a 128k", "a.ts"),
            ("mp2 -f lavfi -i testsrc=d=2:s=64x64 -c:v mpeg2video", "a.ts"),
        ])
    func transportStream(options: String, name: String) throws {
        let words = options.split(separator: " -f lavfi", maxSplits: 1).map(String.init)
        let film = words.count > 1 ? "-f lavfi" + words[1] : ""
        let folder = try folder("\(film) -c:a \(words[0])", to: name)
        let copy = try ProgramRun.shell("ffmpeg -v error -i \(name) -c copy -map a -f mp2 b.mp2", folder: folder.url)
        try #require(copy.exitCode == 0, "\(copy.errorText)")
        let theirs = try samples(try PCMFileReader.opening(folder.path("b.mp2"), raw: nil))
        let reader = try PCMFileReader.opening(folder.path(name), raw: nil)
        #expect(reader.properties.containerName == "MPEG-TS (MPEG audio)")
        let found = try samples(reader)
        #expect(found == theirs && found[0].count >= 88_200 && reader.warnings.isEmpty)
        #expect(throws: AudioFileError(.unsupportedInput(format: .mpegAudio), path: folder.path(name))) {
            try AccessUnitReader(path: folder.path(name))
        }
    }

    @Test(
        "Random damage never traps and never yields more samples than the bytes allow",
        arguments: [
            ("pcm_s16be -ac 1 -t 0.01", "a.mov"), ("pcm_s24le -t 0.01", "a.mov"), ("pcm_mulaw -t 0.01", "a.mov"), ("flac -t 0.1", "a.mp4"),
            ("flac -t 0.1", "a.flac"), ("flac -t 0.1", "a.oga"), ("libmp3lame -t 0.1", "a.mp3"), ("libmp3lame -t 0.1", "a.mp4"),
        ])
    func damage(options: String, name: String) throws {
        var random = RandomDamage.generator(options.utf8.reduce(0) { $0 + Int($1) })
        let folder = try folder("-c:a \(options)", to: name)
        let original = try bytes(ofFile: folder.path(name))
        for index in 0..<RandomDamage.fileCount {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let buffer = try? PCMBuffer(decoding: bytes) else { continue }
            // A compressed frame of a few bytes has thousands of samples.
            let limit = options.hasPrefix("pcm") ? 2 * bytes.count : 1 << 20
            #expect(buffer.frameCount <= limit, "\(options), \(name), mutation \(index)")
        }
    }
}
