// SPDX-License-Identifier: Apache-2.0

/// The present stage of a command on the last line of the terminal, where the length of the work is not known before.
struct StageLine {
    private let isShown: Bool

    /// Makes a line that is shown if standard error is a terminal, and the command's options do not hide it.
    init(isHidden: Bool) { isShown = StandardError.isTerminal && !isHidden }

    /// Shows a stage in place of the one before.
    func show(_ stage: String) {
        guard isShown else { return }
        StandardError.write("\r\(Self.text(stage, columnCount: StandardError.columnCount))\u{1B}[K")
    }

    /// Removes the line from the screen, before other text is written.
    func clear() { if isShown { StandardError.write("\r\u{1B}[K") } }

    /// Returns a stage as one line that leaves the last column free.
    static func text(_ stage: String, columnCount: Int) -> String { String(Format.line(stage).prefix(max(0, columnCount - 1))) }
}
