// SPDX-License-Identifier: Apache-2.0

/// The value of `--split`.
enum SplitRule: Hashable {
    case chapters
    /// The seconds per file.
    case interval(Double)
    /// The maximum file size, in bytes.
    case byteCount(Int)
    case silence

    static let option = CommandOption(
        "split", value: "RULE",
        "write several files without gaps: one per TIME (600, 10m, 1:00:00), per SIZE (25M, 1G), per chapter (chapters) or between pauses (silence)"
    )

    /// The shortest file, in seconds: longer than any access unit.
    private static let shortestInterval = 0.2
    private static let smallestByteCount = 65_536

    static func rule(_ arguments: ParsedArguments) throws(CommandFailure) -> SplitRule? {
        guard let text = arguments.text("split") else { return nil }
        if text == "chapters" { return .chapters }
        if text == "silence" { return .silence }
        if let seconds = TimeRange.seconds(text) {
            guard (shortestInterval...1e9).contains(seconds) else {
                throw arguments.failure("invalid --split value '\(text)'; use at least \(shortestInterval) seconds")
            }
            return .interval(seconds)
        }
        guard let last = text.last, !last.isNumber, let count = ByteSize.parse(text) else {
            throw arguments.failure("invalid --split value '\(text)'; use a time like 10m, a size like 25M, chapters or silence")
        }
        guard count >= smallestByteCount else { throw arguments.failure("invalid --split value '\(text)'; use at least 64K") }
        return .byteCount(count)
    }
}
