// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Synchronization

/// A program that runs in parallel with the tests.
///
/// Foundation's Process detects the end of a program only after all programs that it started have ended, and a server never ends.
public final class ChildProcess: Sendable {
    /// The process identifier.
    public let identifier: pid_t
    private let ended = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// Its output goes to the file `output` or is discarded.
    public init(_ program: String, _ arguments: [String], output: String = "/dev/null") throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // The library's threads block signals, and a child process inherits the mask.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var identifier = pid_t()
        let code = posix_spawn(&identifier, program, &actions, &attributes, words, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        self.identifier = identifier
    }

    /// The exit status; `nil` while the program runs.
    public var status: Int32? { ended.withLock { take(&$0, options: WNOHANG) } }

    /// Whether all threads are waiting.
    public var isIdle: Bool {
        let threads = "/proc/\(identifier)/task"
        guard let numbers = try? FileManager.default.contentsOfDirectory(atPath: threads), !numbers.isEmpty else { return false }
        return numbers.allSatisfy { number in
            let status = try? String(contentsOfFile: "\(threads)/\(number)/status", encoding: .utf8)
            return status?.contains("\nState:\tS") ?? false
        }
    }

    /// Waits for the end.
    ///
    /// Returns the exit status, or 128 + the number of the terminating signal.
    public func waitUntilExit() -> Int32 { ended.withLock { take(&$0, options: 0) } ?? -1 }

    /// Sends a signal if the program is running.
    public func send(_ signal: Int32) {
        if status == nil { _ = Foundation.kill(identifier, signal) }
    }

    /// Kills the program and waits for its end.
    public func kill() {
        send(SIGKILL)
        _ = waitUntilExit()
    }

    /// Reaps the exit status, if available.
    private func take(_ ended: inout Int32?, options: Int32) -> Int32? {
        if ended == nil {
            var status: Int32 = 0
            if waitpid(identifier, &status, options) == identifier {
                ended = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            }
        }
        return ended
    }
}

/// Runs programs to completion.
public enum Shell {
    /// Runs a program.
    ///
    /// Returns its status and output.
    public static func run(_ program: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        try run(program, arguments)
    }

    /// Runs a program.
    ///
    /// Returns its status and output.
    public static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let output = FileManager.default.temporaryDirectory.appending(path: "linnet-" + UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let status = try ChildProcess(program, arguments, output: output).waitUntilExit()
        return (status, (try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
    }
}
