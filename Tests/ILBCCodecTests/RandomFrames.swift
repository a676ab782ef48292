// SPDX-License-Identifier: Apache-2.0

import ILBCCodec
import TestSupport

/// Random frames.
enum RandomFrames {
    /// Returns random parameters with a valid start state position and no empty frame indicator.
    static func valid(mode: ILBCMode, random: inout SeededRandom) -> FrameParameters {
        var frame = FrameParameters(mode: mode)
        for (index, allocation) in BitAllocation.table(of: mode).enumerated() {
            frame.values[index] = UInt8(Int.random(in: 0..<1 << allocation.bitCount, using: &random))
        }
        frame.stateBlock = Int.random(in: 1..<mode.subblockCount, using: &random)
        frame.isEmpty = false
        return frame
    }

    /// Returns a frame of random bytes.
    static func bytes(mode: ILBCMode, random: inout SeededRandom) -> [UInt8] {
        (0..<mode.bytesPerFrame).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}
