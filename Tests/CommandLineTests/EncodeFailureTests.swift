// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Errors of `linnet encode`.
@Suite struct EncodeFailureTests {
    @Test("Each error has one line and an exit code, and leaves no output")
    func failures() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410)
        try folder.writeSignal("odd.wav", frames: 441, sampleRate: 37_800)
        try folder.writeSignal("seven.wav", frames: 441, channels: 7)
        _ = try folder.write(Array("this is no audio".utf8), to: "text.wav")
        _ = try folder.write([9], to: "there.aac")
        try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
        let before = try folder.contents
        let cases: [(words: [String], code: Int32, message: String)] = [
            (["none.wav"], 3, "cannot open none.wav: No such file or directory"),
            (["folder"], 4, "folder is a directory, not a file"),
            (["text.wav"], 5, "text.wav is not a supported audio file: its first bytes match no known format"),
            (["there.aac", "-o", "x.aac"], 5, "there.aac is not a supported audio file: its first bytes match no known format"),
            (["/dev/zero", "-o", "x.aac"], 5, "/dev/zero is not a supported audio file: its first bytes match no known format"),
            (["a.wav", "-o", "there.aac"], 7, "there.aac already exists; --force overwrites it"),
            (["a.wav", "-o", "none/x.aac"], 8, "cannot create none/x.aac: No such file or directory"),
            (["a.wav", "-o", "a.aac", "--quiet", "--bandwidth", "90k"], 10, "cannot encode a.wav: unsupported bandwidth 90000 Hz"),
            (["a.wav", "-o", "/dev/full"], 9, "no space left for /dev/full; nothing was kept"),
            (["seven.wav"], 10, "cannot encode seven.wav: unsupported channel count 7; supported: 1, 2, 3, 4, 5, 6, 8"),
            (
                ["odd.wav", "--rate", "37800"], 10,
                "cannot encode odd.wav: unsupported sample rate 37800 Hz; supported: 96000, 88200"
            ),
            (["a.wav", "-o", "a."], 10, "cannot write a.: no extension; supported extensions: .aac,"),
            (
                ["a.wav", "-o", "a.mp3"], 2,
                "cannot write a.mp3: linnet does not write MP3; use .aac, .m4a, .caf, .loas, .ts, .opus or .dabp, or --format"
            ),
            (["a.wav", "-b", "2000k"], 10, "cannot encode a.wav: unsupported bit rate 2000000 bit/s"),
        ]
        for (words, code, message) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["encode"] + words, folder: folder.url)
            #expect(run.exitCode == code, "\(words): \(run.errorText)")
            #expect(run.errorText.hasPrefix("linnet: " + message), "\(words): \(run.errorText)")
            #expect(run.errorText.filter { $0 == "\n" }.count == 1)
            #expect(run.output.isEmpty)
            #expect(try folder.contents == before)
        }
        #expect(try bytes(ofFile: folder.path("there.aac")) == [9])
        let itself = try LinnetProgram.run("encode", "a.wav", "-o", "./a.wav", "--force", folder: folder)
        #expect(itself.exitCode == 2)
        try folder.writeSignal("a.pcm", frames: 100)
        let same = try LinnetProgram.run("encode", "--raw", "s16", "a.pcm", "-f", "adts", "-o", "./a.pcm", "--force", folder: folder)
        #expect(same.exitCode == 8)
        #expect(same.errorText == "linnet: ./a.pcm is the input; choose another name for the output\n")
    }

    @Test("An invalid command line gives one line that names valid values")
    func usage() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 441)
        try folder.writeSignal("a.flac", frames: 441)
        let cases: [(words: [String], message: String)] = [
            ([], "missing input file"),
            (["a.wav", "--efort", "fast"], "unknown option --efort; did you mean --effort?"),
            (["a.wav", "--effort", "bets"], "invalid --effort value 'bets'; use fast, balanced, best; did you mean best?"),
            (
                ["a.wav", "--preset", "hihg"],
                "invalid --preset value 'hihg'; use low, medium, high, very-high, live, voice, voice-16, voice-24, voice-32, "
                    + "music-32, music-48, music-64, speech, music, low-latency, homekit-16, homekit-24, airplay, "
                    + "voice-message-24, book-32, radio-48; did you mean high?"
            ),
            (["a.wav", "-b"], "--bitrate needs a value (RATE)"),
            (["a.wav", "-b", "fast"], "invalid --bitrate value 'fast'; use a number like 128k"),
            (["a.wav", "-b", "128"], "--bitrate is in bits per second; for 128 kb/s use 128k"),
            (["a.wav", "-q", "101"], "invalid --quality value '101'; use a number, 0 to 100"),
            (["a.wav", "-q", "50", "-b", "128k"], "--bitrate and --quality exclude each other"),
            (["a.wav", "--cbr"], "--cbr needs --bitrate"),
            (["a.wav", "--raw", "s12"], "invalid --raw value 's12'; the sample format is one of u8, s8"),
            (["a.wav", "--raw", "s16,0"], "invalid --raw value 's16,0'; use a sample format, rate and channels like s16le,48000,2"),
            (["a.wav", "--raw", "s16,48k,2,2"], "invalid --raw value 's16,48k,2,2'"),
            (
                ["a.wav", "-f", "s16le"],
                "--format is the output format; for input without a header use --raw s16le"
            ),
            (["a.wav", "-f", "mp3"], "linnet does not write MP3"),
            (["a.wav", "-f", "mp5"], "invalid --format value 'mp5'; use aac, adts, m4a, m4b, mp4, caf, loas"),
            (
                ["a.wav", "-o", "a.mp3"],
                "cannot write a.mp3: linnet does not write MP3; use .aac, .m4a, .caf, .loas, .ts, .opus or .dabp, or --format"
            ),
            (["a.wav", "-o", "a.unknown"], "unknown extension in a.unknown"),
            (["a.wav", "-o", "hls:talk", "--no-delay"], "hls:talk is a stream address; linnet stream sends to it"),
            (["a.wav", "-o", "a.m3u8", "--no-delay"], "a.m3u8 is a playlist; linnet stream writes one to hls:FOLDER"),
            (["a.wav", "--downmix"], "unknown option --downmix; it is --channels 2 now"),
            (["a.wav", "--quiet", "--json"], "--json and --quiet exclude each other"),
            (["a.wav", "-o", "a.m4a", "--crc"], "--crc and --mpeg2 apply to ADTS (.aac) only"),
            (["a.wav", "a.flac", "-o", "out"], "a.wav and a.flac would both become out/a.aac"),
            (["a.wav", "a.flac", "-o", "-"], "cannot write several outputs to standard output"),
            (["a.wav", "-j", "0"], "invalid --jobs value '0'; use an integer, 1 to 1024"),
            (["-", "a.wav"], "reading from standard input requires -o FILE and no other inputs"),
        ]
        for (words, message) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["encode"] + words, folder: folder.url)
            #expect(run.exitCode == 2, "\(words)")
            #expect(run.errorText.hasPrefix("linnet: " + message), "\(words): \(run.errorText)")
            #expect(run.errorText.hasSuffix("(see linnet encode --help)\n"))
        }
    }

    @Test("A peak below the bit rate names both options")
    func peakBelowBitRate() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000, sampleRate: 48_000)
        let run = try LinnetProgram.shell("linnet encode a.wav -b 128k --peak-bitrate 64k", folder: folder)
        #expect(run.exitCode == 10)
        #expect(
            run.errorText == "linnet: cannot encode a.wav: unsupported peak bit rate 64000 bit/s; supported: at least 128000; "
                + "use a higher --peak-bitrate or a lower --bitrate\n", "\(run.errorText)")
    }

    @Test(
        "NaN samples are an error with their position in the input, or silence with --silence-invalid",
        arguments: [[], ["--rate", "22050"], ["--range", "0.01-"], ["-o", "a.opus"]])
    func invalidSamples(options: [String]) throws {
        let folder = try TemporaryFolder()
        var samples = [Float](repeating: 0.1, count: 6000)
        samples[2 * 1234 + 1] = .nan
        _ = try folder.write(samples.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }, to: "a.pcm")
        let encode = ["encode", "--raw", "f32", "a.pcm"] + options
        let refused = try ProgramRun(LinnetProgram.path, encode, folder: folder.url)
        #expect(refused.exitCode == 6)
        #expect(
            refused.errorText == "linnet: cannot encode a.pcm: frame 1234 of channel 2 is infinite or not a number; "
                + "--silence-invalid encodes such samples as silence\n", "\(refused.errorText)")
        #expect(try folder.contents == ["a.pcm"])
        #expect(try ProgramRun(LinnetProgram.path, encode + ["--silence-invalid"], folder: folder.url).exitCode == 0)
    }

    @Test("A truncated file is encoded to its end, with a warning")
    func truncated() throws {
        let folder = try TemporaryFolder()
        let path = try folder.writeSignal("a.wav", frames: 4410)
        let whole = try bytes(ofFile: path)
        _ = try folder.write(Array(whole[..<(whole.count - 4000)]), to: "a.wav")
        let run = try LinnetProgram.run("encode", "a.wav", folder: folder)
        #expect(run.exitCode == 6)
        #expect(run.errorText == "linnet: warning: a.wav ends after 3410 of the 4410 frames in its header\n")
        #expect(run.text.hasPrefix("a.wav -> a.aac: 3410 frames"))
    }

    @Test(
        "A full disk leaves no output", .enabled(if: getuid() == 0 && ProgramRun.find("unshare") != nil, "needs root and unshare"))
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 220_500)
        let script = """
            mkdir small && unshare -m bash -c 'mount -t tmpfs -o size=16k none small || exit 99
            "\(LinnetProgram.path)" encode a.wav -o small/a.aac; code=$?; ls -A small; exit $code'
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        // Some containers forbid even root to mount.
        if run.exitCode == 99 || run.errorText.contains("unshare:") { return }
        #expect(run.exitCode == 9)
        #expect(run.errorText == "linnet: no space left for small/a.aac; nothing was kept\n")
        #expect(run.output.isEmpty)
    }
}
