// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The level of a message in the system's journal, with the numbers of syslog.
enum LogLevel: Int {
    case error = 3
    case warning = 4
    case information = 6

    /// The prefix that the journal takes the level of a line from; empty where standard error does not go there.
    var prefix: String { Self.isJournal ? "<\(rawValue)>" : "" }

    /// Whether standard error is the stream that systemd has connected to its journal.
    private static let isJournal: Bool = {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(2, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }()
}
