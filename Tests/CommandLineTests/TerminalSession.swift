// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport

/// A shell script on a pseudo-terminal, created by `script`, with access to keys and screen.
///
/// At its end the screen shows exit status and terminal state.
final class TerminalSession: @unchecked Sendable {
    private let process = Process()
    private let keyboard = Pipe()
    private let output = Pipe()
    private let screen = Mutex<[UInt8]>([])
    private let reader = DispatchGroup()

    /// Starts a shell script, in which `linnet` is the program.
    init(_ line: String, folder: TemporaryFolder) throws {
        let words = "linnet() { '\(LinnetProgram.path)' \"$@\"; }; " + line + "; echo status=$?; stty -a"
        try words.write(toFile: folder.path("session"), atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: try ProgramRun.require("script"))
        process.arguments = ["-qec", "bash session", "/dev/null"]
        process.currentDirectoryURL = folder.url
        process.standardInput = keyboard
        process.standardOutput = output
        process.standardError = output
        try process.run()
        DispatchQueue(label: "terminal").async(group: reader) { [self] in
            while true {
                let bytes = output.fileHandleForReading.availableData
                if bytes.isEmpty { return }
                screen.withLock { $0 += bytes }
            }
        }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// The number of bytes written to the terminal so far.
    var mark: Int { screen.withLock { $0.count } }

    /// Returns the text written to the terminal after a mark, with control characters.
    func text(after mark: Int = 0) -> String { screen.withLock { String(decoding: $0[min(mark, $0.count)...], as: UTF8.self) } }

    /// Presses keys.
    func press(_ keys: String) { try? keyboard.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

    /// Waits until a pattern is on the screen after a mark.
    func shows(_ pattern: some RegexComponent, after mark: Int, seconds: Double = 20) -> Bool {
        let end = Date.now.addingTimeInterval(seconds)
        while Date.now < end {
            if text(after: mark).contains(pattern) { return true }
            Thread.sleep(forTimeInterval: 0.03)
        }
        return false
    }

    /// Waits for the end.
    ///
    /// Returns whether the script succeeded and left the terminal with echo and line input.
    func endsWell(after mark: Int) -> Bool {
        guard shows(/status=0\r\n/, after: mark), shows(#/ icanon /#, after: mark), shows(#/ echo /#, after: mark) else { return false }
        process.waitUntilExit()
        reader.wait()
        return true
    }
}
