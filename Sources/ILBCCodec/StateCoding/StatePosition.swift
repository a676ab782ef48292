// SPDX-License-Identifier: Apache-2.0

/// The position of the start state in a block (RFC 3951, 3.5.1).
package struct StatePosition: Hashable, Sendable {
    /// The first sample of the two sub-blocks with the start state.
    let blockStart: Int

    /// The scalar-quantised samples of the start state.
    package let samples: Range<Int>

    /// The other 23 or 22 samples of the two sub-blocks.
    let remainder: Range<Int>

    /// Whether the remainder follows the state samples instead of preceding them.
    let isStateFirst: Bool

    /// Creates the position for a frame, whose state block must be valid.
    init(of frame: FrameParameters) {
        self.init(mode: frame.mode, block: frame.stateBlock, isStateFirst: frame.isStateFirst)
    }

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - mode: Determines the length of the state.
    ///   - block: The sub-block pair, counted from 1.
    ///   - isStateFirst: Whether the state is at the beginning of the pair.
    package init(mode: ILBCMode, block: Int, isStateFirst: Bool) {
        blockStart = (block - 1) * ILBCMode.subblockLength
        self.isStateFirst = isStateFirst
        let end = blockStart + ILBCMode.stateBlockLength
        if isStateFirst {
            samples = blockStart..<blockStart + mode.stateLength
            remainder = samples.upperBound..<end
        } else {
            samples = blockStart + mode.stateRemainder..<end
            remainder = blockStart..<samples.lowerBound
        }
    }

    /// The sub-block where the state starts.
    var firstSubblock: Int { samples.lowerBound / ILBCMode.subblockLength }
}
