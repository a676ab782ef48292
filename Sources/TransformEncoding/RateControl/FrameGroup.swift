// SPDX-License-Identifier: Apache-2.0

/// Frames that take an exact number of bits together, and share them: those of a superframe of DAB+, for example.
struct FrameGroup {
    /// The number of frames.
    let frameCount: Int
    /// The bits of all frames, a whole number of bytes.
    let bits: Int
    /// The frames of the current group that are coded.
    private var codedCount = 0
    /// The bits that the others have.
    private(set) var bitsLeft: Int

    /// The share of its mean that each later frame keeps when a frame takes what others have.
    private static let reservedShare = 0.5

    /// Makes a group before its first frame.
    init(frameCount: Int, bits: Int) {
        self.frameCount = frameCount
        self.bits = bits
        bitsLeft = bits
    }

    /// The frames after the next one.
    var laterCount: Int { frameCount - codedCount - 1 }

    /// The most bits that the next frame may take.
    var largestFrame: Int {
        let reserve = Int(Self.reservedShare * Double(bits) / Double(frameCount)) & ~7
        return max(bitsLeft - laterCount * reserve, min(bitsLeft, reserve))
    }

    /// Returns the fewest bits that the next frame may take: the last one takes all that is left.
    ///
    /// - Parameter limit: The most bits of any frame.
    func smallestFrame(limit: Int) -> Int { max(0, bitsLeft - laterCount * (limit & ~7)) }

    /// Accounts for a coded frame.
    mutating func advance(bits taken: Int) {
        codedCount += 1
        bitsLeft -= taken
        guard codedCount == frameCount else { return }
        codedCount = 0
        bitsLeft = bits
    }
}
