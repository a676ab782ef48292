// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The input of one channel: its samples for the core, and its subbands.
package struct SBRChannelInput: ~Copyable {
    /// The samples for the core.
    private var core: FixedArray<Float>
    /// The analysis of the subbands.
    package var encoder: SBRChannelEncoder

    /// The decimator to the core's sample rate; `nil` in low delay SBR.
    private var decimator: HalfBandDecimator?
    /// The analysis filter bank; `nil` in low delay SBR at the core's rate.
    private var bank: QMFAnalysis64?
    /// The analysis filter bank of low delay SBR at the core's rate, which has the lower half of the subbands; `nil` elsewhere.
    private var lowBank: LowBandBank?
    /// The columns of the current block.
    private var columns: SubbandColumns
    /// The time slots of a frame.
    private let layout: SlotLayout
    /// Whether only one column of each time slot is analysed.
    private let isHalved: Bool
    /// The samples of a frame.
    private let frameLength: Int
    /// The delay of the subbands in samples, besides the frames of look-ahead.
    private let delay: Int
    /// The samples kept of the previous block.
    private let past: Int
    /// The last ``past`` samples of the previous block, then those of the current one.
    private var samples: FixedArray<Float>

    /// The delay of the subbands in samples, besides one frame of look-ahead.
    ///
    /// The delay of the core is two frames and 64 samples, a decoder's adjustment is six columns behind its analysis, and the decimator's
    /// delay is part of the padding. 415 samples more align the columns of encoder and decoder.
    private static let usualDelay = 415
    /// Samples kept of the previous block.
    private static let usualPast = 432

    /// Makes an input with a silent past.
    package init(_ tuning: SBRTuning) {
        layout = tuning.layout
        encoder = SBRChannelEncoder(tuning)
        columns = SubbandColumns(layout)
        isHalved = tuning.isHalved
        frameLength = tuning.isDownsampled ? layout.coreFrameLength : 2 * layout.coreFrameLength
        core = FixedArray(repeating: 0, count: layout.isLowDelay ? 0 : layout.coreFrameLength)
        if layout.isLowDelay {
            // That of the core, so that the columns of encoder and decoder are aligned.
            delay = frameLength / 2
            past = delay
        } else {
            delay = Self.usualDelay
            past = Self.usualPast
            decimator = HalfBandDecimator(blockLength: layout.coreFrameLength)
        }
        if layout.isLowDelay, tuning.isDownsampled {
            lowBank = LowBandBank(layout)
        } else {
            bank = QMFAnalysis64(layout)
        }
        samples = FixedArray(repeating: 0, count: past + frameLength)
    }

    /// Appends a frame of samples, and passes the samples for the core to `body`.
    package mutating func append(_ input: Span<Float>, isSubbandNeeded: Bool, _ body: (Span<Float>) -> Void) {
        if layout.isLowDelay {
            // The core's filter bank halves the sample rate, if it is halved.
            body(input)
        } else {
            do {
                var target = core.mutableSpan
                decimator?.decimate(input, into: &target)
            }
            body(core.span)
        }
        guard isSubbandNeeded else { return }
        samples.copy(input.extracting(0..<frameLength), to: past)
        let first = past - delay
        if isHalved {
            // The one column of a time slot is centred between its two.
            bank?.analyzeHalf(samples.span.extracting(first + 32..<first + 32 + frameLength), into: &columns)
        } else {
            bank?.analyze(samples.span.extracting(first..<first + frameLength), into: &columns)
            if layout.isLowDelay { lowBank?.analyze(samples.span.extracting(first..<first + frameLength), into: &columns) }
        }
        encoder.append(columns)
        samples.copy(frameLength..<frameLength + past, to: 0)
    }

    /// The analysis filter bank of 32 subbands that a decoder has, with columns of 64 subbands of which the upper half is silent.
    private struct LowBandBank: ~Copyable {
        private var bank: QMFAnalysis
        private var columns: LowBandColumns

        /// Makes a filter bank with a silent past.
        init(_ layout: SlotLayout) {
            bank = QMFAnalysis(layout)
            columns = LowBandColumns(layout)
        }

        /// Analyses the samples of a frame.
        mutating func analyze(_ samples: Span<Float>, into output: inout SubbandColumns) {
            bank.analyze(samples, bandCount: QMFAnalysis.bandCount, into: &columns)
            output.copyFrame(of: columns)
        }
    }
}
