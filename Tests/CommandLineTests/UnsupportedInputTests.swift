// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Intact files of FFmpeg with other codecs and tracks.
@Suite struct UnsupportedInputTests {
    /// Runs FFmpeg in a folder.
    private func ffmpeg(_ arguments: String, in folder: TemporaryFolder) throws {
        try ProgramRun.require("ffmpeg")
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin -y \(arguments)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
    }

    @Test("Another codec is named, with exit status 12", arguments: ["decode", "probe", "remux"])
    func otherCodec(command: String) throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f lavfi -i sine=d=1 -c:a ac3 a.mp4", in: folder)
        let words = command == "remux" ? ["remux", "a.mp4", "b.aac"] : [command, "a.mp4"]
        let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
        #expect(run.exitCode == 12, "\(run.errorText)")
        let advice = "try converting it: ffmpeg -i a.mp4 -vn out.flac"
        #expect(run.errorText == "linnet: unsupported codec 'AC-3' in a.mp4; \(advice)\n")
        #expect(try folder.contents == ["a.mp4"])
    }

    @Test("A single MPEG audio frame gives one line without library messages")
    func oneFrame() throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f lavfi -i sine=d=0.2 -c:a libmp3lame -b:a 128k -write_xing 0 -id3v2_version 0 a.mp3", in: folder)
        let frame = try bytes(ofFile: folder.path("a.mp3")).prefix(417)
        _ = try folder.write(frame + [UInt8](repeating: 0, count: 3000), to: "b.mp3")
        let run = try LinnetProgram.run("convert", "b.mp3", "-o", "b.wav", folder: folder)
        #expect(run.exitCode == 5 && run.errorText.hasSuffix(": it has no MPEG audio frames\n"), "\(run.errorText)")
        #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    }

    @Test("probe and remux report parts that an edit list skips or repeats")
    func editList() throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-itsoffset 1 -f lavfi -i sine=r=48000:d=2 -c:a aac a.mp4", in: folder)
        let original = try bytes(ofFile: folder.path("a.mp4"))
        // A pause and an edit, in milliseconds and frames.
        let type = try #require(original.indices.dropLast(36).first { Array(original[$0..<$0 + 4]) == Array("elst".utf8) })
        try #require(Array(original[type + 4..<type + 12]) == [0, 0, 0, 0, 0, 0, 0, 2])
        for (name, secondStart, frames, note) in [
            ("gap", UInt8(0xBB), 23_872, "plays 23872 sample frames that gap.mp4 skips"),
            ("back", 0, 0, "back.mp4 plays parts repeatedly or in another order, and"),
        ] {
            var edited = original
            // Half a second from the start, then one second from frame 47 872 or 0.
            edited.replaceSubrange(type + 12..<type + 20, with: [0, 0, 1, 0xF4, 0, 0, 0, 0])
            edited.replaceSubrange(type + 24..<type + 32, with: [0, 0, 3, 0xE8, 0, 0, secondStart, 0])
            _ = try folder.write(edited, to: name + ".mp4")
            let remux = try LinnetProgram.run("remux", name + ".mp4", name + ".aac", folder: folder)
            #expect(remux.exitCode == 0)
            #expect(remux.errorText.contains(note), "\(remux.errorText)")
            let probe = try LinnetProgram.run("probe", name + ".mp4", "--json", folder: folder)
            #expect(probe.text.contains("\"omittedFrames\": \(frames),"), "\(probe.text)")
            #expect(probe.text.contains("\"isRearranged\": \(frames == 0)"), "\(probe.text)")
            let decoded = try LinnetProgram.run("convert", name + ".mp4", "-o", name + ".wav", folder: folder)
            #expect(frames > 0 || decoded.errorText.contains("; linnet decode --keep-delay decodes"), "\(decoded.errorText)")
        }
        let copied = try LinnetProgram.shell("linnet remux gap.mp4 gap.m4a && linnet convert gap.m4a -o copy.wav", folder: folder)
        #expect(copied.exitCode == 0 && copied.errorText.isEmpty, "\(copied.errorText)")
        #expect(try bytes(ofFile: folder.path("copy.wav")) == bytes(ofFile: folder.path("gap.wav")))
    }

    @Test("The bit rate with headers does not count video")
    func film() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f lavfi -i testsrc=size=640x360:duration=3 -f lavfi -i sine=duration=3 -c:v mpeg4 -b:v 1M -c:a aac -b:a 64k film.mp4",
            in: folder)
        let run = try LinnetProgram.run("probe", "--json", "film.mp4", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let report = try #require(try run.jsonObjects().first)
        let rate = try #require(report["bitRate"] as? Double)
        let total = try #require(report["totalBitRate"] as? Double)
        #expect(total > rate && total < 1.5 * rate, "\(rate) \(total)")
        let decoded = try LinnetProgram.run("decode", "film.mp4", "--quiet", folder: folder)
        #expect(decoded.exitCode == 0, "\(decoded.errorText)")
    }

    @Test func `A sample rate of 1 Hz is kept, and not converted to hours of audio`() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 5000, sampleRate: 1)
        for (command, output) in [("encode a.wav", "b.m4a"), ("convert a.wav", "b.m4a"), ("convert a.wav -r 8000", "b.wav")] {
            let run = try LinnetProgram.shell("linnet \(command) -o \(output)", folder: folder)
            #expect(run.exitCode == 10, "\(command)")
            #expect(run.errorText.contains("sample rates below 1000 Hz are not converted"), "\(command): \(run.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.path(output)))
        }
        let copy = try LinnetProgram.run("convert", "a.wav", "-o", "b.flac", folder: folder)
        #expect(copy.exitCode == 0, "\(copy.errorText)")
    }

    @Test func `Ogg Opus without a packet is not read as PCM`() throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f lavfi -i sine=duration=1 -c:a libopus a.opus", in: folder)
        let header = try bytes(ofFile: folder.path("a.opus")).prefix(60)
        let path = try folder.write(Array(header) + Array(repeating: Array("OggS".utf8), count: 5000).joined(), to: "b.opus")
        let error = #expect(throws: AudioFileError.self) { try PCMFileReader.reading(.file(path)) }
        #expect(error?.description.hasSuffix("it is Ogg Opus without a decodable packet") == true)
        #expect(try LinnetProgram.run("probe", "b.opus", folder: folder).exitCode == 5)
    }

    @Test(
        "Of several audio tracks the first enabled one that is supported is read, and a note names the others", arguments: ["mp4", "mov"])
    func severalTracks(type: String) throws {
        let folder = try TemporaryFolder()
        // Tones of 400, 800 and 1200 Hz.
        let tones = (1...3).map { "-f lavfi -i sine=f=\(400 * $0):r=48000:d=0.5" }.joined(separator: " ")
        let codec = type == "mp4" ? "aac" : "pcm_s16le"
        let languages = "-metadata:s:a:0 language=fra -metadata:s:a:1 language=eng -metadata:s:a:2 language=deu"
        let maps = "-map 0 -map 1 -map 2 -c:a:0 ac3 -c:a:1 \(codec) -c:a:2 \(codec) \(languages)"
        let name = type == "mp4" ? "AAC" : "PCM"
        // FFmpeg has no QuickTime number for this code of German.
        let tracks = ["1 (AC-3, fra)", "2 (\(name), eng)", "3 (\(name)\(type == "mp4" ? ", deu" : ""))"]
        let advice = "; --audio-track chooses another"
        for (file, disposition, frequency, note) in [
            (
                "a", "-disposition:a:1 default -disposition:a:2 default", 800,
                "\(tracks[1]) is read; ignored: \(tracks[0]), \(tracks[2])\(advice)"
            ),
            (
                "b", "-disposition:a:1 0 -disposition:a:2 default", 1200,
                "\(tracks[2]) is read; ignored: \(tracks[0]), \(tracks[1])\(advice)"
            ),
        ] {
            let path = "\(file).\(type)"
            try ffmpeg("\(tones) \(maps) \(disposition) \(path)", in: folder)
            for words in [["convert", path, "-o", file + ".wav", "--sample-format", "s16"], ["encode", path, "-o", file + ".m4a"]] {
                let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
                #expect(run.exitCode == 0 && run.errorText.hasPrefix("linnet: note: \(path): audio track \(note)\n"), "\(run.errorText)")
            }
            let samples = try RecordedFile.samples(folder.path(file + ".wav"))
            let crossings = zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
            #expect(abs(crossings - frequency) <= 16, "\(crossings)")
            let probe = try LinnetProgram.run("probe", path, folder: folder)
            #expect(probe.exitCode == 0 && probe.text.contains("audio track \(note)\n"), "\(probe.text)")
            let json = try LinnetProgram.run("probe", "--json", path, folder: folder)
            let listed = try #require(try json.jsonObjects().first?["audioTracks"] as? [[String: Any]])
            #expect(listed.map { $0["number"] as? Int } == [1, 2, 3])
            #expect(listed.map { $0["isRead"] as? Bool } == [false, file == "a", file == "b"])
            #expect(listed.map { $0["channels"] as? Int } == [nil, 1, 1])
            #expect(listed.map { $0["sampleRate"] as? Int } == [nil, 48_000, 48_000])
            #expect(probe.text.contains("2, \(name), 48000 Hz, 1 channel, eng\(file == "a" ? ", default, read" : "")\n"), "\(probe.text)")
            guard type == "mp4" else { continue }
            let decode = try LinnetProgram.run("decode", path, "-o", file + "2.wav", folder: folder)
            #expect(decode.errorText == "linnet: note: \(path): audio track \(note)\n")
            let remux = try LinnetProgram.run("remux", path, file + ".aac", folder: folder)
            #expect(remux.errorText.contains("linnet: note: \(path): audio track \(note)\n"))
        }
    }
}
