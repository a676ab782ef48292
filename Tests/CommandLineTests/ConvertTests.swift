// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LinnetCommand
import PCMFiles
import TestSupport
import Testing

/// `linnet convert`.
@Suite struct ConvertTests {
    /// Runs the command, expects success, and returns its messages.
    @discardableResult
    private func convert(_ words: String..., in folder: TemporaryFolder) throws -> ProgramRun {
        let run = try ProgramRun(LinnetProgram.path, ["convert"] + words, folder: folder.url)
        #expect(run.exitCode == 0, "\(words): \(run.exitCode) \(run.errorText)")
        return run
    }

    private func samples(_ name: String, _ folder: TemporaryFolder, as type: [String] = ["-t", "s32"]) throws -> [UInt8] {
        let run = try ProgramRun(try ProgramRun.require("sox"), ["-D", name] + type + ["-"], folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        return run.output
    }

    @Test("sox reads the same samples from every PCM file", arguments: ["u8", "s16", "s24", "s32", "f32"])
    func sampleFormats(format: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 3000, sampleFormat: .int32)
        try convert("a.wav", "-o", "b.wav", "--sample-format", format, "--dither", "none", "--quiet", in: folder)
        let expected = try samples("b.wav", folder)
        for name in ["c.aiff", "c.caf", "c.flac"] where format != "s32" && format != "f32" || name != "c.flac" {
            try convert("b.wav", "-o", name, in: folder)
            try convert(name, "-o", "d.wav", "--sample-format", format, "--force", in: folder)
            #expect(try samples("d.wav", folder) == expected, "\(name)")
            // Some builds of sox have no CAF.
            if name != "c.caf" { #expect(try samples(name, folder) == expected, "\(name)") }
        }
        for order in ["le", "be"] where format != "u8" {
            try convert("b.wav", "-o", "e.raw", "--sample-format", format + order, "--force", "--quiet", in: folder)
            let type = ["-t", "raw", "-r", "44100", "-c", "2", "-b", String(format.dropFirst()), order == "le" ? "-L" : "-B"]
            let kind = ["-e", format.hasPrefix("f") ? "floating-point" : "signed-integer"]
            let run = try ProgramRun(try ProgramRun.require("sox"), ["-D"] + type + kind + ["e.raw", "-t", "s32", "-"], folder: folder.url)
            #expect(run.output == expected, "\(order)")
        }
    }

    @Test("Files of sox and FFmpeg are read exactly")
    func foreignFiles() throws {
        let folder = try TemporaryFolder()
        let ffmpeg = try ProgramRun.require("ffmpeg")
        try folder.writeSignal("a.wav", frames: 3000)
        let made = try ProgramRun.shell(
            "sox a.wav b.aiff && sox a.wav -t au -e signed b.au && sox a.wav -t w64 b.w64 && sox -B a.wav -t aifc b.aifc "
                + "&& '\(ffmpeg)' -v error -i a.wav c.flac && '\(ffmpeg)' -v error -i a.wav -c:a alac c.m4a "
                + "&& '\(ffmpeg)' -v error -i a.wav -c:a pcm_s16le c.caf && '\(ffmpeg)' -v error -i a.wav -rf64 always c.wav",
            folder: folder.url)
        #expect(made.exitCode == 0, "\(made.errorText)")
        for name in ["b.aiff", "b.au", "b.w64", "b.aifc", "c.flac", "c.caf", "c.wav"] {
            try convert(name, "-o", "back.wav", "--force", in: folder)
            #expect(try bytes(ofFile: folder.path("back.wav")) == bytes(ofFile: folder.path("a.wav")), "\(name)")
        }
    }

    @Test("Rates, channels and noise come close to sox's")
    func resampled() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 8820)
        try convert("a.wav", "-o", "b.wav", "--rate", "48k", "--channels", "1", "--sample-format", "f32", in: folder)
        let run = try ProgramRun.shell("sox a.wav -e floating-point -b 32 c.wav remix 1,2 rate -h 48k", folder: folder.url)
        #expect(run.exitCode == 0)
        let channels = try ["b.wav", "c.wav"].map { name in
            let reader = try PCMFileReader(path: folder.path(name))
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 20_000)
            try reader.read(into: &buffer)
            return buffer.channel(0)
        }
        #expect(channels[0].count == 9600)
        let difference = zip(channels[0], channels[1]).dropFirst(200).dropLast(200).map { abs($0 - $1) }.max() ?? 1
        // Both filters pass all but the highest frequencies; the noise in the signal differs there.
        #expect(difference < 0.02)
    }

    @Test("Pipes give the same output as files")
    func pipes() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 5000)
        try convert("a.wav", "-o", "a.flac", "--quiet", in: folder)
        for (script, message) in [
            ("linnet convert - -o pipe.wav < a.flac", "a file as standard input"), ("cat a.flac | linnet convert - -o pipe.wav", "a pipe"),
            ("linnet convert a.wav -o - --format wav > pipe.wav", "standard output"),
            ("linnet convert a.wav -o - --format raw | linnet convert --raw s16le,44100,2 - -o pipe.wav", "PCM without a header"),
        ] {
            let run = try LinnetProgram.shell("rm -f pipe.wav; " + script, folder: folder)
            #expect(run.exitCode == 0, "\(message): \(run.errorText)")
            let pair = try ["pipe.wav", "a.wav"].map { try samples($0, folder, as: ["-t", "s16"]) }
            #expect(pair[0] == pair[1], "\(message)")
        }
        let coded = try LinnetProgram.shell(
            """
            linnet encode --quiet a.wav -o a.caf && linnet convert --quiet a.caf -o file.wav && linnet encode --quiet a.caf -o file.aac -q 50
            cat a.caf | linnet convert --quiet - -o pipe.wav -y && cat a.caf | linnet encode --quiet - -o pipe.aac -q 50
            cmp file.wav pipe.wav && cmp file.aac pipe.aac
            """, folder: folder)
        #expect(coded.exitCode == 0, "AAC in CAF through a pipe: \(coded.text) \(coded.errorText)")
        let aac = try LinnetProgram.shell("linnet convert a.wav -o - --format adts | linnet convert - -o pipe.flac", folder: folder)
        #expect(aac.exitCode == 0, "\(aac.errorText)")
    }

    @Test("flac and FFmpeg read FLAC in Ogg exactly, from a file also its length")
    func oggFLAC() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 100_001)
        let run = try LinnetProgram.shell(
            """
            linnet convert --quiet a.wav -o file.oga && linnet convert --quiet a.wav -o - --format oga | cat > pipe.oga
            for name in file pipe; do flac -s -d $name.oga -o $name.wav && ffmpeg -v error -i $name.oga $name-2.wav || exit; done
            ffprobe -v error -of csv=p=0 -show_entries stream=codec_name,duration_ts file.oga
            """, folder: folder)
        #expect(run.exitCode == 0 && run.text == "flac,100001\n", "\(run.text) \(run.errorText)")
        let wanted = try samples("a.wav", folder, as: ["-t", "s16"])
        for name in ["file.wav", "pipe.wav", "file-2.wav", "pipe-2.wav"] {
            #expect(try samples(name, folder, as: ["-t", "s16"]) == wanted, "\(name)")
        }
    }

    @Test("FFmpeg reads Apple Lossless exactly, with tags, chapters, picture and layout", arguments: ["m4a", "caf"])
    func appleLossless(type: String) throws {
        let folder = try TemporaryFolder()
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let layouts = [(1, "mono"), (2, "stereo"), (6, "5.1")]
        for (channelCount, layout) in layouts {
            try folder.writeSignal("a.wav", frames: 5000, channels: channelCount, sampleFormat: channelCount == 2 ? .int24 : .int16)
            try convert("a.wav", "-o", "a.\(type)", "--codec", "alac", "--title", "T", "--force", "--quiet", in: folder)
            let run = try ProgramRun.shell(
                """
                '\(ffmpeg)' -v error -y -i a.\(type) -c:a pcm_s32le -f s32le b.raw && '\(ffmpeg)' -v error -y -i a.wav -c:a pcm_s32le -f s32le a.raw
                cmp a.raw b.raw
                ffprobe -v error -of csv=p=0 -show_entries stream=codec_name,channel_layout,duration_ts:format_tags=title a.\(type)
                """, folder: folder.url)
            // FFmpeg's duration of CAF has whole packets; it decodes the exact length.
            #expect(run.text == "alac,\(layout),\(type == "caf" ? 8192 : 5000)\nT\n", "\(run.text) \(run.errorText)")
        }
        guard type == "m4a" else { return }
        let run = try LinnetProgram.shell(
            """
            '\(ffmpeg)' -v error -f lavfi -i color=red:size=16x16 -frames:v 1 c.png
            printf '00:00:00.000 One\\n00:00:00.050 Two\\n' > chapters.txt
            linnet convert --quiet a.wav -o d.m4a --codec alac --picture c.png --chapters chapters.txt
            linnet probe d.m4a
            """, folder: folder)
        #expect(run.exitCode == 0 && run.text.contains("One") && run.text.contains("Two") && run.text.contains("image/png"), "\(run)")
    }

    @Test("Options that Apple Lossless does not have are refused", arguments: ["-b 128k", "-q 50", "--sample-format f32"])
    func appleLosslessOptions(options: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 100)
        let run = try LinnetProgram.shell("linnet convert a.wav -o a.m4a --codec alac \(options)", folder: folder)
        #expect(run.exitCode == 2 && !run.errorText.isEmpty, "\(run)")
        let stored = try LinnetProgram.shell("linnet convert a.wav -o a.aac --codec alac", folder: folder)
        #expect(stored.exitCode == 10, "\(stored)")
    }

    @Test("Decoding Apple Lossless of 32 bits names convert, which keeps all bits")
    func appleLosslessBits() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 100)
        let run = try LinnetProgram.shell(
            "linnet convert a.wav -o a.m4a --codec alac --sample-format s32 --quiet && linnet decode a.m4a -o b.wav", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.contains("s24le; linnet convert keeps all bits of a file\n"), "\(run)")
        let converted = try LinnetProgram.shell("linnet convert a.m4a -o c.wav; linnet probe c.wav", folder: folder)
        #expect(converted.errorText.isEmpty && converted.text.contains("32 bits"), "\(converted)")
    }

    @Test("Folders keep their relative paths; hidden and other files are skipped")
    func folders() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 1000)
        let made = try ProgramRun.shell(
            "mkdir -p in/sub/deep out && cp a.wav in/x.wav && cp a.wav in/sub/y.WAV && cp a.wav in/sub/deep/z.wav && cp a.wav in/.hidden.wav "
                + "&& echo text > in/notes.txt && ln -s .. in/sub/loop",
            folder: folder.url)
        #expect(made.exitCode == 0)
        try convert("in", "-o", "flat", "--format", "flac", in: folder)
        try convert("in", "-o", "in/deep", "--format", "flac", "--recursive", in: folder)
        // The output folder is not an input.
        try convert("in", "-o", "in/deep", "--format", "flac", "--recursive", "--force", in: folder)
        let list = try ProgramRun.shell("find flat in/deep -type f | LC_ALL=C sort | tr '\\n' ' '", folder: folder.url)
        #expect(list.text == "flat/x.flac in/deep/sub/deep/z.flac in/deep/sub/y.flac in/deep/x.flac ")
        let empty = try LinnetProgram.run("convert", "out", "-o", "x", "--format", "wav", folder: folder)
        #expect(empty.exitCode == 5 && empty.errorText.contains("no audio files in ") && empty.errorText.contains("; --recursive"))
        let clash = try LinnetProgram.shell("cp a.wav in/x.wave; linnet convert in -o y --format flac", folder: folder)
        #expect(clash.exitCode == 2 && clash.errorText.contains("in/x.wav and in/x.wave would both become y/x.flac"))
        #expect(try !folder.contents.contains("y"))
    }

    @Test("Dangling links and unreadable subfolders fail alone, also in a batch")
    func missing() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 1000)
        // Paths have at most 4096 bytes, regardless of permissions.
        let name = String(repeating: "d", count: 200)
        let made = try ProgramRun.shell(
            "mkdir in && cp a.wav in/x.wav && ln -s none in/lost.wav && cd in && for i in {1..25}; do mkdir \(name); cd \(name); done",
            folder: folder.url)
        #expect(made.exitCode == 0)
        defer { _ = try? ProgramRun.shell("rm -r in", folder: folder.url) }
        let converted = try LinnetProgram.run("convert", "in", "-o", "out", "--format", "flac", "--recursive", folder: folder)
        let batch = try LinnetProgram.run("batch", "in", "-o", "out", folder: folder)
        #expect(converted.exitCode == ExitCode.unreadableInput.rawValue && batch.exitCode == ExitCode.someFailed.rawValue)
        for text in [converted.errorText, batch.errorText] {
            #expect(text.contains("linnet: cannot open in/lost.wav: ") && text.contains("\(name): File name too long"), "\(text)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted() == ["x.flac", "x.m4a", "x.m4a.linnet.json"])
    }

    @Test("The result as JSON has formats, counts, noise and clipping")
    func json() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410, sampleFormat: .int24)
        let run = try convert("a.wav", "-o", "b.flac", "--sample-format", "s16", "--rate", "48000", "--json", in: folder)
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        let result = try #require(parsed.first)
        #expect(result["inputFormat"] as? String == "WAV" && result["inputFrames"] as? Int == 4410)
        #expect(result["fileFormat"] as? String == "FLAC" && result["codec"] as? String == "pcm")
        #expect(result["sampleFormat"] as? String == "s16le" && result["sampleRate"] as? Int == 48_000)
        #expect(result["frames"] as? Int == 4800 && result["channels"] as? Int == 2)
        #expect(result["dither"] as? String == "triangular" && result["clippedSamples"] as? Int == 0)
        #expect(result["bytes"] as? Int == (try bytes(ofFile: folder.path("b.flac"))).count)
        #expect(run.errorText.isEmpty)
    }

    @Test("Each failure has its exit code and a hint")
    func failures() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 1000)
        let cases: [(words: String, code: Int32, message: String)] = [
            ("", 2, "missing input file"), ("a.wav -o b.mp3", 2, "cannot write b.mp3: linnet does not write MP3; use .wav"),
            ("a.wav", 2, "unknown output format; use --format"), ("none.wav -o b.flac", 3, "cannot open none.wav"),
            ("a.wav -o b.wav --codec aac", 10, "cannot write b.wav: WAV does not support AAC, only PCM"),
            ("a.wav -o b.flac --sample-format f32", 10, "linnet: cannot write b.flac: FLAC does not support f32le samples"),
            ("a.wav -o b.wav --format s16", 2, "for the sample format use --sample-format s16"),
            ("a.wav -o b.wav --sample-format s17", 2, "use u8, s8, s16"),
            ("a.wav -o b.wav --channel-map 2,x", 2, "use channels counted from 1"),
            ("a.wav -o b.wav --channel-map 3", 10, "the channel map does not fit 2 input and 1 output channels"),
            ("a.wav -o b.wav --channel-map 1 --channels 1", 2, "exclude each other"),
            ("a.wav -o b.m4a -b 128", 2, "for 128 kb/s use 128k"), ("a.wav -o a.wav", 8, "a.wav is the input"),
            ("a.wav -o b.ogg", 2, "FLAC in Ogg is .oga"), ("a.wav -o b.ogg --codec flac", 2, "in Ogg -o NAME.oga or --format oga"),
            ("a.wav -o - --format aiff | cat", 2, "cannot write AIFF to a pipe; use --format wav, flac or raw"),
            ("a.wav -o - | cat", 2, "use --format"), ("a.wav -o /dev/full --format wav", 9, "no space left"),
            ("a.wav -o /dev/null --format aiff", 8, "pipes and devices take WAV, FLAC and raw PCM"),
            ("a.wav -o b.opus --rate 44100", 10, "unsupported sample rate 44100 Hz"),
        ]
        for (words, code, message) in cases {
            let run = try LinnetProgram.shell("linnet convert " + words, folder: folder)
            #expect(run.exitCode == code && run.errorText.contains(message), "\(words): \(run.exitCode) \(run.errorText)")
        }
        #expect(try folder.contents == ["a.wav"])
    }

    @Test("Damage and clipping are reported; only damage changes the exit status")
    func warnings() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000)
        try convert("a.wav", "-o", "a.aac", in: folder)
        var stream = try bytes(ofFile: folder.path("a.aac"))
        for index in stream.count / 2..<stream.count / 2 + 60 { stream[index] = 0x2A }
        _ = try folder.write(stream, to: "bad.aac")
        let bad = try LinnetProgram.run("convert", "bad.aac", "-o", "bad.flac", folder: folder)
        #expect(bad.exitCode == 6 && bad.errorText.contains("warning: "), "\(bad.errorText)")
        #expect(try PCMFileReader(path: folder.path("bad.flac")).properties.frameCount ?? 0 > 25_000)
        var loud = testSignal(frames: 500, channels: 1)
        loud.samples = ContiguousArray(loud.samples.map { 4 * $0 })
        loud.samples[100] = .nan
        let clipped = loud.samples.count { !(abs($0) <= 1) }
        let writer = try PCMFileWriter(
            path: folder.path("loud.wav"), format: PCMOutputFormat(.wav, sampleFormat: .float32, sampleRate: 44_100, channelCount: 1))
        try writer.append(loud)
        try writer.finish()
        let run = try convert("loud.wav", "-o", "b.wav", "--sample-format", "s16", in: folder)
        let text =
            "warning: clipped \(clipped) samples of loud.wav beyond full scale or not a number; --sample-format f32 keeps them"
        #expect(run.errorText.contains(text), "\(run.errorText)")
    }

    @Test("Four channels whose speakers AAC does not support are mixed, with a note")
    func quadraphony() throws {
        let folder = try TemporaryFolder()
        let quad = ChannelLayout([.left, .right, .backLeft, .backRight])
        try folder.writeSignal("quad.wav", frames: 3000, channels: 4, layout: quad)
        let run = try LinnetProgram.run("convert", "quad.wav", "-o", "quad.m4a", folder: folder)
        #expect(run.exitCode == 0)
        #expect(run.errorText == "linnet: note: quad.wav: AAC does not support the channel layout FL FR BL BR; mixed to FL FR FC BC\n")
    }
}
