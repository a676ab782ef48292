// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// MP3, Vorbis, Opus and FLAC from other programs.
@Suite struct CompressedInputTests {
    /// Returns a folder with the output of a shell command that reads `a.wav`, one second of noise below 3 kHz.
    private func folder(_ command: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let source = "-f lavfi -i anoisesrc=d=1:r=44100:seed=3:a=0.3,lowpass=f=3000 -bitexact a.wav"
        _ = try folder.write(ProgramRun.file("a.wav", by: "ffmpeg -v error \(source)"), to: "a.wav")
        let run = try ProgramRun.shell(command, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return folder
    }

    @Test(
        "Files have the length of their source, start with its first sample, and match FFmpeg's decoder",
        arguments: [
            ("lame --quiet -b 128 a.wav b.mp3", "b.mp3", "MPEG audio"),
            ("lame --quiet -V 2 a.wav b.mp3", "b.mp3", "MPEG audio"),
            ("ffmpeg -v error -i a.wav -c:a libmp3lame -id3v2_version 3 -metadata title=T b.mp3", "b.mp3", "MPEG audio"),
            ("oggenc -Q a.wav -o b.ogg", "b.ogg", "Ogg"), ("flac -s a.wav -o b.flac", "b.flac", "FLAC"),
        ])
    func gapless(command: String, name: String, container: String) throws {
        let folder = try folder("\(command) && ffmpeg -v error -i \(name) -f f32le b.pcm")
        let source = try readAll(folder.path("a.wav"))
        let read = try readAll(folder.path(name))
        #expect(read.reader.properties.frameCount == 44_100 && read.reader.warnings.isEmpty)
        #expect(read.reader.properties.containerName == container)
        #expect(read.channels[0].count == 44_100)
        #expect(signalToNoise(source.channels[0], read.channels[0]) > 10)
        let theirs = try readAll(folder.path("b.pcm"), raw: AudioFormat(.float32, sampleRate: 44_100, channelCount: 1))
        #expect(theirs.channels[0].count == 44_100)
        #expect(signalToNoise(theirs.channels[0], read.channels[0]) > 80)
    }

    @Test("MPEG audio in WAV has the tags of the WAV file")
    func tagsOfWAV() throws {
        let folder = try folder("ffmpeg -v error -i a.wav -c:a libmp3lame -metadata title=T -metadata artist=A b.wav")
        let tags = try PCMFileReader(path: folder.path("b.wav")).properties.tags
        #expect(tags.title == "T" && tags.artist == "A")
    }

    @Test(
        "MPEG audio without a tag has the length of all its frames",
        arguments: [
            "lame --quiet -t a.wav b.mp3", "lame --quiet -t --resample 22.05 a.wav b.mp3", "lame --quiet -t --resample 8 a.wav b.mp3",
            "ffmpeg -v error -i a.wav -c:a libmp3lame -write_xing 0 -id3v2_version 4 -write_id3v1 1 -metadata title=T b.mp3",
            "ffmpeg -v error -i a.wav -f mp2 b.mp3", "lame --quiet -t a.wav c.mp3 && head -c 9000 c.mp3 > b.mp3",
        ])
    func countedLength(command: String) throws {
        let folder = try folder("\(command) && ffmpeg -v quiet -i b.mp3 -f f32le b.pcm; [ -s b.pcm ]")
        let read = try readAll(folder.path("b.mp3"))
        let count = read.channels[0].count
        #expect(read.reader.properties.frameCount == count && read.reader.warnings.isEmpty)
        // FFmpeg conceals the remainder of a truncated frame.
        let theirs = try bytes(ofFile: folder.path("b.pcm")).count / 4
        #expect((0...1152).contains(theirs - count) && count > 7000)
    }

    @Test("An MP3 file shorter than its tag states yields the available frames and a warning")
    func truncated() throws {
        let folder = try folder("lame --quiet -b 128 a.wav c.mp3 && head -c 8000 c.mp3 > b.mp3")
        let read = try readAll(folder.path("b.mp3"))
        let count = read.channels[0].count
        #expect((10_000..<30_000).contains(count))
        #expect(read.reader.warnings == [.endsEarly(path: folder.path("b.mp3"), declaredFrames: 44_100, foundFrames: count)])
    }

    @Test("Damaged MP3 files yield samples or throw", arguments: 0..<8 as Range<UInt64>)
    func damaged(seed: UInt64) throws {
        let folder = try folder("lame --quiet -t -b 64 a.wav b.mp3")
        var random = SeededRandom(seed: seed)
        var file = try bytes(ofFile: folder.path("b.mp3"))
        for _ in 0..<5 { file[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
        let path = try folder.write(file, to: "c.mp3")
        do {
            let read = try readAll(path)
            #expect(read.channels[0].count < 60_000, "seed \(seed)")
        } catch let error as AudioFileError {
            #expect(error.path == path, "seed \(seed)")
        }
    }

    @Test("MPEG audio headers determine the frame length")
    func headers() throws {
        // 128 kbit/s at 44 100 Hz, with and without padding; layer 2 of MPEG-2; layer 1.
        #expect(MPEGAudioHeader([0xFF, 0xFB, 0x90, 0xC4])?.frameByteCount == 417)
        #expect(MPEGAudioHeader([0xFF, 0xFB, 0x92, 0xC4])?.frameByteCount == 418)
        #expect(MPEGAudioHeader([0xFF, 0xF5, 0x84, 0x00])?.frameByteCount == 384)
        #expect(MPEGAudioHeader([0xFF, 0xFF, 0x44, 0x00])?.frameByteCount == 128)
        let half = try #require(MPEGAudioHeader([0xFF, 0xF3, 0x80, 0xC4]))
        #expect(half.samplesPerFrame == 576 && half.sampleRate == 22_050 && half.isMono && half.tagOffset == 13)
        // Free format, a forbidden bit rate, and a reserved sample rate, layer and version.
        for bytes: [UInt8] in [
            [0xFF, 0xFB, 0x00, 0], [0xFF, 0xFB, 0xF0, 0], [0xFF, 0xFB, 0x9C, 0], [0xFF, 0xF9, 0x90, 0], [0xFF, 0xEB, 0x90, 0],
            [0xFF, 0xFB],
        ] {
            #expect(MPEGAudioHeader(bytes) == nil)
        }
    }
}
