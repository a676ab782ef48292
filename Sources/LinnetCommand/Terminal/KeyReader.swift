// SPDX-License-Identifier: Apache-2.0

import Synchronization
internal import SystemLibrary

/// A reader of single keys from the terminal, which it restores on deallocation.
final class KeyReader {
    /// The terminal's settings to restore; `nil` without a reader.
    private static let original = Mutex<termios?>(nil)
    /// Bytes read and not yet returned.
    private var pending: ArraySlice<UInt8> = []

    /// Switches the terminal to single keys.
    ///
    /// Fails if standard input is not a terminal or the program is in the background.
    init?() {
        // The system stops a background program that changes the terminal.
        var settings = termios()
        guard isatty(0) == 1, Self.isInForeground, tcgetattr(0, &settings) == 0 else { return nil }
        Self.original.withLock { [settings] in $0 = settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(0, TCSANOW, &settings) == 0 else { return nil }
    }

    deinit { Self.restore() }

    private static var isInForeground: Bool { tcgetpgrp(0) == getpgrp() }

    /// Restores the terminal, on any thread.
    ///
    /// Does nothing without a reader or in the background.
    static func restore() {
        original.withLock { original in
            guard var settings = original, isInForeground else { return }
            tcsetattr(0, TCSANOW, &settings)
            original = nil
        }
    }

    /// Returns the next key, or `nil` after `milliseconds` without one.
    ///
    /// The left and right arrow keys are returned as `<` and `>`.
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
