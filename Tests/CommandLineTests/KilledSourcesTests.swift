// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct KilledSourcesTests {
    /// The number of recordings: `LINNET_KILLED_RECORDINGS`, default 3.
    private static let count = ProcessInfo.processInfo.environment["LINNET_KILLED_RECORDINGS"].flatMap { Int($0) } ?? 3
    /// PipeWire's period in these tests, in seconds, after which the first frame arrives.
    private static let period = 8192 / 48_000.0
    private static let files = ["both", "mix", "talk-mic", "talk-vstereo", "tracks"]

    @Test("All files of two sources are whole to the last half second, killed at random moments", arguments: PrivateServer.kinds)
    func killed(kind: String) throws {
        var random = RandomDamage.generator(57)
        for index in 0..<Self.count {
            let seconds = Double.random(in: 1...5, using: &random)
            let folder = try TemporaryFolder()
            let script = """
                export LC_ALL=C; launch=$EPOCHREALTIME
                exec 3< <(exec "$linnet" record --source mic --source vstereo --layout files,channels,mix,tracks \\
                  -o talk.m4a --also both.m4a --also mix.m4a --also tracks.m4a --json)
                recording=$!; started=0
                while [ $started -lt 2 ] && read -r line <&3; do [[ $line != *started* ]] || started=$((started + 1)); done
                start=$EPOCHREALTIME; sleep \(seconds); end=$EPOCHREALTIME; kill -KILL $recording; echo $launch $start $end
                """
            let run = try PrivateServer.run(kind, script, in: folder)
            let times = run.text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            try #require(run.exitCode == 0 && times.count == 3, "\(run.text) \(run.errorText)")
            for file in Self.files {
                let counts = try accessUnitCounts(folder.path("\(file).m4a"))
                #expect(counts.count == (file == "tracks" ? 2 : 1), "\(file): \(counts)")
                // Decoded audio starts with the priming.
                let lengths = counts.map { Double($0 * 1024 - 2112) / 48_000 }
                #expect(
                    lengths.allSatisfy { $0 > times[2] - times[1] - Self.period - 0.5 && $0 < times[2] - times[0] },
                    "\(file), recording \(index): \(lengths) s, \(times)")
                let check = try ProgramRun(
                    try ProgramRun.require("ffmpeg"), ["-v", "error", "-i", "\(file).m4a", "-f", "null", "-"], folder: folder.url)
                #expect(check.exitCode == 0 && check.errorText.isEmpty, "\(file): \(check.errorText)")
            }
        }
    }

    private func accessUnitCounts(_ path: String) throws -> [Int] {
        let run = try ProgramRun(
            try ProgramRun.require("ffprobe"),
            ["-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", path])
        #expect(run.exitCode == 0, "\(run.errorText)")
        return run.text.split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }
    }
}
