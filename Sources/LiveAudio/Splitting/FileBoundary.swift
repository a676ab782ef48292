// SPDX-License-Identifier: Apache-2.0

/// The start of a file.
package struct FileBoundary: Hashable, Sendable {
    /// The first sample frame of the file, counted from the start of the recording.
    package var frame: Int
    /// The capture time of that frame, in seconds since 1970.
    package var time: Double
}

/// The boundaries that a sink has not reached yet.
struct FileBoundaryQueue {
    private var waiting: [FileBoundary] = []
    /// All boundaries before this frame are known.
    private(set) var decidedFrame = 0

    var first: FileBoundary? { waiting.first }

    mutating func append(_ boundaries: [FileBoundary], decidedFrame: Int) {
        waiting += boundaries
        self.decidedFrame = max(self.decidedFrame, decidedFrame)
    }

    mutating func removeFirst() -> FileBoundary { waiting.removeFirst() }
}
