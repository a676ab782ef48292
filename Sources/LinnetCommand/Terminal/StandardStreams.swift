// SPDX-License-Identifier: Apache-2.0

import AudioFiles
internal import PCMFiles
import Synchronization
import SystemFiles
internal import SystemLibrary

private func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
}

/// Standard output for text.
enum StandardOutput {
    static var isTerminal: Bool { isatty(1) == 1 }

    /// The columns of the terminal, if it is one.
    static var columnCount: Int? { isTerminal ? terminalSize(1)?.columns : nil }

    /// Whether a path leads to standard output: `-`, `/dev/stdout`, or the pipe or file to which it is redirected.
    ///
    /// The null device does not count.
    static func isDestination(_ path: String) -> Bool {
        if path == "-" { return true }
        guard let output = try? OpenFile.standardOutput.status(), let file = try? FileStatus(of: path) else { return false }
        return file.identity == output.identity && file.identity != (try? FileStatus(of: "/dev/null"))?.identity
    }

    /// Writes a line.
    ///
    /// Throws ``AudioFileError`` on failure, for example if the reader of a pipe has ended.
    static func print(_ line: String) throws(AudioFileError) {
        try OutputFile(path: "-").write(Array((line + "\n").utf8))
    }
}

/// Standard error, for messages and progress.
enum StandardError {
    static var isTerminal: Bool { isatty(2) == 1 }

    /// The columns of the terminal; 80 if unknown.
    static var columnCount: Int { terminalSize(2)?.columns ?? 80 }

    /// The rows of the terminal; 24 if unknown.
    static var rowCount: Int { terminalSize(2)?.rows ?? 24 }

    /// Whether standard error is a terminal that moves its cursor, so that a status can be redrawn.
    static var canRedraw: Bool { isTerminal && getenv("TERM").map { PathName.decoding($0) } != "dumb" }

    /// Whether to use colours: on a terminal unless `NO_COLOR` is set and not empty.
    static var usesColor: Bool { canRedraw && getenv("TERM") != nil && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true) }

    /// Writes text, ignoring failures.
    static func write(_ text: String) {
        var bytes = ArraySlice(text.utf8)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { rest in rest.baseAddress.map { SystemLibrary.write(2, $0, rest.count) } ?? 0 }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Writes a message on a line after the program's name.
    ///
    /// File names in it can contain any character.
    static func complain(_ message: String, _ level: LogLevel = .error) {
        write("\(level.prefix)linnet: \(Format.line(message))\n")
    }

    /// Writes a note, unless ``hideNotes()`` was called.
    static func note(_ text: String) {
        if !areNotesHidden.load(ordering: .relaxed) { complain("note: \(text)", .information) }
    }

    /// Hides the notes of all parts of the program, for `--quiet`.
    static func hideNotes() { areNotesHidden.store(true, ordering: .relaxed) }

    private static let areNotesHidden = Atomic(false)

    static func inform(_ line: String) { write("\(LogLevel.information.prefix)\(line)\n") }
}
