// SPDX-License-Identifier: Apache-2.0

/// A stream parser that finds frames in buffered bytes, step by step.
package protocol FramedParser: StreamParser {
    /// The buffered bytes, the pending events and the skipped bytes.
    var progress: StreamProgress { get set }

    /// Consumes a frame, or skips bytes. The window is not empty. Returns `false` if more bytes are needed.
    mutating func step() -> Bool

    /// Reports pending data at the end of the stream.
    mutating func reportRest()
}

extension FramedParser {
    /// The configuration of the latest access unit, or `nil` before the first unit.
    public var configuration: CodecConfiguration? { progress.configuration }

    /// Appends the next bytes of the stream, and traps after ``finish()``.
    public mutating func append(_ bytes: some Collection<UInt8>) { progress.window.append(bytes) }

    /// Marks the end of the stream, which completes the last frames.
    public mutating func finish() { progress.window.finish() }

    /// Returns the next event, or `nil` if more bytes are needed or, after ``finish()``, at the end.
    public mutating func nextEvent() -> ReaderEvent? {
        while progress.events.isEmpty {
            if progress.window.count > 0 {
                guard step() else { return nil }
            } else {
                guard progress.window.isFinished else { return nil }
                reportRest()
                progress.reportLost()
                break
            }
        }
        return progress.events.removeFirst()
    }

    package mutating func reportRest() {}
}
