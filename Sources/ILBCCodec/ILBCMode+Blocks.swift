// SPDX-License-Identifier: Apache-2.0

@_exported public import enum AudioPrimitives.ILBCMode

extension ILBCMode {
    /// The number of sub-blocks of 40 samples in a block (`NSUB`).
    package var subblockCount: Int { samplesPerFrame / Self.subblockLength }

    /// The number of sets of line spectral frequencies in a frame (`LPC_N`).
    package var lsfSetCount: Int { self == .milliseconds20 ? 1 : 2 }

    /// The number of samples of the start state that are quantised one by one (`STATE_SHORT_LEN`).
    package var stateLength: Int { self == .milliseconds20 ? 57 : 58 }

    /// The number of samples between those of the start state and the end of its two sub-blocks: 23 or 22.
    var stateRemainder: Int { Self.stateBlockLength - stateLength }

    /// The number of segments that the adaptive codebook codes: the remainder of the start state and the other sub-blocks.
    package var segmentCount: Int { subblockCount - 1 }

    /// The number of samples of a sub-block (`SUBL`).
    static let subblockLength = 40

    /// The number of samples of the two sub-blocks with the start state (`STATE_LEN`).
    static let stateBlockLength = 80

    /// The order of the linear prediction (`LPC_FILTERORDER`).
    static let filterOrder = 10
}
