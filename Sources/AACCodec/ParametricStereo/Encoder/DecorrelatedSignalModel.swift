// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
package import TransformCoding

/// A model of the decoder's decorrelated signal: measures its energy and its correlation with the downmix in each stereo band (ISO/IEC
/// 14496-3:2009, 8.6.4.5).
///
/// For a tone, the decorrelated signal is a tone with a constant phase offset. Mixing it in raises one channel and lowers the other. The
/// encoder uses the measured correlation to compensate for that.
package struct DecorrelatedSignalModel: ~Copyable {
    private var decorrelator: Decorrelator
    #if !hasFeature(Embedded) || LINNET_USAC
    /// The decorrelator of MPEG Surround, which replaces the other one if used.
    private var surround: SurroundModel?
    #endif
    /// The decoder's transient reduction.
    private var reducer = TransientReducer()
    /// The hybrid bands of four time slots.
    private var low = FixedArray<ComplexVector>(repeating: .zero, count: 32)
    /// The decorrelated hybrid bands of four time slots.
    private var lowDecorrelated = FixedArray<ComplexVector>(repeating: .zero, count: 32)
    /// The gains of transient reduction, by stereo band.
    private var gains = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 36)
    /// The downmix energies of four time slots, one per lane, by stereo band.
    package private(set) var mono = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: StereoStatistics.bandCount)
    /// The energies of the decorrelated signal in the same layout.
    package private(set) var decorrelated = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: StereoStatistics.bandCount)
    /// The products of both signals in the same layout.
    package private(set) var cross = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: StereoStatistics.bandCount)

    private static let bands = StereoBands.bands20

    /// The first stereo band that is not measured.
    ///
    /// There, the decorrelated signal is assumed to have the energy of the downmix and no correlation with it.
    let bandLimit: Int

    /// The limit in fast mode: tones above 4 kHz are rare.
    static let fastBandLimit = 18

    /// Creates a model with zeroed history.
    ///
    /// - Parameters:
    ///   - qmfSlotCount: The maximum number of time slots per frame.
    ///   - bandLimit: The number of measured stereo bands.
    ///   - isSurround: Whether the decoder is that of MPEG Surround 2-1-2.
    package init(qmfSlotCount: Int, bandLimit: Int, isSurround: Bool = false) {
        self.bandLimit = bandLimit
        #if !hasFeature(Embedded) || LINNET_USAC
        if isSurround { surround = SurroundModel() }
        #endif
        decorrelator = Decorrelator(
            qmfSlotCount: qmfSlotCount, subbandCount: StereoBands.bands20.subbands(ofBand: bandLimit - 1).upperBound)
    }

    mutating func reset() {
        decorrelator.reset()
        reducer.reset()
        #if !hasFeature(Embedded) || LINNET_USAC
        surround?.reset()
        #endif
    }

    /// Sets the energies of a band at or above ``bandLimit``.
    mutating func setEnergies(_ energies: SIMD4<Float>, ofBand band: Int) {
        mono[band] = energies
        decorrelated[band] = energies
    }

    /// Sets a hybrid band of the next four time slots.
    mutating func setLowBand(_ part: Int, _ value: ComplexVector) { low[part] = value }

    /// Measures four time slots.
    ///
    /// - Parameters:
    ///   - subbands: The 64 QMF subbands of the downmix.
    ///   - work: Workspace of the same size.
    ///   - qmfSlot: The first time slot, relative to the start of the frame.
    package mutating func measure(_ subbands: Span<ComplexVector>, work: inout MutableSpan<ComplexVector>, qmfSlot: Int) {
        var target = lowDecorrelated.mutableSpan
        #if !hasFeature(Embedded) || LINNET_USAC
        if surround != nil {
            surround?.decorrelate(low: low.span, subbands: subbands, intoLow: &target, into: &work)
            return sum(subbands.extracting(0..<64), work.span.extracting(0..<64))
        }
        #endif
        decorrelator.decorrelate(
            low: low.span, subbands: subbands, bands: .bands20, qmfSlots: qmfSlot..<qmfSlot + 4, intoLow: &target, into: &work)
        sum(subbands.extracting(0..<64), work.span.extracting(0..<64))
        reduceTransients()
    }

    /// Sums the energies and products of all bands.
    ///
    /// - Parameters:
    ///   - subbands: The 64 QMF subbands of the downmix.
    ///   - others: The QMF subbands of the decorrelated signal.
    private mutating func sum(_ subbands: Span<ComplexVector>, _ others: Span<ComplexVector>) {
        var mono = mono.mutableSpan(first: StereoStatistics.bandCount)
        var decorrelated = decorrelated.mutableSpan(first: StereoStatistics.bandCount)
        var cross = cross.mutableSpan(first: StereoStatistics.bandCount)
        for band in 0..<Self.bands.splitBandCount {
            (mono[band], decorrelated[band], cross[band]) = (SIMD4(repeating: 0), SIMD4(repeating: 0), SIMD4(repeating: 0))
        }
        let (low, lowDecorrelated) = (low.span(first: 32), lowDecorrelated.span(first: 32))
        for part in 0..<Self.bands.lowBandCount {
            let band = Self.bands.stereoBand(ofLowBand: part)
            mono[band] += low[part].energy
            decorrelated[band] += lowDecorrelated[part].energy
            cross[band] += low[part].innerProduct(lowDecorrelated[part])
        }
        for band in Self.bands.splitBandCount..<bandLimit {
            var sums = Sums()
            for subband in StereoBands.bands20.subbands(ofBand: band) { sums.add(subbands[subband], others[subband]) }
            (mono[band], decorrelated[band], cross[band]) = (sums.mono, sums.decorrelated, sums.cross)
        }
    }

    /// Stores the measured energies and products of four time slots starting at `qmfSlot`.
    func store(into statistics: inout StereoStatistics, qmfSlot: Int) {
        statistics.store(.mono, mono.span, qmfSlot: qmfSlot)
        statistics.store(.decorrelated, decorrelated.span, qmfSlot: qmfSlot)
        statistics.store(.cross, cross.span, qmfSlot: qmfSlot)
    }

    /// The energies and the product of downmix and decorrelated signal in a band.
    private struct Sums {
        var mono = SIMD4<Float>(repeating: 0)
        var decorrelated = SIMD4<Float>(repeating: 0)
        /// The real part of the downmix times the conjugate of the decorrelated signal.
        var cross = SIMD4<Float>(repeating: 0)

        /// Adds a subband of both signals.
        @inline(__always)
        mutating func add(_ value: ComplexVector, _ other: ComplexVector) {
            mono += value.energy
            decorrelated += other.energy
            cross += value.innerProduct(other)
        }
    }

    /// Attenuates the decorrelated signal after attacks, as the decoder does.
    private mutating func reduceTransients() {
        let mono = mono.span(first: StereoStatistics.bandCount)
        var gains = gains.mutableSpan(first: 36)
        for band in 0..<StereoStatistics.bandCount { gains[band] = mono[band] }
        reducer.reduce(&gains, bandCount: StereoStatistics.bandCount, qmfSlotCount: 4)
        var decorrelated = decorrelated.mutableSpan(first: StereoStatistics.bandCount)
        var cross = cross.mutableSpan(first: StereoStatistics.bandCount)
        for band in 0..<StereoStatistics.bandCount {
            decorrelated[band] *= gains[band] * gains[band]
            cross[band] *= gains[band]
        }
    }

    package mutating func advance(qmfSlotCount: Int) { decorrelator.advance(qmfSlotCount: qmfSlotCount) }
}

#if !hasFeature(Embedded) || LINNET_USAC
extension DecorrelatedSignalModel {
    /// The decorrelator of MPEG Surround 2-1-2, for four time slots at a time (ISO/IEC 23003-1, 6.6).
    private struct SurroundModel: ~Copyable {
        private var decorrelator = SurroundDecorrelator(
            hybridBandsOf: MPEGSurround212Config(), qmfSlotCount: 4)
        private var signal = SurroundSignal(qmfSlotCount: 4)
        private var result = SurroundSignal(qmfSlotCount: 4)

        mutating func reset() { decorrelator.reset() }

        /// Decorrelates hybrid bands and the QMF subbands above them.
        mutating func decorrelate(
            low: Span<ComplexVector>, subbands: Span<ComplexVector>, intoLow: inout MutableSpan<ComplexVector>,
            into others: inout MutableSpan<ComplexVector>
        ) {
            let lowCount = bands.lowBandCount
            for part in 0..<lowCount { signal.store(low[part], band: part, qmfSlot: 0) }
            for subband in bands.splitSubbandCount..<64 {
                signal.store(subbands[subband], band: lowCount - bands.splitSubbandCount + subband, qmfSlot: 0)
            }
            decorrelator.decorrelate(signal, transients: 0, into: &result)
            for part in 0..<lowCount { intoLow[part] = result.load(band: part, qmfSlot: 0) }
            for subband in bands.splitSubbandCount..<64 {
                others[subband] = result.load(band: lowCount - bands.splitSubbandCount + subband, qmfSlot: 0)
            }
        }
    }
}
#endif
