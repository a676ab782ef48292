// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// A file sink that can be repeated for the next file of a recording.
protocol RepeatableFileSink: GrowingSink, DiscardableSink, MarkableSink {
    var path: String { get }
    /// Whether the path has conversions for the start time; see ``FileNamePattern``.
    var isPattern: Bool { get }
    /// Whether to replace existing files.
    var overwrites: Bool { get }

    /// Returns a sink with the same settings and another path.
    func withPath(_ path: String) -> Self

    func begin(_ format: RecordingFormat) throws
}

extension RepeatableFileSink {
    /// Whether the recording continues in other files: not for standard output, pipes and devices.
    var isRepeatable: Bool { path != "-" && (try? FileStatus(of: path))?.kind != .stream }
}
