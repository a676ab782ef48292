// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Private sound servers for a test, started by `Scripts/Support/sound-server`.
enum PrivateServer {
    /// The servers to test with.
    ///
    /// On a machine that must have them, the tests fail without.
    static let kinds = ["pulseaudio", "pipewire"].filter {
        ProcessInfo.processInfo.environment["LINNET_REQUIRE_SOUND_SERVERS"] != nil || ProgramRun.find($0) != nil
    }

    /// The program that starts and ends them.
    static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts/Support/sound-server")
        .path

    /// Runs shell lines with a server.
    ///
    /// `$linnet` is the program, and `listen` waits until a file says that a recording has started.
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

    /// Makes up to three recordings until one is complete: servers and players drop audio on a busy machine.
    static func attempt<Recording>(_ record: () throws -> Recording, isWhole: (Recording) -> Bool) rethrows -> Recording {
        for _ in 0..<2 {
            let recording = try record()
            if isWhole(recording) { return recording }
            print("\(Test.current?.name ?? ""): audio is missing; recording again")
        }
        return try record()
    }
}
