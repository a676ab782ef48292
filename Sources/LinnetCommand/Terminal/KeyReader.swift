// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Single keys from the terminal, without waiting for a line; the terminal is as before when this goes.
final class KeyReader {
    private var original = termios()
    /// What was typed and not asked for yet.
    private var pending: ArraySlice<UInt8> = []

    /// Nil where standard input is no terminal.
    init?() {
        // In the background a change of the terminal would stop the program.
        guard isatty(0) == 1, tcgetpgrp(0) == getpgrp(), tcgetattr(0, &original) == 0 else { return nil }
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(0, TCSANOW, &raw) == 0 else { return nil }
    }

    deinit { restore() }

    /// Puts the terminal back.
    func restore() { tcsetattr(0, TCSANOW, &original) }

    /// The key that was pressed, or nil after `milliseconds` without one.
    ///
    /// Arrow keys come as `<` and `>`.
    func next(within milliseconds: Int32) -> Character? {
        if pending.isEmpty {
            var question = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            guard poll(&question, 1, milliseconds) > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(0, &bytes, bytes.count)
            guard count > 0 else { return nil }
            pending = bytes[..<count]
        }
        guard let first = pending.popFirst() else { return nil }
        guard first == 27, pending.first == UInt8(ascii: "["), pending.count >= 2 else { return Character(UnicodeScalar(first)) }
        let code = pending[pending.startIndex + 1]
        pending = pending.dropFirst(2)
        return code == UInt8(ascii: "C") ? ">" : code == UInt8(ascii: "D") ? "<" : nil
    }
}
