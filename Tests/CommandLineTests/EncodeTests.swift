// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// `linnet encode`.
@Suite struct EncodeTests {
    /// Returns the number of sample frames that FFmpeg decodes, expecting no message.
    func decodedFrames(_ path: String, channels: Int) throws -> Int {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let run = try ProgramRun(ffmpeg, ["-v", "error", "-i", path, "-f", "s16le", "-c:a", "pcm_s16le", "-"])
        #expect(run.errorText.isEmpty)
        #expect(run.exitCode == 0)
        return run.output.count / 2 / channels
    }

    @Test("A file of AAC needs no temporary directory")
    func temporaryDirectory() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 50_000)
        let script = """
            linnet encode a.wav -b 128k && export TMPDIR=$PWD/none
            linnet encode --json -b 64k a.aac -o b.m4a && linnet encode -b 64k - -o c.m4a < a.aac
            """
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(run.text.contains(#""formatChanges": 0"#))
        #expect(try bytes(ofFile: folder.path("b.m4a")) == bytes(ofFile: folder.path("c.m4a")))
    }

    @Test("Encodes to ADTS next to the input; other decoders read all of it", arguments: [0, 1, 1023, 1024, 22_050])
    func plainFile(frames: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: frames)
        let run = try LinnetProgram.run("encode", "a.wav", folder: folder)
        #expect(run.exitCode == 0)
        #expect(run.errorText.isEmpty)
        let pattern = /a\.wav -> a\.aac: (\d+) frames, [0-9.]+ s, [0-9.]+ kb\/s, (\d+) bytes, [0-9.]+x real time\n/
        let match = try #require(run.text.wholeMatch(of: pattern))
        #expect(match.1 == String(frames))
        #expect(try folder.contents == ["a.aac", "a.wav"])
        #expect(try String(bytes(ofFile: folder.path("a.aac")).count) == match.2)
        let units = (2112 + frames + 1023) / 1024
        #expect(try decodedFrames(folder.path("a.aac"), channels: 2) == units * 1024)
        let probe = try LinnetProgram.run("probe", "a.aac", folder: folder)
        #expect(probe.exitCode == 0)
        #expect(probe.text.contains("Access units:  \(units), \(units * 1024) frames"))
    }

    @Test("Files, pipes and samples without a header give the same bytes")
    func sameBytes() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav")
        try folder.writeSignal("a.raw")
        let lines = [
            // An average rate would read files twice.
            "linnet encode --quiet -q60 a.wav -o 1.aac",
            "linnet encode --quiet -q60 - -o - <a.wav >2.aac",
            "cat a.wav | linnet encode --quiet -q60 - >3.aac",
            "cat a.raw | linnet encode --quiet -q60 --raw s16,44.1k,2 - -o 4.aac",
            "linnet encode --quiet -q60 --raw s16le a.raw -o 5.aac",
            "linnet encode --quiet -q60 a.wav -o 1.aac -y",
        ]
        let run = try LinnetProgram.shell(lines.joined(separator: " && "), folder: folder)
        #expect(run.exitCode == 0)
        #expect(run.errorText.isEmpty)
        let first = try bytes(ofFile: folder.path("1.aac"))
        #expect(first.count > 5000)
        for number in 2...5 { #expect(try bytes(ofFile: folder.path("\(number).aac")) == first) }
    }

    @Test("Many files go to a folder, with the same bytes for any number of threads", arguments: [1, 8])
    func manyFiles(jobs: Int) throws {
        let folder = try TemporaryFolder()
        let names = (1...5).map { "in\($0)" }
        for (index, name) in names.enumerated() {
            try folder.writeSignal(name + ".wav", frames: 3000 * (index + 1), channels: 1 + index % 2)
        }
        let inputs = names.map { $0 + ".wav" }
        let run = try ProgramRun(LinnetProgram.path, ["encode", "-j", "\(jobs)", "-o", "out", "-b", "48k"] + inputs, folder: folder.url)
        #expect(run.exitCode == 0)
        #expect(run.text.split(separator: "\n").count == 5)
        for name in names {
            let alone = try LinnetProgram.run("encode", "--quiet", "-b", "48k", name + ".wav", folder: folder)
            #expect(alone.exitCode == 0)
            #expect(try bytes(ofFile: folder.path("out/\(name).aac")) == bytes(ofFile: folder.path(name + ".aac")))
        }
    }

    @Test("Six channels keep their order with back or side surround channels")
    func surround() throws {
        let folder = try TemporaryFolder()
        let front: [Speaker] = [.left, .right, .center, .lowFrequency]
        try folder.writeSignal("side.wav", channels: 6, layout: ChannelLayout(front + [.sideLeft, .sideRight]))
        try folder.writeSignal("back.wav", channels: 6, layout: ChannelLayout(front + [.backLeft, .backRight]))
        try folder.writeSignal("quad.wav", channels: 4, layout: ChannelLayout([.left, .right, .backLeft, .backRight]))
        let run = try LinnetProgram.run("encode", "--quiet", "side.wav", "back.wav", "quad.wav", folder: folder)
        #expect(run.exitCode == 10)
        #expect(
            run.errorText == """
                linnet: cannot encode quad.wav: unsupported channel layout FL FR BL BR; supported layout: FL FR FC BC; \
                --channels 2 mixes them; linnet convert --channel-map assigns them

                """)
        #expect(try bytes(ofFile: folder.path("side.aac")) == bytes(ofFile: folder.path("back.aac")))
        let probe = try LinnetProgram.run("probe", "side.aac", folder: folder)
        #expect(probe.text.contains("Channels:      6 (FC FL FR SL SR LFE)"))
        let mono = try LinnetProgram.run("encode", "--mono", "--quiet", "quad.wav", folder: folder)
        #expect(mono.exitCode == 0)
        #expect(try LinnetProgram.run("probe", "quad.aac", folder: folder).text.contains("Channels:      1 (FC)"))
    }

    @Test("6.1 and 7.1 with back channels keep their speakers where the container has a channel configuration")
    func backChannels() throws {
        let folder = try TemporaryFolder()
        let front: [Speaker] = [.left, .right, .center, .lowFrequency]
        let eight = ChannelLayout(front + [.backLeft, .backRight, .sideLeft, .sideRight])
        try folder.writeSignal("eight.wav", frames: 3000, channels: 8, layout: eight)
        try folder.writeSignal("seven.wav", frames: 3000, channels: 7, layout: ChannelLayout(front + [.backCenter, .sideLeft, .sideRight]))
        for command in ["encode", "convert"] {
            for (name, speakers) in [("eight", "8 (FC FL FR SL SR BL BR LFE)"), ("seven", "7 (FC FL FR SL SR BC LFE)")] {
                let run = try LinnetProgram.run(command, "--force", "--quiet", name + ".wav", "-o", name + ".m4a", folder: folder)
                #expect(run.exitCode == 0 && run.errorText.isEmpty)
                let probe = try LinnetProgram.run("probe", name + ".m4a", folder: folder)
                #expect(probe.text.contains("Channels:      \(speakers)\n"))
            }
        }
        let run = try LinnetProgram.run("encode", "eight.wav", folder: folder)
        #expect(run.exitCode == 10)
        #expect(
            run.errorText == """
                linnet: cannot write eight.aac: unsupported channel configuration 12; the container supports 1 to 7; \
                M4A, CAF and LOAS support all

                """)
    }

    @Test("Reads channel configuration 7 as FFmpeg's 7.1, with a note; rejects four front channels")
    func configurationSeven() throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let front: [Speaker] = [.left, .right, .center, .lowFrequency]
        let eight = ChannelLayout(front + [.backLeft, .backRight, .sideLeft, .sideRight])
        try folder.writeSignal("eight.wav", frames: 5000, channels: 8, layout: eight)
        let wide = ChannelLayout(front + [.leftOfCenter, .rightOfCenter, .sideLeft, .sideRight])
        try folder.writeSignal("wide.wav", frames: 3000, channels: 8, layout: wide)
        for name in ["eight.aac", "eight.m4a"] {
            let words = ["-v", "error", "-i", "eight.wav", "-c:a", "aac", "-b:a", "400k", name]
            try #require(try ProgramRun(ffmpeg, words, folder: folder.url).exitCode == 0)
            let probe = try LinnetProgram.run("probe", name, folder: folder)
            #expect(probe.text.contains("8 (FC FL FR SL SR BL BR LFE)") && probe.text.contains("channel configuration 7 is read as"))
            for command in ["decode", "convert", "encode"] {
                let output = command == "encode" ? "out.m4a" : "out.wav"
                let run = try LinnetProgram.run(command, "--force", name, "-o", output, folder: folder)
                #expect(run.exitCode == 0 && run.errorText.contains("channel configuration 7 is read as"), "\(command) \(run.errorText)")
            }
        }
        #expect(try LinnetProgram.run("encode", "wide.wav", "-o", "wide.m4a", folder: folder).exitCode == 10)
        let mixed = try LinnetProgram.run("convert", "wide.wav", "-o", "wide.m4a", folder: folder)
        #expect(mixed.exitCode == 0 && mixed.errorText.contains("mixed to"), "\(mixed.errorText)")
    }

    @Test("Version and checksum are in every header, and other decoders accept them")
    func headers() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav")
        for (options, second) in [([], 0xF1), (["--mpeg2"], 0xF9), (["--crc"], 0xF0), (["--crc", "--mpeg2"], 0xF8)] as [([String], UInt8)] {
            let run = try ProgramRun(LinnetProgram.path, ["encode", "--quiet", "--force", "a.wav"] + options, folder: folder.url)
            #expect(run.exitCode == 0)
            #expect(try Array(bytes(ofFile: folder.path("a.aac"))[..<2]) == [0xFF, second])
            #expect(try decodedFrames(folder.path("a.aac"), channels: 2) == 24 * 1024)
            let probe = try LinnetProgram.run("probe", "--json", "a.aac", folder: folder)
            #expect(probe.text.contains("\"hasChecksums\": \(options.contains("--crc"))"))
            #expect(probe.text.contains("\"mpegVersion\": \(options.contains("--mpeg2") ? 2 : 4)"))
        }
    }

    @Test("The requested bit rate, quality and preset reach the encoder")
    func rates() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 220_500)
        // The encoder's tests check the accuracy of the rate.
        let cases: [(options: [String], target: Int?, range: ClosedRange<Double>)] = [
            (["-b", "64k"], 64_000, 45_000...85_000), (["--bitrate", "128k", "--cbr"], 128_000, 90_000...135_000),
            (["-b96000", "--abr"], 96_000, 70_000...125_000), (["--preset", "voice"], 64_000, 45_000...85_000),
            (["-q", "10", "--effort", "fast"], nil, 1000...200_000), (["-q", "90", "--effort", "fast"], nil, 1000...529_200),
        ]
        var rates: [Double] = []
        for (options, target, range) in cases {
            let words = ["encode", "--json", "--force", "a.wav"] + options
            let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            #expect(run.exitCode == 0, "\(run.errorText)")
            let parsed = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
            #expect(parsed.first?["targetBitRate"] as? Int == target)
            let rate = try #require(parsed.first?["bitRate"] as? Double)
            #expect(range.contains(rate), "\(options): \(rate)")
            rates.append(rate)
        }
        #expect(rates[0] == rates[3])
        #expect(rates[4] < rates[5])
    }

    @Test("A preset or an option changes the sample rate and keeps the length")
    func resampling() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 22_050)
        try folder.writeSignal("odd.wav", frames: 37_800, sampleRate: 37_800)
        let cases: [(words: [String], sampleRate: Int, frames: Int)] = [
            (["a.wav", "--preset", "low"], 16_000, 8000), (["a.wav", "--rate", "48k", "-c", "1"], 48_000, 24_000),
            (["odd.wav", "--resample", "32000"], 32_000, 32_000),
        ]
        for (words, sampleRate, frames) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["encode", "--json", "--force"] + words, folder: folder.url)
            #expect(run.exitCode == 0, "\(run.errorText)")
            let parsed = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
            #expect(parsed.first?["sampleRate"] as? Int == sampleRate)
            #expect(parsed.first?["frames"] as? Int == frames)
        }
    }

    @Test("The extension selects the container, with the same access units in each")
    func containers() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 11_025)
        let outputs = ["a.aac", "a.m4a", "a.caf", "a.loas", "a.ts"]
        for output in outputs {
            let run = try LinnetProgram.run("encode", "--quiet", "a.wav", "-o", output, folder: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
        }
        let piped = try LinnetProgram.shell("linnet encode --quiet --container m4a a.wav -o - | cat >b.m4a", folder: folder)
        #expect(piped.exitCode == 0, "\(piped.errorText)")
        let caf = try LinnetProgram.shell("linnet encode --quiet --container caf a.wav -o - | cat", folder: folder)
        #expect(caf.text.isEmpty)
        #expect(
            caf.errorText
                == "linnet: cannot write standard output: cannot write this container to a pipe; ADTS, LOAS, M4A, MPEG-TS and Opus can\n"
        )
        let probe = try ProgramRun(LinnetProgram.path, ["probe", "--json", "--check"] + outputs + ["b.m4a"], folder: folder.url)
        #expect(probe.exitCode == 0, "\(probe.errorText)")
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(probe.output)) as? [[String: Any]])
        #expect(parsed.map { $0["container"] as? String } == ["ADTS", "M4A", "CAF", "LOAS", "MPEG-TS", "M4A"])
        #expect(Set(parsed.map { $0["payloadBytes"] as? Int }).count == 1)
        #expect(parsed.map { $0["validFrames"] as? Int } == [nil, 11_025, 11_025, nil, nil, 11_025])
        for name in ["a.m4a", "a.caf", "a.loas", "a.ts", "b.m4a"] { _ = try decodedFrames(folder.path(name), channels: 2) }
    }

    @Test("JSON has the values of the summary")
    func json() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410)
        let run = try LinnetProgram.run("encode", "--json", "a.wav", "none.wav", folder: folder)
        #expect(run.exitCode == 3)
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        #expect(parsed.count == 2)
        #expect(parsed[0]["frames"] as? Int == 4410)
        #expect(parsed[0]["primingFrames"] as? Int == 2112)
        #expect(parsed[0]["remainderFrames"] as? Int == 7 * 1024 - 4410 - 2112)
        #expect(parsed[0]["accessUnits"] as? Int == 7)
        #expect(try parsed[0]["bytes"] as? Int == bytes(ofFile: folder.path("a.aac")).count)
        #expect(parsed[0]["output"] as? String == "a.aac")
        #expect(parsed[1]["error"] as? String == "cannot open none.wav: No such file or directory")
        #expect(parsed[1]["exitCode"] as? Int == 3)
    }

    @Test("The log names formats, reads and writes, and its positions add up")
    func log() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 21_504, sampleFormat: .float32)
        let run = try LinnetProgram.run("encode", "--verbose", "a.wav", folder: folder)
        #expect(run.exitCode == 0)
        let lines = run.errorText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "Input Audio Stream Format:")
        #expect(lines[3] == "Format Flags: kAudioFormatFlagIsFloat kAudioFormatFlagIsPacked")
        #expect(lines[9] == "Output Audio Stream Format:")
        #expect(lines[11] == "Format ID: aac ")
        #expect(lines.contains("read 4096 packets with 32768 bytes at position 0"))
        #expect(lines.contains("read 1024 packets with 8192 bytes at position 20480"))
        let writes = lines.compactMap { $0.wholeMatch(of: /write (\d+) packets with (\d+) bytes at position (\d+)/) }
        var position = 0
        for write in writes {
            #expect(Int(write.3) == position)
            position += Int(write.1) ?? 0
        }
        #expect(position == 24)
        #expect(try writes.reduce(0) { $0 + (Int($1.2) ?? 0) } == bytes(ofFile: folder.path("a.aac")).count)
        #expect(lines.contains("Total number of output frames counted: 24576"))
    }
}
