// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The input of one channel: the core's samples and the QMF subbands.
package struct SBRChannelInput: ~Copyable {
    private var core: FixedArray<Float>
    /// The SBR analysis.
    package var encoder: SBRChannelEncoder

    /// The decimator to the core sample rate; `nil` in low delay SBR.
    private var decimator: HalfBandDecimator?
    /// The analysis filter bank; `nil` in single-rate low delay SBR.
    private var bank: QMFAnalysis64?
    /// The analysis filter bank of single-rate low delay SBR, with the lower half of the subbands; otherwise `nil`.
    private var lowBank: LowBandBank?
    private var qmfSlots: SubbandSlots
    private let layout: SlotLayout
    /// Whether only one QMF slot per time slot is analyzed.
    private let isHalved: Bool
    private let frameLength: Int
    /// The delay of the subbands in samples, excluding frames of look-ahead.
    private let delay: Int
    /// The number of retained samples of the previous block.
    private let historyCount: Int
    /// The last ``historyCount`` samples of the previous block, then the current block.
    private var samples: FixedArray<Float>

    /// The delay of the subbands in samples, excluding one frame of look-ahead.
    ///
    /// The core's delay is two frames and 64 samples, the decoder adjusts envelopes six QMF slots after its analysis, and the decimator's
    /// delay is part of the padding. Another 415 samples align the QMF slots of encoder and decoder.
    private static let usualDelay = 415
    /// The number of retained samples of the previous block, except in low delay SBR.
    private static let defaultHistoryCount = 432

    /// Creates an input with silent history.
    package init(_ tuning: SBRTuning) {
        layout = tuning.layout
        encoder = SBRChannelEncoder(tuning)
        qmfSlots = SubbandSlots(layout)
        isHalved = tuning.qmfSlotsPerTimeSlot < layout.qmfSlotsPerTimeSlot
        frameLength = tuning.isDownsampled ? layout.coreFrameLength : 2 * layout.coreFrameLength
        core = FixedArray(repeating: 0, count: layout.isLowDelay ? 0 : layout.coreFrameLength)
        if layout.isLowDelay {
            // The core's delay, which aligns the QMF slots of encoder and decoder.
            delay = frameLength / 2
            historyCount = delay
        } else {
            delay = Self.usualDelay
            historyCount = Self.defaultHistoryCount
            decimator = HalfBandDecimator(blockLength: layout.coreFrameLength)
        }
        if layout.isLowDelay, tuning.isDownsampled {
            lowBank = LowBandBank(layout)
        } else {
            bank = QMFAnalysis64(layout)
        }
        samples = FixedArray(repeating: 0, count: historyCount + frameLength)
    }

    /// Appends a frame of samples and calls `body` with the core's samples.
    package mutating func append(_ input: Span<Float>, isSubbandNeeded: Bool, _ body: (Span<Float>) -> Void) {
        if layout.isLowDelay {
            // At dual rate, the core's filter bank halves the sample rate.
            body(input)
        } else {
            do {
                var target = core.mutableSpan
                decimator?.decimate(input, into: &target)
            }
            body(core.span)
        }
        guard isSubbandNeeded else { return }
        samples.copy(input.extracting(0..<frameLength), to: historyCount)
        let first = historyCount - delay
        if isHalved {
            // The only QMF slot of a time slot is centred between the usual two.
            bank?.analyzeHalf(samples.span.extracting(first + 32..<first + 32 + frameLength), into: &qmfSlots)
        } else {
            bank?.analyze(samples.span.extracting(first..<first + frameLength), into: &qmfSlots)
            if layout.isLowDelay { lowBank?.analyze(samples.span.extracting(first..<first + frameLength), into: &qmfSlots) }
        }
        encoder.append(qmfSlots)
        samples.copy(frameLength..<frameLength + historyCount, to: 0)
    }

    /// The decoder's analysis filter bank of 32 subbands, with output of 64 subbands whose upper half is silent.
    private struct LowBandBank: ~Copyable {
        private var bank: QMFAnalysis
        private var qmfSlots: LowBandSlots

        /// Creates a filter bank with silent history.
        init(_ layout: SlotLayout) {
            bank = QMFAnalysis(layout)
            qmfSlots = LowBandSlots(layout)
        }

        mutating func analyze(_ samples: Span<Float>, into output: inout SubbandSlots) {
            bank.analyze(samples, bandCount: QMFAnalysis.bandCount, into: &qmfSlots)
            output.copyFrame(of: qmfSlots)
        }
    }
}
