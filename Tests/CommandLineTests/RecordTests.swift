// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `linnet record` and `play`, with files and with private sound servers.
@Suite(.serialized) struct RecordTests {
    /// Returns a mono WAV file.
    private static func wave(_ samples: [Int16], rate: Int = 48_000) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let size = samples.count * 2
        var bytes = Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2) + number(1, 2)
        bytes += number(rate, 4) + number(rate * 2, 4) + number(2, 2) + number(16, 2) + Array("data".utf8) + number(size, 4)
        for sample in samples { bytes += number(Int(sample), 2) }
        return bytes
    }

    @Test("A recording of playback through a real sound server is identical to it", arguments: PrivateServer.kinds)
    func playAndRecord(kind: String) throws {
        let folder = try TemporaryFolder()
        let tone = (0..<48_000).map { Int16(truncatingIfNeeded: ($0 &* 25_173 &+ 13_849) | 1) }
        try Data(Self.wave(tone)).write(to: URL(filePath: folder.path("tone.wav")))
        // Played together, its parts follow each other without a gap.
        for (name, part) in [("a", tone[..<20_001]), ("b", tone[20_001...20_050]), ("c", tone[20_051...])] {
            try Data(Self.wave(Array(part))).write(to: URL(filePath: folder.path("\(name).wav")))
        }
        let script = """
            rm -f out.* record.txt
            "$linnet" encode tone.wav -o tone.aac --force > /dev/null 2>&1
            "$linnet" record -o out.aac --also out.wav --seconds 60 2>record.txt & recording=$!
            listen record.txt
            "$linnet" play a.wav b.wav c.wav
            "$linnet" play tone.aac --range 0.5-
            sleep 1.5
            kill -TERM $recording; wait $recording
            "$linnet" devices --json
            """
        let (run, recorded, isSame, loud) = try PrivateServer.attempt {
            let run = try PrivateServer.run(kind, script, in: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
            let recorded = try RecordedFile.samples(folder.path("out.wav"))
            let heard = recorded.drop { $0 == 0 }
            // The second half of the encoded file follows.
            return (run, recorded, heard.starts(with: tone), heard.dropFirst(tone.count).count { $0.magnitude > 1000 })
        } isWhole: {
            $2 && 15_000..<30_000 ~= $3
        }
        #expect(isSame)
        #expect(loud > 15_000 && loud < 30_000, "\(loud)")
        let devices = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        let microphone = try #require(devices.first { $0["id"] as? String == "vmic" })
        #expect(microphone["isDefault"] as? Bool == true && microphone["sampleRate"] as? Int == 48_000)
        // ADTS and WAV hold the same duration, except for the priming and less than an access unit of padding.
        let units = try RecordedFile.accessUnitCount(folder.path("out.aac"))
        let decoded = units * 1024 - recorded.count
        #expect((2112..<2112 + 1024).contains(decoded), "\(decoded)")
    }

    @Test("Piped input is played to its end", arguments: PrivateServer.kinds)
    func playPipe(kind: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("tone.wav", frames: 48_000, channels: 1, sampleRate: 48_000)
        let formats = ["aac", "loas", "wav"]
        let script = """
            rm -f heard.* *.txt tone.aac tone.loas aac.wav loas.wav
            "$linnet" encode --quiet tone.wav -o tone.aac; "$linnet" encode --quiet tone.wav -o tone.loas
            "$linnet" decode tone.aac -o aac.wav; "$linnet" decode tone.loas -o loas.wav; cp tone.wav wav.wav
            for format in \(formats.joined(separator: " ")); do
              "$linnet" record -o heard.$format.wav 2>$format.txt & recording=$!; listen $format.txt
              cat tone.$format | "$linnet" play -
              sleep 1.5; kill -TERM $recording; wait $recording
            done
            """
        let comparisons = try PrivateServer.attempt {
            let run = try PrivateServer.run(kind, script, in: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
            return try formats.map { try Self.compare(folder.path("\($0).wav"), folder.path("heard.\($0).wav")) }
        } isWhole: {
            $0.allSatisfy { $0.frames > 45_000 && $0.difference <= 1 }
        }
        for (format, comparison) in zip(formats, comparisons) {
            #expect(comparison.frames > 45_000, "\(format)")
            // One step for rounding.
            #expect(comparison.difference <= 1, "\(format)")
        }
    }

    /// Returns the maximum difference of two files, aligned at their first loud samples.
    private static func compare(_ wanted: String, _ heard: String) throws -> (frames: Int, difference: Int) {
        let sounds = try [wanted, heard].map { try RecordedFile.samples($0).drop { $0.magnitude <= 4000 } }
        let differences = zip(sounds[0], sounds[1]).map { abs(Int($0) - Int($1)) }
        return (differences.count, differences.max() ?? 0)
    }

    @Test("A killed recording has all but the last second", arguments: ["aac", "m4a", "loas", "ts"])
    func killed(ending: String) throws {
        let folder = try TemporaryFolder()
        try expectShortLoss(folder, ending, try ProgramRun.shell(Self.killing(ending, "--input /dev/zero"), folder: folder.url))
    }

    @Test("PCM of a killed recording is readable to its end", arguments: ["wav", "flac"])
    func killedPCM(ending: String) throws {
        let folder = try TemporaryFolder()
        let run = try ProgramRun.shell(Self.killing(ending, "--input /dev/zero"), folder: folder.url)
        let times = run.text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(times.count == 2, "\(run.text) \(run.errorText)")
        let copy = try LinnetProgram.run("convert", "out.\(ending)", "-o", "out.raw", "--sample-format", "s16", folder: folder)
        #expect(copy.exitCode == 0, "\(copy.errorText)")
        let seconds = Double(try bytes(ofFile: folder.path("out.raw")).count) / 96_000
        #expect(abs(seconds - (times[1] - times[0])) < 1, "\(seconds) s, \(run.text)")
    }

    @Test("A killed microphone recording has all but the last second", arguments: PrivateServer.kinds, ["aac", "m4a"])
    func killedMicrophone(kind: String, ending: String) throws {
        let folder = try TemporaryFolder()
        try expectShortLoss(folder, ending, try PrivateServer.run(kind, Self.killing(ending, "--device vstereo"), in: folder))
    }

    /// Shell lines that kill a recording four seconds after it reports its start, and print its duration.
    private static func killing(_ ending: String, _ input: String) -> String {
        """
        exec 3< <(exec '\(LinnetProgram.path)' record \(input) -o out.\(ending) --json)
        recording=$!; export LC_ALL=C; read -r line <&3; start=$EPOCHREALTIME; [[ $line = *started* ]]
        sleep 4; end=$EPOCHREALTIME; kill -KILL $recording; echo $start $end
        """
    }

    private func expectShortLoss(_ folder: TemporaryFolder, _ ending: String, _ run: ProgramRun) throws {
        #expect(run.exitCode == 0, "\(run.errorText)")
        let times = run.text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        try #require(times.count == 2, "\(run.text)")
        let elapsed = times[1] - times[0]
        // Decoded audio starts with the priming.
        let seconds = Double(try RecordedFile.accessUnitCount(folder.path("out.\(ending)")) * 1024 - 2112) / 48_000
        #expect(seconds > elapsed - 1 && seconds < elapsed + 1, "\(seconds) s of \(elapsed) s")
        // FFmpeg warns about LOAS without time stamps.
        guard ending != "loas" else { return }
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let check = try ProgramRun(ffmpeg, ["-v", "error", "-i", "out.\(ending)", "-f", "null", "-"], folder: folder.url)
        // A file cut inside a frame can have errors in that frame only.
        #expect(check.exitCode == 0 && check.errorText.split(separator: "\n").count <= 2, "\(check.errorText)")
    }

    @Test("Ctrl-C and SIGTERM finish a recording", arguments: ["INT", "TERM"])
    func signals(name: String) throws {
        let folder = try TemporaryFolder()
        // Background processes of a shell ignore Ctrl-C by default.
        let script = """
            set -m; '\(LinnetProgram.path)' record --input /dev/zero -o out.aac --also out.wav --rate 44.1k --channels 2 &
            for i in $(seq 600); do [ "$(stat -c %s out.wav 2>/dev/null || echo 0)" -gt 100000 ] && break; sleep 0.1; done
            kill -\(name) %1; wait %1
            """
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0)
        #expect(run.errorText.contains("Recorded "))
        let frames = try RecordedFile.samples(folder.path("out.wav")).count / 2
        #expect(frames > 20_000)
        let decoded = try RecordedFile.accessUnitCount(folder.path("out.aac")) * 1024 - frames
        #expect((2112..<2112 + 1024).contains(decoded), "\(decoded)")
    }

    @Test("Signals of timeout to the program and its group finish a recording")
    func timeout() throws {
        let folder = try TemporaryFolder()
        let run = try LinnetProgram.shell(
            """
            for i in 1 2 3; do
                timeout --preserve-status 1 '\(LinnetProgram.path)' record --input /dev/zero -o out.caf --force --quiet || exit 1
                linnet probe --check --quiet out.caf || exit 2
            done
            """, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
    }

    @Test("A second signal half a second later ends the program at once")
    func secondSignal() throws {
        let folder = try TemporaryFolder()
        // The pipe is full before the first signal, so the output cannot be finished.
        let script = """
            mkfifo pipe; sleep 30 < pipe & reader=$!
            '\(LinnetProgram.path)' record --input /dev/zero --rate 48k --channels 8 -o - --format wav --quiet > pipe & recording=$!
            sleep 2; kill -TERM $recording; kill -INT $recording; sleep 0.1; kill -0 $recording || exit 1
            sleep 0.7; kill -TERM $recording; wait $recording; echo $?; kill -KILL $reader
            """
        let start = Date.now
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.text == "143\n", "\(run.exitCode) \(run.text) \(run.errorText)")
        #expect(Date.now.timeIntervalSince(start) < 6)
    }

    @Test("A pipe gets audio during the recording, and closing it ends the recording")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let script = """
            linnet record --input /dev/zero -o - --seconds 60 2>errors | head -c 5000 > part; echo ${PIPESTATUS[0]}
            """
        let start = Date.now
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(Date.now.timeIntervalSince(start) < 40)
        #expect(run.text == "141\n")
        #expect(try Data(contentsOf: URL(filePath: folder.path("part"))).prefix(2) == Data([0xFF, 0xF1]))
    }

    @Test("Without a sound server there is an error, and no output")
    func nothingToRecord() throws {
        let folder = try TemporaryFolder()
        let run = try LinnetProgram.shell("PULSE_SERVER=unix:/nowhere linnet record --backend pulse -o out.aac", folder: folder)
        #expect(run.exitCode == 11)
        #expect(run.errorText.hasPrefix("linnet: no sound server responds"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.aac")))
    }

    @Test("An unreadable input has the exit status of other commands", arguments: [("missing", 3), ("folder", 4)] as [(String, Int32)])
    func unreadableInput(name: String, code: Int32) throws {
        let folder = try TemporaryFolder()
        let run = try LinnetProgram.shell(
            "mkdir folder; linnet record --input \(name) --seconds 1 -o out.wav; code=$?; ls; exit $code", folder: folder)
        #expect(run.exitCode == code && run.text == "folder\n", "\(run.text)")
        #expect(run.errorText.hasPrefix("linnet: \(name): "), "\(run.errorText)")
    }

    @Test("Existing files are not overwritten; the default name is the first unused one")
    func names() throws {
        let folder = try TemporaryFolder()
        let record = "linnet record --quiet --input /dev/zero --seconds 0.1"
        let run = try LinnetProgram.shell("\(record) && \(record) && ls; \(record) -o recording.aac", folder: folder)
        #expect(run.exitCode == 7)
        #expect(run.text == "recording-2.aac\nrecording.aac\n")
        #expect(run.errorText == "linnet: recording.aac already exists; --force overwrites it\n")
        #expect(try LinnetProgram.shell("\(record) -f wav && ls *.wav", folder: folder).text == "recording.wav\n")
    }

    @Test(
        "Invalid settings are rejected",
        arguments: [
            ["--mute-at", "5"], ["--pick", "0"], ["--gaps", "maybe"], ["--seconds", "0"], ["--bitrate", "1k", "--quality", "3"], ["x"],
            ["--preset", "high", "--bitrate", "96k"], ["--preset", "voice", "--quality", "30"],
        ])
    func refused(words: [String]) throws {
        let run = try ProgramRun(LinnetProgram.path, ["record"] + words)
        #expect(run.exitCode == 2)
        #expect(run.errorText.split(separator: "\n").count == 1)
    }

    @Test("An unknown preset is answered with the known ones")
    func unknownPreset() throws {
        let run = try LinnetProgram.run("record", "--preset", "speach")
        #expect(run.exitCode == 2)
        #expect(
            run.errorText
                == "linnet: invalid --preset value 'speach'; use low, medium, high, very-high, live, voice, voice-16, voice-24, voice-32, "
                + "music-32, music-48, music-64, speech, music, low-latency, homekit-16, homekit-24, airplay, voice-message-24, book-32, radio-48; "
                + "did you mean speech? (see linnet record --help)\n"
        )
    }

    @Test(
        "A preset sets sample rate and channels; options override it",
        arguments: [
            ("speech", 16_000, 1), ("music", 48_000, 2), ("low-latency", 48_000, 2), ("speech --rate 32k", 32_000, 1),
            ("music --channels 1", 48_000, 1), ("low", 16_000, 1), ("high --rate 48k --channels 2", 48_000, 2),
            ("voice-24 --channels 2", 48_000, 2),
        ] as [(String, Int, Int)])
    func presets(words: String, rate: Int, channels: Int) throws {
        let folder = try TemporaryFolder()
        let script = "linnet record --quiet --input /dev/zero --preset \(words) --seconds 1 -o out.m4a --also out.wav"
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let format = try RecordedFile.format(folder.path("out.wav"))
        #expect(format == (rate, channels))
        #expect(try RecordedFile.samples(folder.path("out.wav")).count == rate * channels)
    }
}
