// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The filter bank of the encoded profile: MDCT with block switching, or a low delay filter bank.
///
/// Small builds, for browsers and bare metal, omit the latter.
struct EncoderFilterBank: ~Copyable {
    /// The filter bank of all profiles except AAC-ELD.
    private var common: FilterBank?

    #if !hasFeature(Embedded) || LINNET_LOW_DELAY
    private var lowDelay: LowDelayFilterBank?
    #endif

    /// Computes the tables of a profile.
    ///
    /// - Parameters:
    ///   - frameLength: The number of lines of a long window.
    ///   - blockLength: The number of samples per block; twice `frameLength` if AAC-ELD halves the sample rate.
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
    ///   - input: Consecutive samples, at ±32768: two blocks, or 15/4 of a block in AAC-ELD.
    ///   - sequence: The window sequence; ignored if the profile has only long windows.
    ///   - previousShape: The shape of the rising half, from the channel's previous block.
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

    /// Computes the samples that one block completes, like a decoder.
    ///
    /// Not supported for AAC-ELD.
    mutating func synthesize(
        _ coefficients: Span<Float>, sequence: WindowSequence, shape: WindowShape, state: inout OverlapState,
        into output: inout MutableSpan<Float>
    ) {
        common?.synthesize(coefficients, sequence: sequence, shape: shape, state: &state, into: &output)
    }

    /// Stores the windowed second half of the previous synthesized block in `overlap`, one block.
    func copyOverlap(of state: borrowing OverlapState, into overlap: inout MutableSpan<Float>) {
        common?.copyOverlap(of: state, into: &overlap)
    }
}
