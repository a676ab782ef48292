// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// The filter bank of AAC-LD in both directions: an ``MDCT`` of one length, with sine or low overlap windows (ISO/IEC 14496-3:2009, 4.6.11
/// and 4.6.17).
///
/// It holds tables and workspace, no history. Samples are at ±32768, coefficients at the scale of the bitstream, so that synthesis inverts
/// analysis. As in ``FilterBank`` the rising half of a window has the shape of the block before. Where other object types have the
/// Kaiser-Bessel derived window, the second shape, this one has low overlap: a sine slope of N/4 samples amid zeros and ones.
package struct LowOverlapFilterBank: ~Copyable {
    /// N, the samples of a block: 512 or 480.
    package let frameLength: Int
    /// The transform.
    private var transform: MDCT
    /// The rising halves of the sine window, then of the slope of low overlap.
    private var windows: FixedArray<Float>
    /// One folded block, between window and transform.
    private var folded: FixedArray<Float>

    /// Computes the tables.
    ///
    /// - Parameter frameLength: 512 or 480.
    package init(frameLength: Int) {
        self.frameLength = frameLength
        transform = MDCT(frameLength)
        windows = FixedArray(repeating: 0, count: frameLength + frameLength / 4)
        folded = FixedArray(repeating: 0, count: frameLength)
        var table = windows.mutableSpan
        Windows.fillSine(&table, 0..<frameLength)
        Windows.fillSine(&table, frameLength..<frameLength + frameLength / 4)
    }

    /// Returns the range of the slope of a shape in ``windows``.
    private func windowRange(_ shape: WindowShape) -> Range<Int> {
        shape == .sine ? 0..<frameLength : frameLength..<frameLength + frameLength / 4
    }

    /// Computes the coefficients of one block of one channel.
    ///
    /// - Parameters:
    ///   - input: Two blocks of consecutive samples, at ±32768.
    ///   - previousShape: The shape of the rising half: that of the channel's previous block.
    ///   - shape: The shape of the falling half.
    ///   - coefficients: Receives one block.
    package mutating func analyze(
        _ input: Span<Float>, previousShape: WindowShape, shape: WindowShape, into coefficients: inout MutableSpan<Float>
    ) {
        precondition(input.count == 2 * frameLength && coefficients.count == frameLength)
        let (rising, falling) = (windowRange(previousShape), windowRange(shape))
        do {
            var target = folded.mutableSpan
            FilterBank.foldRising(input, windows.span.extracting(rising), into: &target)
            FilterBank.foldFalling(input, windows.span.extracting(falling), into: &target)
        }
        transform.forward(folded.span, into: &coefficients, at: 0)
    }

    /// Computes the samples, at ±32768, that one block completes, and keeps its other half in `state`.
    ///
    /// - Parameters:
    ///   - coefficients: One block.
    ///   - shape: The window shape of this block.
    ///   - state: The channel's history, updated with this block.
    ///   - output: Receives one block.
    package mutating func synthesize(
        _ coefficients: Span<Float>, shape: WindowShape, state: inout OverlapState, into output: inout MutableSpan<Float>
    ) {
        precondition(coefficients.count == frameLength && output.count == frameLength)
        let (rising, falling) = (windowRange(state.previousShape), windowRange(shape))
        state.previousShape = shape
        do {
            var target = folded.mutableSpan
            transform.inverse(coefficients, into: &target)
        }
        FilterBank.addRising(folded.span, windows.span.extracting(rising), state.samples.span, into: &output, at: 0)
        var overlap = state.samples.mutableSpan
        FilterBank.storeFalling(folded.span, windows.span.extracting(falling), into: &overlap)
    }
}
