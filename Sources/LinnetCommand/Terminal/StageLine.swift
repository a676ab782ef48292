// SPDX-License-Identifier: Apache-2.0

/// The current stage of a command on the last line of the terminal, for work of unknown length.
struct StageLine {
    private let isShown: Bool

    /// Creates a line, shown on terminals unless options hide it.
    init(isHidden: Bool) { isShown = StandardError.isTerminal && !isHidden }

    func show(_ stage: String) {
        guard isShown else { return }
        StandardError.write("\r\(Self.text(stage, columnCount: StandardError.columnCount))\u{1B}[K")
    }

    /// Erases the line before other text is written.
    func clear() { if isShown { StandardError.write("\r\u{1B}[K") } }

    /// Returns a stage as one line that leaves the last column empty.
    static func text(_ stage: String, columnCount: Int) -> String { String(Format.line(stage).prefix(max(0, columnCount - 1))) }
}
