// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Files from FFmpeg, an independent implementation.
@Suite struct ForeignFileTests {
    static let source = "-f lavfi -i sine=frequency=1000:sample_rate=44100:duration=0.5 -ac 2"

    @Test(
        "FFmpeg's files and pipes match its own PCM",
        arguments: [
            ("a.wav", "-c:a pcm_s24le", "WAV"), ("a.wav", "-c:a pcm_alaw", "WAV"), ("a.wav", "-rf64 always", "RF64"),
            ("a.flac", "", "FLAC"),
            ("a.aiff", "", "AIFF"), ("a.caf", "-c:a pcm_f32be", "CAF"), ("a.w64", "", "W64"),
        ])
    func formats(name: String, options: String, container: String) throws {
        let folder = try TemporaryFolder()
        let make = "ffmpeg -v error \(Self.source) \(options) -bitexact \(name) && ffmpeg -v error -i \(name) -f f32le -c:a pcm_f32le a.pcm"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let expected = try readAll(
            folder.path("a.pcm"), raw: AudioFormat(.float32, sampleRate: 44_100, channelCount: 2))
        let read = try readAll(folder.path(name))
        #expect(read.channels == expected.channels)
        #expect(read.channels[0].count == 22_050)
        #expect(read.reader.properties.containerName == container)
        guard !options.contains("alaw") else { return }
        let piped = try readThroughPipe(try bytes(ofFile: folder.path(name)))
        #expect(piped.channels == expected.channels)
    }

    @Test(arguments: ["pcm_s16le", "pcm_s24le", "pcm_f32le", "pcm_f64le"], [1, 6])
    func `W64 matches FFmpeg, also with an extensible header`(codec: String, channelCount: Int) throws {
        let folder = try TemporaryFolder()
        let make = "ffmpeg -v error \(Self.source) -ac \(channelCount) -c:a \(codec) a.w64 && ffmpeg -v error -i a.w64 -f f32le a.pcm"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let format = AudioFormat(.float32, sampleRate: 44_100, channelCount: channelCount)
        let read = try readAll(folder.path("a.w64"))
        #expect(read.channels == (try readAll(folder.path("a.pcm"), raw: format)).channels)
        #expect(read.reader.properties.containerName == "W64")
    }

    @Test func `W64 with A-law and an extensible header throws`() throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell("ffmpeg -v error \(Self.source) -ac 6 -c:a pcm_alaw a.w64", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        #expect(throws: AudioFileError.self) { try PCMFileReader(path: folder.path("a.w64")) }
    }

    @Test(arguments: [("a.aiff", "-write_id3v2 1"), ("a.caf", "-c:a pcm_s16le"), ("a.wav", "")])
    func `A tag of 200 KB does not prevent reading samples and tags`(name: String, options: String) throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: 100_000)
        let make =
            "text=$(printf %0100000d | tr 0 x) && "
            + "ffmpeg -v error \(Self.source) -metadata title=Title -metadata comment=$text -metadata album=$text \(options) \(name)"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let read = try readAll(folder.path(name))
        #expect(read.channels[0].count == 22_050 && read.channels[0].contains { abs($0) > 0.05 })
        #expect(read.reader.properties.tags.title == "Title" && read.reader.properties.tags[.comment] == [text])
    }

    @Test func `The padding byte of 8SVX is not a sample; several channels throw`() throws {
        let folder = try TemporaryFolder()
        let make = "for c in 1 2; do sox -n -r 22050 -c $c $c.8svx synth 0.2 sine 400 trim 0 2001s || exit; done; soxi -s 1.8svx"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let count = try #require(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(count % 2 == 1)
        #expect(try readAll(folder.path("1.8svx")).channels[0].count == count)
        #expect(throws: AudioFileError.self) { try PCMFileReader(path: folder.path("2.8svx")) }
    }

    @Test("A WAV stream without a length from FFmpeg is read to its end")
    func pipedWAV() throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell("ffmpeg -v error \(Self.source) -f wav - | cat > a.wav", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let read = try readThroughPipe(try bytes(ofFile: folder.path("a.wav")))
        #expect(read.channels[0].count == 22_050)
        #expect(read.reader.properties.frameCount == nil)
        #expect(read.reader.warnings.isEmpty)
    }

    @Test("A FLAC file cut in half yields its first half and a warning, or an error with the sample frame")
    func truncatedFLAC() throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell("ffmpeg -v error -f lavfi -i sine=sample_rate=44100:duration=5 a.flac", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let whole = try bytes(ofFile: folder.path("a.flac"))
        let path = try folder.write(Array(whole[..<(whole.count / 2)]), to: "b.flac")
        do {
            let read = try readAll(path)
            #expect(!read.reader.warnings.isEmpty)
            #expect((1..<220_500).contains(read.channels[0].count))
        } catch let error as AudioFileError {
            guard case .damaged(let frame, _)? = error.pcmFault else { throw error }
            #expect((1..<220_500).contains(frame))
        }
    }
}
