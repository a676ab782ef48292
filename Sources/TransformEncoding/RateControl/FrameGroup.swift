// SPDX-License-Identifier: Apache-2.0

/// Frames that share an exact total number of bits, such as a DAB+ superframe.
struct FrameGroup {
    let frameCount: Int
    /// The bits of all frames, a whole number of bytes.
    let bits: Int
    private var codedCount = 0
    private(set) var bitsLeft: Int

    /// The fraction of its mean that each later frame keeps when a frame needs more bits.
    private static let reservedFraction = 0.5

    init(frameCount: Int, bits: Int) {
        self.frameCount = frameCount
        self.bits = bits
        bitsLeft = bits
    }

    var laterCount: Int { frameCount - codedCount - 1 }

    var maximumFrameBitCount: Int {
        let reserve = Int(Self.reservedFraction * Double(bits) / Double(frameCount)) & ~7
        return max(bitsLeft - laterCount * reserve, min(bitsLeft, reserve))
    }

    /// Returns the minimum bits for the next frame.
    ///
    /// The last frame takes all remaining bits.
    ///
    /// - Parameter limit: The maximum bits of any frame.
    func minimumFrameBitCount(limit: Int) -> Int { max(0, bitsLeft - laterCount * (limit & ~7)) }

    mutating func advance(bits taken: Int) {
        codedCount += 1
        bitsLeft -= taken
        guard codedCount == frameCount else { return }
        codedCount = 0
        bitsLeft = bits
    }
}
