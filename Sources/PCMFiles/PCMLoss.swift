// SPDX-License-Identifier: Apache-2.0

/// Sample frames of a damaged file that could not be decoded, in whose place there is silence.
public struct PCMLoss: Hashable, Sendable {
    /// The number of sample frames.
    public private(set) var frameCount = 0
    /// The number of parts of the file that they are in.
    package private(set) var partCount = 0
    /// The first of them, counted from the first frame of the file.
    package private(set) var firstFrame = 0

    /// The frames of each part in the order of the file, at most 100 of them.
    package private(set) var parts: [Range<Int>] = []

    /// The most parts that are listed.
    package static let partLimit = 100

    /// Creates the loss of an intact file.
    package init() {}

    /// Creates a loss of known extent, without the list of its parts.
    package init(frameCount: Int, partCount: Int, firstFrame: Int) {
        self.frameCount = frameCount
        self.partCount = partCount
        self.firstFrame = firstFrame
    }

    /// Returns the loss with frames counted from `start` on.
    func counted(from start: Int) -> PCMLoss {
        var result = self
        result.firstFrame = max(0, firstFrame - start)
        result.parts = parts.map { max(0, $0.lowerBound - start)..<max(0, $0.upperBound - start) }
        return result
    }

    /// Whether nothing is lost.
    public var isEmpty: Bool { frameCount == 0 }

    /// Adds a part.
    mutating func add(_ count: Int, at frame: Int) {
        if partCount == 0 || frame < firstFrame { firstFrame = frame }
        frameCount += count
        partCount += 1
        if parts.count < Self.partLimit { parts.append(frame..<frame + count) }
    }
}
