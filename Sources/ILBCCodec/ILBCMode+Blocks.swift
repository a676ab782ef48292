// SPDX-License-Identifier: Apache-2.0

@_exported public import enum AudioPrimitives.ILBCMode

extension ILBCMode {
    /// The number of sub-blocks of 40 samples per block (`NSUB`).
    package var subblockCount: Int { samplesPerFrame / Self.subblockLength }

    /// The number of sets of line spectral frequencies per frame (`LPC_N`).
    package var lsfSetCount: Int { self == .milliseconds20 ? 1 : 2 }

    /// The number of scalar-quantised start state samples (`STATE_SHORT_LEN`).
    package var stateLength: Int { self == .milliseconds20 ? 57 : 58 }

    /// The number of other samples in the start state's two sub-blocks: 23 or 22.
    var stateRemainder: Int { Self.stateBlockLength - stateLength }

    /// The number of segments coded with the adaptive codebook: the remaining samples of the start state's sub-blocks, and the other
    /// sub-blocks.
    package var segmentCount: Int { subblockCount - 1 }

    /// The number of samples per sub-block (`SUBL`).
    static let subblockLength = 40

    /// The number of samples in the two sub-blocks with the start state (`STATE_LEN`).
    static let stateBlockLength = 80

    /// The linear prediction order (`LPC_FILTERORDER`).
    static let filterOrder = 10
}
