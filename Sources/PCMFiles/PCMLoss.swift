// SPDX-License-Identifier: Apache-2.0

/// Sample frames of a damaged file that could not be decoded and were replaced with silence.
public struct PCMLoss: Hashable, Sendable {
    /// The number of lost sample frames.
    public private(set) var frameCount = 0
    /// The number of lost parts.
    package private(set) var partCount = 0
    /// The first lost sample frame in the file.
    package private(set) var firstFrame = 0

    /// The lost parts in file order, at most 100.
    package private(set) var parts: [Range<Int>] = []

    /// The maximum number of listed parts.
    package static let partLimit = 100

    /// Creates the empty loss of an intact file.
    package init() {}

    /// Creates a loss without the list of its parts.
    package init(frameCount: Int, partCount: Int, firstFrame: Int) {
        self.frameCount = frameCount
        self.partCount = partCount
        self.firstFrame = firstFrame
    }

    /// Returns the loss with frames counted from `start`.
    func counted(from start: Int) -> PCMLoss {
        var result = self
        result.firstFrame = max(0, firstFrame - start)
        result.parts = parts.map { max(0, $0.lowerBound - start)..<max(0, $0.upperBound - start) }
        return result
    }

    /// Whether the file is intact.
    public var isEmpty: Bool { frameCount == 0 }

    mutating func add(_ count: Int, at frame: Int) {
        if partCount == 0 || frame < firstFrame { firstFrame = frame }
        frameCount += count
        partCount += 1
        if parts.count < Self.partLimit { parts.append(frame..<frame + count) }
    }
}
