// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Parametric stereo synthesis: generates the subbands of two channels from the mono signal's (ISO/IEC 14496-3:2009, 8.6.4).
package struct ParametricStereoSynthesis: ~Copyable {
    private var analysis: HybridAnalysis
    private var decorrelator: Decorrelator
    /// The transient reduction of the decorrelated signal.
    private var reducer = TransientReducer()
    private var matrices: StereoMatrices
    private var mixer = StereoMixer()
    /// The hybrid bands of four time slots.
    private var lowBands = FixedArray<ComplexVector>(repeating: .zero, count: 32)
    private var lowDecorrelated = FixedArray<ComplexVector>(repeating: .zero, count: 32)
    /// The powers of stereo bands, then the gains of transient reduction.
    private var gains = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 36)
    private var bands = StereoBands.bands20
    private var frame = StereoEnvelopes()
    /// The next frame's parameters during decoding.
    private var next = StereoEnvelopes()
    /// The number of consecutive frames without parameters.
    private var missingCount = 0
    /// The number of envelopes in the current frame.
    private var envelopeCount = 1
    /// The number of time slots per frame.
    private let qmfSlotCount: Int

    /// The minimum number of rows of four subbands to process.
    ///
    /// The filters below subband 35 may have a signal after the mono signal has ended.
    static var minimumRowCount: Int { 9 }

    /// The number of consecutive frames without parameters after which both channels become identical.
    private static let maximumMissingCount = 10

    /// Creates a synthesis with zeroed history.
    package init(_ layout: SlotLayout) {
        qmfSlotCount = layout.qmfSlotCount
        analysis = HybridAnalysis(qmfSlotCount: qmfSlotCount)
        decorrelator = Decorrelator(qmfSlotCount: qmfSlotCount)
        matrices = StereoMatrices(qmfSlotCount: qmfSlotCount)
    }

    /// Loads the time slots of a frame.
    ///
    /// Call it also while there is only one channel, so that the history is known when stereo starts.
    package mutating func load(_ low: borrowing LowBandSlots) { analysis.load(low) }

    /// Ends a frame of the low band.
    package mutating func advanceAnalysis() { analysis.advance(qmfSlotCount: qmfSlotCount) }

    /// Starts a frame with its parameters.
    ///
    /// If any is out of range, repeats the previous frame's.
    package mutating func begin(_ data: borrowing ParametricStereoData) {
        missingCount = 0
        if next.decode(data, after: frame, qmfSlotCount: qmfSlotCount) {
            swap(&frame, &next)
        } else {
            frame.repeatLast(qmfSlotCount: qmfSlotCount)
            frame.disable(data.header)
        }
        startEnvelopes()
    }

    /// Starts a frame without parameters, repeating the previous frame's.
    mutating func startWithoutData() {
        missingCount += 1
        if missingCount >= Self.maximumMissingCount {
            matrices.startMono()
            envelopeCount = 1
            return
        }
        frame.repeatLast(qmfSlotCount: qmfSlotCount)
        startEnvelopes()
    }

    /// Computes the mixing matrices of a frame.
    private mutating func startEnvelopes() {
        if let newBands = frame.bands, newBands != bands {
            bands = newBands
            matrices.change(to: newBands)
            decorrelator.reset()
            reducer.reset()
        }
        matrices.begin(frame, bands: bands, StereoTables.shared)
        envelopeCount = frame.count
    }

    package mutating func advance() {
        matrices.advance(envelopeCount: envelopeCount)
        decorrelator.advance(qmfSlotCount: qmfSlotCount)
    }

    /// Synthesizes up to four time slots of both channels, one per lane.
    ///
    /// - Parameters:
    ///   - subbands: The 64 QMF subbands of the mono signal. Replaced by the left channel.
    ///   - rowCount: The number of rows of four subbands to process, at least ``minimumRowCount``. Higher subbands of `subbands` must be
    ///     0 in this frame and the previous one.
    ///   - qmfSlot: The first time slot, relative to the start of the frame.
    ///   - qmfSlotCount: The number of time slots, 1 to 4.
    package mutating func synthesize(
        _ subbands: inout MutableSpan<ComplexVector>, right: inout MutableSpan<ComplexVector>, rowCount: Int = 16, qmfSlot: Int,
        qmfSlotCount: Int
    ) {
        let subbandCount = 4 * rowCount
        var low = lowBands.mutableSpan(first: 32)
        analysis.split(qmfSlot, isFine: bands == .bands34, into: &low)
        var lowDecorrelated = lowDecorrelated.mutableSpan(first: 32)
        decorrelator.decorrelate(
            low: low.span, subbands: subbands.span.extracting(0..<subbandCount), bands: bands, qmfSlots: qmfSlot..<qmfSlot + qmfSlotCount,
            intoLow: &lowDecorrelated, into: &right)
        var gains = gains.mutableSpan(first: 36)
        Self.powers(low.span, subbands.span.extracting(0..<subbandCount), bands, into: &gains)
        reducer.reduce(&gains, bandCount: bands.count, qmfSlotCount: qmfSlotCount)
        mixer.set(matrices, gains: gains.span, bands: bands, qmfSlot: qmfSlot)
        mixer.mix(
            low: low.span, lowDecorrelated: lowDecorrelated.span, subbandCount: subbandCount, subbands: &subbands, right: &right)
    }

    /// Computes the power of each stereo band, `P(b, n)`, from the subbands in use.
    private static func powers(
        _ low: Span<ComplexVector>, _ subbands: Span<ComplexVector>, _ bands: StereoBands,
        into powers: inout MutableSpan<SIMD4<Float>>
    ) {
        for band in 0..<36 { powers[band] = SIMD4(repeating: 0) }
        for band in 0..<bands.lowBandCount { powers[bands.stereoBand(ofLowBand: band)] += low[band].energy }
        for band in bands.splitBandCount..<bands.count {
            var sum = powers[band]
            for subband in bands.subbands(ofBand: band).clamped(to: 0..<subbands.count) { sum += subbands[subband].energy }
            powers[band] = sum
        }
    }
}
