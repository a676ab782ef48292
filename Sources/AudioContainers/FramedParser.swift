// SPDX-License-Identifier: Apache-2.0

/// A parser that finds frames in the bytes that have come, step by step; all that conform have the methods below.
package protocol FramedParser: StreamParser {
    /// The bytes that have come, the events and the skipped bytes.
    var progress: StreamProgress { get set }

    /// Advances by a frame or by bytes that are none, of which there is at least one; returns false if that needs more bytes.
    mutating func step() -> Bool

    /// Reports what waits for more bytes, of which no more come.
    mutating func reportRest()
}

extension FramedParser {
    /// The configuration of the latest access unit; nil before the first one.
    public var configuration: CodecConfiguration? { progress.configuration }

    /// Appends the next bytes of the stream; traps after ``finish()``.
    public mutating func append(_ bytes: some Collection<UInt8>) { progress.window.append(bytes) }

    /// Ends the stream, so that the last frames can be found.
    public mutating func finish() { progress.window.finish() }

    /// Returns the next event; nil if more bytes are needed or, after ``finish()``, at the end.
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
        return progress.events.takeFirst()
    }

    /// Does nothing.
    package mutating func reportRest() {}
}
