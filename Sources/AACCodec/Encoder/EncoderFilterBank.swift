// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The filter bank of the profile that is encoded: with block switching, or one of those with low delay.
///
/// Small builds, for browsers and bare metal, leave the latter out.
struct EncoderFilterBank: ~Copyable {
    /// The filter bank of all profiles but AAC-ELD, there `nil`.
    private var common: FilterBank?

    #if !hasFeature(Embedded) || LINNET_LOW_DELAY
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
        if profile == .enhancedLowDelay {
            lowDelay = LowDelayFilterBank(frameLength: frameLength, halvesSampleRate: blockLength > frameLength)
        } else {
            common = FilterBank(frameLength: frameLength, hasLowOverlap: profile == .lowDelay)
        }
        #else
        common = FilterBank(frameLength: frameLength)
        #endif
    }

    /// Computes the coefficients of one block of one channel.
    ///
    /// - Parameters:
    ///   - input: Consecutive samples, at ±32768: two blocks, in AAC-ELD 15/4 of a block.
    ///   - sequence: The window sequence of this block; a long window where there are no others.
    ///   - previousShape: The shape of the rising half: that of the channel's previous block.
    ///   - shape: The shape of the falling half.
    ///   - coefficients: Receives one block.
    mutating func analyze(
        _ input: Span<Float>, sequence: WindowSequence, previousShape: WindowShape, shape: WindowShape,
        into coefficients: inout MutableSpan<Float>
    ) {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        lowDelay?.analyze(input, into: &coefficients)
        #endif
        let sequence = common?.hasShortBlocks == false ? .onlyLong : sequence
        common?.analyze(input, sequence: sequence, previousShape: previousShape, shape: shape, into: &coefficients)
    }

    /// Computes the samples that one block completes, as a decoder does; not in AAC-ELD.
    mutating func synthesize(
        _ coefficients: Span<Float>, sequence: WindowSequence, shape: WindowShape, state: inout OverlapState,
        into output: inout MutableSpan<Float>
    ) {
        common?.synthesize(coefficients, sequence: sequence, shape: shape, state: &state, into: &output)
    }
}
