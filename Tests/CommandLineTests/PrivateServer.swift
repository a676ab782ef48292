// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Sound servers of one test's own, made by `Scripts/Support/sound-server`.
enum PrivateServer {
    /// The servers to test with.
    ///
    /// A machine that must have them says so, and fails without.
    static let kinds = ["pulseaudio", "pipewire"].filter {
        ProcessInfo.processInfo.environment["LINNET_REQUIRE_SOUND_SERVERS"] != nil || ProgramRun.find($0) != nil
    }

    /// The program that starts and ends them.
    static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts/Support/sound-server")
        .path

    /// Runs shell lines beside a server, in which `$linnet` is the program and `listen` waits until a recording says in a file that it records.
    static func run(_ kind: String, _ lines: String, in folder: TemporaryFolder) throws -> ProgramRun {
        let words = """
            linnet='\(LinnetProgram.path)'; set -e
            listen() { for i in $(seq 600); do grep -q Recording "$1" && return; sleep 0.1; done; return 1; }
            \(lines)
            """
        try words.write(toFile: folder.path("script"), atomically: true, encoding: .utf8)
        // Periods of a sixth of a second: a busy machine misses few.
        return try ProgramRun.shell("LINNET_PIPEWIRE_PERIOD=8192 '\(script)' run \(kind) bash script", folder: folder.url)
    }

    /// Makes up to three recordings, until one is complete: on a busy machine a server or a player sometimes drops audio.
    static func attempt<Recording>(_ record: () throws -> Recording, isWhole: (Recording) -> Bool) rethrows -> Recording {
        for _ in 0..<2 {
            let recording = try record()
            if isWhole(recording) { return recording }
            print("\(Test.current?.name ?? ""): audio is missing; recording again")
        }
        return try record()
    }
}
