// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The level of a message in the system journal (syslog numbers).
enum LogLevel: Int {
    case error = 3
    case warning = 4
    case information = 6

    /// The prefix that sets the level of a line in the journal; empty if standard error goes elsewhere.
    var prefix: String { Self.isJournal ? "<\(rawValue)>" : "" }

    /// Whether systemd connected standard error to its journal.
    private static let isJournal: Bool = {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(2, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }()
}
