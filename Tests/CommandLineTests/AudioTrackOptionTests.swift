// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `--audio-track` with video files of FFmpeg.
@Suite struct AudioTrackOptionTests {
    /// A film with tones of 400, 800, 1200 and 1600 Hz: English AAC, French AC-3, German AAC with a title, Spanish MP3.
    private static let film = Result { try LinnetFilm() }

    /// A folder with the film, which all tests only read.
    private struct LinnetFilm {
        let folder: TemporaryFolder

        init() throws {
            try ProgramRun.require("ffmpeg")
            folder = try TemporaryFolder()
            let tones = (1...4).map { "-f lavfi -i sine=f=\(400 * $0):r=48000:d=1" }.joined(separator: " ")
            let languages = zip(0..., ["eng", "fra", "deu", "spa"]).map { "-metadata:s:a:\($0) language=\($1)" }.joined(separator: " ")
            let run = try ProgramRun.shell(
                "ffmpeg -v error \(tones) -f lavfi -i testsrc=d=1:s=64x64 -map 4 -map 0 -map 1 -map 2 -map 3 -c:v mpeg4 -c:a aac "
                    + "-c:a:1 ac3 -c:a:3 libmp3lame \(languages) -metadata:s:a:2 title=Kommentar film.mp4", folder: folder.url)
            try #require(run.exitCode == 0, "\(run.errorText)")
        }
    }

    /// Returns a new folder and the path of the film.
    private func folder() throws -> (folder: TemporaryFolder, film: String) {
        (try TemporaryFolder(), try Self.film.get().folder.path("film.mp4"))
    }

    /// Returns the frequency of a tone in any file that linnet reads, in hundreds of hertz.
    private func tone(_ name: String, in folder: TemporaryFolder) throws -> Int {
        let run = try LinnetProgram.run("convert", name, "-o", "tone.wav", "-c", "1", "--sample-format", "s16", "-y", folder: folder)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let samples = try RecordedFile.samples(folder.path("tone.wav"))
        let rate = try RecordedFile.format(folder.path("tone.wav")).sampleRate
        let part = samples[samples.count / 4..<samples.count * 3 / 4]
        let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        return Int((Double(crossings * rate) / Double(200 * part.count)).rounded())
    }

    private static let list = "the audio tracks are 1 (AAC, eng), 2 (AC-3, fra), 3 (AAC, deu, Kommentar), 4 (MP3, spa)"

    @Test(
        "All subcommands that write audio read the chosen track without a note",
        arguments: [
            ("convert FILM -o x.flac", "4", 16), ("encode FILM -o x.m4a", "de", 12), ("decode FILM -o x.wav", "3", 12),
            ("remux FILM x.m4a", "ger", 12), ("remux FILM -o x.ts", "de-AT", 12), ("stream FILM -o x.wav -f wav", "spa", 16),
            ("convert FILM FILM --join -o x.m4b", "deu", 12),
        ])
    func outputs(command: String, choice: String, hundreds: Int) throws {
        let (folder, film) = try folder()
        let words = command.replacingOccurrences(of: "FILM", with: film)
        let run = try LinnetProgram.shell("linnet \(words) --audio-track \(choice)", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(!run.errorText.contains("ignored"), "\(run.errorText)")
        let output = try #require(try folder.contents.first { $0.hasPrefix("x.") })
        #expect(try tone(output, in: folder) == hundreds)
    }

    @Test("batch, compare and report read the chosen track")
    func others() throws {
        let (folder, film) = try folder()
        let batch = try LinnetProgram.run("batch", film, "-o", "out", "--audio-track", "deu", folder: folder)
        #expect(batch.exitCode == 0, "\(batch.errorText)")
        let output = try #require(try LinnetProgram.shell("find out -name '*.m4a'", folder: folder).text.split(separator: "\n").first)
        #expect(try tone(String(output), in: folder) == 12)
        // The option applies to the film, not to the file with one track.
        let compare = try LinnetProgram.run("compare", film, String(output), "--audio-track", "3", "--json", folder: folder)
        let report = try #require(try compare.jsonObjects().first)
        #expect(compare.exitCode == 0 && report["correlation"] as? Double ?? 0 > 0.99, "\(compare.text) \(compare.errorText)")
        let page = try LinnetProgram.run(
            "report", film, "-o", "x.html", "--reference", String(output), "--audio-track", "3", folder: folder)
        #expect(page.exitCode == 0 && page.errorText.isEmpty, "\(page.errorText)")
    }

    @Test("probe lists all tracks, and numbers them as the option does")
    func probe() throws {
        let (folder, film) = try folder()
        let text = try LinnetProgram.run("probe", film, "--audio-track", "de", folder: folder).text
        for line in [
            "1, AAC, 48000 Hz, 1 channel, eng, default\n", "2, AC-3, fra, unsupported\n",
            "3, AAC, 48000 Hz, 1 channel, deu, Kommentar, read\n",
            "4, MP3, 48000 Hz, spa\n",
        ] {
            #expect(text.contains(line), "\(text)")
        }
        let json = try LinnetProgram.run("probe", film, "--audio-track", "3", "--json", folder: folder)
        let tracks = try #require(try json.jsonObjects().first?["audioTracks"] as? [[String: Any]])
        #expect(tracks.map { $0["number"] as? Int } == [1, 2, 3, 4])
        #expect(tracks.map { $0["language"] as? String } == ["eng", "fra", "deu", "spa"])
        #expect(tracks.map { $0["isDefault"] as? Bool } == [true, false, false, false])
        #expect(tracks.map { $0["isSupported"] as? Bool } == [true, false, true, true])
        #expect(tracks.map { $0["isRead"] as? Bool } == [false, false, true, false])
        let samples = try LinnetProgram.run("probe", film, "--audio-track", "4", folder: folder)
        #expect(samples.exitCode == 0 && samples.text.contains("4, MP3, 48000 Hz, spa, read\n"), "\(samples.text)")
    }

    @Test(
        "A track that does not exist is refused with the list of tracks",
        arguments: [
            "probe FILM", "convert FILM -o x.wav", "decode FILM -o x.wav", "encode FILM -o x.m4a", "remux FILM x.m4a", "play FILM",
            "report FILM -o x.html", "compare FILM FILM", "stream FILM -o x.wav -f wav",
        ])
    func missing(command: String) throws {
        let (folder, film) = try folder()
        let words = command.replacingOccurrences(of: "FILM", with: film)
        for (choice, exitCode, text) in [
            ("5", 10 as Int32, "no audio track '5' in \(film)"), ("nl", 10, "no audio track 'nl' in \(film)"),
            ("fre", 12, "unsupported codec 'AC-3' in audio track 2 of \(film)"),
        ] {
            let run = try LinnetProgram.shell("linnet \(words) --audio-track \(choice)", folder: folder)
            #expect(run.exitCode == exitCode && run.errorText == "linnet: \(text); \(Self.list)\n", "\(run.exitCode) \(run.errorText)")
            #expect(try folder.contents.isEmpty)
        }
        let invalid = try LinnetProgram.shell("linnet \(words) --audio-track a:1", folder: folder)
        #expect(
            invalid.exitCode == 2 && invalid.errorText.contains("invalid --audio-track value 'a:1'; use a number"), "\(invalid.errorText)")
    }

    @Test("remux of a codec that it cannot copy names linnet convert")
    func notCopied() throws {
        let (folder, film) = try folder()
        let run = try LinnetProgram.run("remux", film, "x.m4a", "--audio-track", "4", folder: folder)
        #expect(
            run.exitCode == 12 && run.errorText == "linnet: unsupported codec 'MP3' in \(film); linnet convert reads it\n",
            "\(run.errorText)")
        for (codec, name) in [("mp2", "a.ts"), ("libmp3lame", "b.ts"), ("pcm_s16le", "c.mov"), ("flac", "d.mp4"), ("libmp3lame", "e.mov")] {
            let made = try ProgramRun.shell(
                "ffmpeg -v error -f lavfi -i sine=d=0.5:r=48000 -f lavfi -i testsrc=d=0.5:s=64x64 -c:v mpeg4 -c:a \(codec) -strict -2 \(name)",
                folder: folder.url)
            try #require(made.exitCode == 0, "\(made.errorText)")
            let run = try LinnetProgram.run("remux", name, "x.m4a", folder: folder)
            #expect(run.errorText.hasSuffix("; linnet convert reads it\n"), "\(name): \(run.errorText)")
            guard name.hasSuffix(".ts") else { continue }
            let piped = try LinnetProgram.shell("cat \(name) | linnet probe -", folder: folder)
            #expect(piped.exitCode == 0 && piped.text.contains("Container:     MPEG-TS (MPEG audio)\n"), "\(piped)")
        }
    }

    @Test("Without the option a note names the other tracks and the option")
    func note() throws {
        let (folder, film) = try folder()
        for words in ["convert \(film) -o x.wav", "encode \(film) -o x.m4a", "remux \(film) y.m4a", "decode \(film) -o y.wav"] {
            let run = try LinnetProgram.shell("linnet \(words)", folder: folder)
            let note = "audio track 1 (AAC, eng) is read; ignored: 2 (AC-3, fra), 3 (AAC, deu, Kommentar), 4 (MP3, spa)"
            #expect(run.errorText.contains("\(note); --audio-track chooses another\n"), "\(words): \(run.errorText)")
        }
    }

    @Test("Pipes have the same tracks", arguments: [("mp4", "-c:v mpeg4 -movflags faststart"), ("ts", "-c:v mpeg2video")])
    func pipes(type: String, options: String) throws {
        let folder = try TemporaryFolder()
        try ProgramRun.require("ffmpeg")
        let tones = "-f lavfi -i sine=f=400:r=48000:d=1 -f lavfi -i sine=f=1200:r=48000:d=1 -f lavfi -i testsrc=d=1:s=64x64"
        let languages = "-metadata:s:a:0 language=eng -metadata:s:a:1 language=deu"
        let run = try LinnetProgram.shell(
            "ffmpeg -v error \(tones) -map 0 -map 1 -map 2 -c:a aac \(languages) \(options) a.\(type); "
                + "cat a.\(type) | linnet decode - --audio-track de -o x.wav && cat a.\(type) | linnet remux - -o x.m4a --audio-track 2",
            folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try tone("x.wav", in: folder) == 12)
        #expect(try tone("x.m4a", in: folder) == 12)
    }

    @Test("A command without the option reads session descriptions")
    func recordedStream() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("v=0\r\nm=audio 5004 RTP/AVP 97\r\n".utf8), to: "a.sdp")
        let run = try LinnetProgram.run("record", "--input", "a.sdp", "-o", "x.wav", folder: folder)
        #expect(run.exitCode == 5 && run.errorText.contains("a.sdp: missing or malformed line"), "\(run.exitCode) \(run.errorText)")
    }

    @Test("The option does not apply to RTP streams and microphones")
    func streams() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("v=0\r\nm=audio 5004 RTP/AVP 97\r\n".utf8), to: "a.sdp")
        for words in ["decode a.sdp", "play a.sdp", "stream a.sdp -o x.wav -f wav"] {
            let run = try LinnetProgram.shell("linnet \(words) --audio-track 1", folder: folder)
            #expect(run.exitCode == 2 && run.errorText.contains("--audio-track applies to files only"), "\(run.errorText)")
        }
        let microphone = try LinnetProgram.run("stream", "-o", "x.wav", "-f", "wav", "--audio-track", "1", folder: folder)
        #expect(microphone.exitCode == 2 && microphone.errorText.contains("--audio-track needs an input file"), "\(microphone.errorText)")
    }
}
