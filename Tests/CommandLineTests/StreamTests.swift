// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetCommand
import TestSupport
import Testing

/// `linnet stream`, and `linnet record` to servers.
@Suite(.serialized) struct StreamTests {
    /// Starts nginx with RTMP in a folder, to which it records.
    ///
    /// Returns it with the address of its application.
    private static func startNginx(_ folder: TemporaryFolder) throws -> (server: LiveServer, url: String) {
        let port = try LiveServer.freePort()
        let configuration = """
            \(getuid() == 0 ? "user root;" : "") load_module modules/ngx_rtmp_module.so; worker_processes 1; daemon off; master_process off;
            pid \(folder.path("nginx.pid")); error_log \(folder.path("nginx.err")) info; events { worker_connections 64; }
            rtmp { server { listen 127.0.0.1:\(port); application live {
                live on; record all; record_path \(folder.url.path); record_suffix .flv; } } }
            """
        try configuration.write(toFile: folder.path("nginx.conf"), atomically: true, encoding: .utf8)
        let arguments = ["-c", folder.path("nginx.conf"), "-e", folder.path("nginx.err")]
        return (try LiveServer("nginx", in: folder, arguments, port: port), "rtmp://127.0.0.1:\(port)/live")
    }

    @Test("Server and files get all access units in real time; the key is never shown")
    func fileToServer() throws {
        let folder = try TemporaryFolder()
        let (server, url) = try Self.startNginx(folder)
        try folder.writeSignal("in.wav", frames: 3 * 48_000, sampleRate: 48_000)
        try "sesame\n".write(toFile: folder.path("key"), atomically: true, encoding: .utf8)
        let script = """
            start=$(date +%s%N); linnet stream in.wav -o '\(url)/{file:key}' --also out.aac --also out.m4a --json > events & streaming=$!
            sleep 1; read child < /proc/$streaming/task/$streaming/children; cat /proc/$child/cmdline > title; wait $streaming || exit 1
            [ $(( $(date +%s%N) - start )) -gt 2900000000 ] || exit 2
            linnet record --input /dev/zero --seconds 1 -o \(url)/plainsecret --quiet & recording=$!
            sleep 0.5; read child < /proc/$recording/task/$recording/children; cat /proc/$child/cmdline >> title; wait $recording || exit 3
            """
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        try withExtendedLifetime(server) {
            let copy = try ProgramRun(
                try ProgramRun.require("ffmpeg"),
                ["-v", "warning", "-i", folder.path("sesame.flv"), "-c", "copy", "-f", "adts", folder.path("got.aac")])
            #expect(copy.exitCode == 0 && copy.errorText.isEmpty, "\(copy.errorText)")
            #expect(try bytes(ofFile: folder.path("got.aac")) == bytes(ofFile: folder.path("out.aac")))
            #expect(try folder.contents.contains("plainsecret.flv"))
        }
        for name in ["events", "title"] {
            let text = String(decoding: try bytes(ofFile: folder.path(name)), as: UTF8.self)
            #expect(!text.isEmpty && !text.contains("sesame") && !text.contains("plainsecret"), "\(text)")
        }
        let lines = String(decoding: try bytes(ofFile: folder.path("events")), as: UTF8.self).split(separator: "\n")
        let objects = try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        let names = objects.compactMap { $0["event"] as? String }
        #expect(names.contains("streamConnected") && names.last == "finished", "\(names)")
        let last = try #require(objects.last { $0["event"] as? String == "stream" })
        #expect(last["sentUnits"] as? Int == 143 && last["lostUnits"] as? Int == 0 && last["state"] as? String == "finished", "\(last)")
    }

    @Test("Server, HLS folder and file get the same access units, also at several bit rates")
    func severalDestinations() throws {
        let folder = try TemporaryFolder()
        let (server, url) = try Self.startNginx(folder)
        try folder.writeSignal("in.wav", frames: 3 * 48_000, sampleRate: 48_000)
        let script = """
            linnet stream in.wav -o \(url)/a -o hls:one --hls-type event --hls-segment 1 --also out.aac --quiet || exit 1
            linnet stream in.wav -o hls:many --hls-type vod --hls-rates 32k,128k --quiet || exit 2
            ffmpeg -v error -i a.flv -c copy -f adts rtmp.aac && ffmpeg -v error -i one/audio.m3u8 -c copy -f adts hls.aac || exit 3
            cmp rtmp.aac out.aac && cmp hls.aac out.aac || exit 4
            for rate in 32k 128k; do
                ffmpeg -v error -i many/$rate/audio.m3u8 -f s16le - | wc -c
            done
            """
        let run = try withExtendedLifetime(server) { try LinnetProgram.shell(script, folder: folder) }
        #expect(run.exitCode == 0, "\(run.errorText)")
        // Complete access units, which are twice as long in HE-AAC v2.
        let frameCounts = run.text.split(separator: "\n").compactMap { Int($0).map { $0 / 4 } }
        #expect(frameCounts.count == 2 && frameCounts.allSatisfy { $0 >= 144_000 && $0 < 144_000 + 6148 + 2048 }, "\(frameCounts)")
    }

    @Test("The counts of several bit rates include all streams")
    func counts() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 3 * 48_000, sampleRate: 48_000)
        let arguments = "stream in.wav --hls-type vod --hls-rates 32k,128k -o"
        let text = try LinnetProgram.shell("linnet \(arguments) hls:a", folder: folder)
        // Access units of 2048 and 1024 frames, with the encoder's delay.
        #expect(text.errorText.contains("Streamed to hls:a/32k: 3.11 s, "), "\(text.errorText)")
        #expect(text.errorText.contains("Streamed to hls:a/128k: 3.05 s, "), "\(text.errorText)")
        let json = try LinnetProgram.shell("linnet \(arguments) hls:b --json | tail -n 3", folder: folder)
        let lines = try json.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let byteCount = lines.compactMap { $0["sentBytes"] as? Int }.reduce(0, +)
        #expect(lines.count == 3 && byteCount > 0)
        #expect(lines.last?["accessUnits"] as? Int == 143 && lines.last?["bytes"] as? Int == byteCount, "\(json.text)")
        #expect(lines.last?["bitRate"] as? Int == byteCount * 8 * 48_000 / (143 * 1024), "\(json.text)")
    }

    @Test("With --no-delay, the first decoded HLS frame is the first input frame", arguments: ["fmp4", "packed"])
    func omittedDelay(format: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 96_000, sampleRate: 48_000)
        let run = try LinnetProgram.shell(
            """
            linnet stream in.wav -o hls:out --hls-type vod --hls-format \(format) --no-delay --quiet -b 192k || exit 1
            ffmpeg -v error -i in.wav -ac 1 -f s16le in.raw && ffmpeg -v error -i out/audio.m3u8 -ac 1 -f s16le out.raw
            """, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let pair = try ["in.raw", "out.raw"].map { (name: String) -> [Double] in
            let bytes = try bytes(ofFile: folder.path(name))
            return stride(from: 0, to: bytes.count - 1, by: 2).map { index -> Double in
                Double(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
            }
        }
        #expect(pair[1].count == 94 * 1024)
        let errors = (-2...2).map { (lag: Int) -> Double in
            var sum = 0.0
            for frame in 4096..<40_000 {
                let difference = pair[0][frame] - pair[1][frame + lag]
                sum += difference * difference
            }
            return sum
        }
        #expect(errors[2] == errors.min() && errors[2] < errors[1] / 2, "\(errors)")
    }

    @Test("Ctrl-C sends queued access units and closes the session: server and file have the same", arguments: ["INT", "TERM"])
    func interruption(signal: String) throws {
        let folder = try TemporaryFolder()
        let (server, url) = try Self.startNginx(folder)
        try folder.writeSignal("in.wav", frames: 48_000, sampleRate: 48_000)
        let script = """
            linnet stream in.wav --loop -o \(url)/a --also out.aac --quiet & streaming=$!
            sleep 1.5; read child < /proc/$streaming/task/$streaming/children; kill -\(signal) $child; wait $streaming || exit 1
            ffmpeg -v warning -i a.flv -c copy -f adts got.aac && cmp got.aac out.aac
            """
        let run = try withExtendedLifetime(server) { try LinnetProgram.shell(script, folder: folder) }
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText) \(run.text)")
        #expect(try RecordedFile.accessUnitCount(folder.path("out.aac")) > 40)
    }

    @Test("A file named .opus gets Opus without --codec")
    func opusFile() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 24_000, sampleRate: 48_000)
        let run = try LinnetProgram.shell("linnet stream in.wav -o out.opus --quiet && linnet probe out.opus", folder: folder)
        #expect(run.exitCode == 0 && run.text.contains("Opus"), "\(run.errorText)")
    }

    @Test("--loop repeats without gaps for the requested duration")
    func loop() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 24_000, channels: 1, sampleRate: 48_000)
        let run = try LinnetProgram.shell("linnet stream in.wav --loop --seconds 1.6 -o out.wav --quiet", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let (input, output) = (try RecordedFile.samples(folder.path("in.wav")), try RecordedFile.samples(folder.path("out.wav")))
        #expect(output.count == 76_800)
        // 16-bit samples pass through 32-bit floating point unchanged.
        #expect(output.indices.allSatisfy { output[$0] == input[$0 % input.count] })
    }

    @Test("Standard input is sent as it arrives, with or without a header")
    func standardInput() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 48_000, sampleRate: 48_000)
        let script = """
            linnet stream - -o a.wav --quiet < in.wav && ffmpeg -v error -i in.wav -f s16le - | linnet stream - --raw s16le,48000,2 -o b.wav --quiet
            """
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let input = try RecordedFile.samples(folder.path("in.wav"))
        #expect(try RecordedFile.samples(folder.path("a.wav")) == input)
        #expect(try RecordedFile.samples(folder.path("b.wav")) == input)
    }

    @Test("An unreachable server loses only its own access units; the file is complete")
    func missingServer() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 2 * 48_000, sampleRate: 48_000)
        let port = try LiveServer.freePort()
        let run = try LinnetProgram.run(
            "stream", "in.wav", "-o", "rtmp://127.0.0.1:\(port)/live/key", "--also", "out.aac", folder: folder)
        #expect(run.exitCode == 13, "\(run.errorText)")
        #expect(run.errorText.contains("Connection refused; the next attempt follows in"), "\(run.errorText)")
        #expect(try RecordedFile.accessUnitCount(folder.path("out.aac")) == 96)
    }

    @Test(
        "Invalid settings are rejected with a hint before anything starts",
        arguments: [
            ("in.wav", "missing output"), ("in.wav -o rtmp://host/app", "rtmp://host/application/key"),
            ("in.wav -o gopher://host/x", "unsupported protocol"), ("- --loop -o out.aac", "--loop needs a file"),
            ("in.wav --mute-at 0-1 -o out.aac", "--mute-at needs input in real time; add --at-rate"),
            ("in.wav -o rtmp://h/a/{env:LINNET_NO_SUCH_KEY}", "LINNET_NO_SUCH_KEY"),
            ("in.wav -o rtmp://h/a/{key}", "{env:NAME} or {file:PATH}"),
            ("in.wav --device x -o out.aac", "--device applies to microphones only"),
            ("in.wav --noise high -o out.aac", "--noise applies to microphones only"),
            ("in.wav --level -o out.aac", "--level applies to microphones only"),
            ("-o out.aac --noise loud", "use off, low, moderate, high, very-high"),
            ("-o out.aac --echo-cancel --backend alsa", "--echo-cancel needs a sound server"),
            ("in.wav -o rtmp://h/a/k -o rtmp://h/a/k", "duplicate output"), ("in.wav -o hls:talk -o hls:./talk/", "duplicate output"),
            ("in.wav -o icecast://source:pw@h:8000/radio.mp3 --also out.aac", "ends in .mp3, but the stream is AAC; use .aac"),
            (
                "in.wav -o icecast://source:pw@h:8000/radio.opus",
                "ends in .opus, but the stream is AAC; use .aac or no extension, or encode Opus"
            ),
            ("-o icecast://source:pw@h:8000/radio.aac --codec opus", "ends in .aac, but the stream is Opus"),
        ])
    func refused(words: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav")
        let run = try LinnetProgram.run("stream", folder: folder, words: words)
        #expect(run.exitCode == 2 && run.errorText.contains(message), "\(run.errorText)")
        #expect(try folder.contents == ["in.wav"])
    }

    @Test("A missing session description is reported as missing", arguments: ["decode a.sdp", "play a.sdp", "stream a.sdp -o x.wav"])
    func missingDescription(words: String) throws {
        let run = try LinnetProgram.shell("linnet \(words) --latency 5", folder: TemporaryFolder())
        #expect(run.exitCode == 3 && run.errorText == "linnet: cannot open a.sdp: No such file or directory\n", "\(run.errorText)")
    }

    @Test("Secrets are percent-encoded if the scheme decodes them, and unchanged for RTMP")
    func secrets() throws {
        setenv("LINNET_TEST_SECRET", "p@ss/w:rd?", 1)
        let arguments = ParsedArguments(command: "linnet stream", options: [])
        let icecast = try SecretArgument.resolve("icecast://source:{env:LINNET_TEST_SECRET}@host/m.aac", arguments)
        #expect(icecast == "icecast://source:p%40ss%2Fw%3Ard%3F@host/m.aac")
        #expect(try SecretArgument.resolve("rtmp://host/a/{env:LINNET_TEST_SECRET}", arguments) == "rtmp://host/a/p@ss/w:rd?")
    }

    @Test("The rate of the last two seconds follows the count")
    func recentBitRate() {
        var rate = RecentBitRate()
        let start = ContinuousClock.now
        #expect(rate.update(byteCount: 0, at: start) == 0)
        for second in 1...5 { #expect(abs(rate.update(byteCount: second * 1000, at: start + .seconds(second)) - 8000) < 1) }
        for second in 6...9 { _ = rate.update(byteCount: 5000, at: start + .seconds(second)) }
        #expect(rate.update(byteCount: 5000, at: start + .seconds(10)) == 0)
    }
}

extension LinnetProgram {
    /// Runs the program with arguments in one text.
    fileprivate static func run(_ subcommand: String, folder: TemporaryFolder, words: String) throws -> ProgramRun {
        try ProgramRun(path, [subcommand] + words.split(separator: " ").map(String.init), folder: folder.url)
    }
}
