// SPDX-License-Identifier: Apache-2.0

/// The place of the start state in a block (RFC 3951 3.5.1).
package struct StatePosition: Hashable, Sendable {
    /// The first of the 80 samples of the two sub-blocks with the start state.
    let blockStart: Int

    /// The samples of the start state that are quantised one by one.
    package let samples: Range<Int>

    /// The other 23 or 22 samples of the two sub-blocks.
    let remainder: Range<Int>

    /// Whether the remainder stands after the samples of the state, not before.
    let isStateFirst: Bool

    /// Creates the position that a frame gives, whose number of the pair of sub-blocks is valid.
    init(of frame: FrameParameters) {
        self.init(mode: frame.mode, block: frame.stateBlock, isStateFirst: frame.isStateFirst)
    }

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - mode: The mode, which sets the length of the state.
    ///   - block: The number of the pair of sub-blocks, from 1.
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

    /// The number of the sub-block where the state begins.
    var firstSubblock: Int { samples.lowerBound / ILBCMode.subblockLength }
}
