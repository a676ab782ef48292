// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// The filter bank of the profile that is encoded: with block switching, or one of those with low delay.
///
/// Small builds, for browsers and bare metal, leave the latter out.
struct EncoderFilterBank: ~Copyable {
    /// The filter bank with block switching; `nil` in AAC-LD and AAC-ELD.
    private var blockSwitching: FilterBank?

    #if !hasFeature(Embedded) || LINNET_LOW_DELAY
    /// The filter bank of AAC-LD; `nil` in other profiles.
    private var lowOverlap: LowOverlapFilterBank?

    /// The filter bank of AAC-ELD; `nil` in other profiles.
    private var lowDelay: LowDelayFilterBank?
    #endif

    /// Computes the tables of a profile.
    ///
    /// - Parameters:
    ///   - frameLength: The lines of a long window.
    ///   - blockLength: The samples of a block; twice as many where AAC-ELD halves the sample rate.
    init(_ profile: AACProfile, frameLength: Int, blockLength: Int) {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        switch profile {
        case .lowDelay: lowOverlap = LowOverlapFilterBank(frameLength: frameLength)
        case .enhancedLowDelay: lowDelay = LowDelayFilterBank(frameLength: frameLength, halvesSampleRate: blockLength > frameLength)
        default: blockSwitching = FilterBank(frameLength: frameLength)
        }
        #else
        blockSwitching = FilterBank(frameLength: frameLength)
        #endif
    }

    /// Computes the coefficients of one block of one channel.
    ///
    /// - Parameters:
    ///   - input: Consecutive samples, at ±32768: two blocks, in AAC-ELD 15/4 of a block.
    ///   - sequence: The window sequence of this block.
    ///   - previousShape: The shape of the rising half: that of the channel's previous block.
    ///   - shape: The shape of the falling half.
    ///   - coefficients: Receives one block.
    mutating func analyze(
        _ input: Span<Float>, sequence: WindowSequence, previousShape: WindowShape, shape: WindowShape,
        into coefficients: inout MutableSpan<Float>
    ) {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        lowOverlap?.analyze(input, previousShape: previousShape, shape: shape, into: &coefficients)
        lowDelay?.analyze(input, into: &coefficients)
        #endif
        blockSwitching?.analyze(input, sequence: sequence, previousShape: previousShape, shape: shape, into: &coefficients)
    }

    /// Computes the samples that one block completes, as a decoder does; only with block switching.
    mutating func synthesize(
        _ coefficients: Span<Float>, sequence: WindowSequence, shape: WindowShape, state: inout OverlapState,
        into output: inout MutableSpan<Float>
    ) {
        blockSwitching?.synthesize(coefficients, sequence: sequence, shape: shape, state: &state, into: &output)
    }
}
