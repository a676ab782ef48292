// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Standard output for text.
enum StandardOutput {
    /// Whether a person sees it.
    static var isTerminal: Bool { isatty(1) == 1 }

    /// Writes a line; throws ``OutputError`` when that fails, as when the reader of a pipe has gone.
    static func print(_ line: String) throws(OutputError) {
        try OutputFile(path: "-").write(Array((line + "\n").utf8))
    }
}

/// Standard error, for what is said beside the result.
enum StandardError {
    /// Whether a person sees it.
    static var isTerminal: Bool { isatty(2) == 1 }

    /// Columns of the terminal; 80 if it does not say.
    static var columnCount: Int {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes text as it is; nobody is told if that fails.
    static func write(_ text: String) {
        var bytes = ArraySlice(text.utf8)
        while !bytes.isEmpty {
            #if canImport(Glibc)
            let count = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
            #else
            let count = bytes.withUnsafeBytes { Darwin.write(2, $0.baseAddress, $0.count) }
            #endif
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Writes a line that begins with the program's name.
    static func complain(_ message: String) { write("linnet: \(message)\n") }
}
