// SPDX-License-Identifier: Apache-2.0

/// The gains of an envelope and the levels of added noise and sinusoids, before smoothing.
///
/// All values are by QMF subband, and 0 outside the high band. The standard's symbols are in code font (ISO/IEC 14496-3:2009,
/// 4.6.18.7.2, 4.6.18.7.4 and 4.6.18.7.5).
package struct EnvelopeGains: ~Copyable {
    /// `G_LimBoost`: the gains.
    package private(set) var gains = FixedArray<Float>(repeating: 0, count: 64)
    /// `Q_MLimBoost`: the noise levels.
    package private(set) var noises = FixedArray<Float>(repeating: 0, count: 64)
    /// `S_MBoost`: the sinusoid levels.
    package private(set) var sines = FixedArray<Float>(repeating: 0, count: 64)
    /// `E_Curr`: the energies of the generated subbands, set by the caller.
    package var current = FixedArray<Float>(repeating: 0, count: 64)
    /// `E_OrigMapped`.
    private var target = FixedArray<Float>(repeating: 0, count: 64)
    /// `Q_Mapped`.
    private var noise = FixedArray<Float>(repeating: 0, count: 64)
    /// `S_Mapped`: 1 in all subbands of bands with a sinusoid.
    private var hasSine = FixedArray<Float>(repeating: 0, count: 64)
    /// `S_IndexMapped`: 1 in subbands with a sinusoid.
    private var sine = FixedArray<Float>(repeating: 0, count: 64)

    /// `limGain` by `bs_limiter_gains`.
    private static let limiterGains = SIMD4<Float>(0.707_95, 1, 1.412_54, 1e10)
    /// The maximum of `G_Max`.
    private static let maximumGain: Float = 1e5
    /// The maximum of `G_Boost`.
    private static let maximumBoost: Float = 1.584_893_192

    /// The parameters of one envelope of a frame.
    package struct Envelope {
        var index: Int
        /// `S_IndexMapped`: bit k is set if subband k has a sinusoid.
        var sineSubbands: UInt64
        /// `δ` = 0: whether the envelope has a transient, which disables noise and smoothing.
        var isTransient: Bool

        package init(index: Int, sineSubbands: UInt64, isTransient: Bool) {
            self.index = index
            self.sineSubbands = sineSubbands
            self.isTransient = isTransient
        }
    }

    /// Creates gains of 0.
    package init() {}

    /// Computes the gains and levels of an envelope from ``current``.
    package mutating func compute(
        _ envelope: Envelope, of frame: borrowing SBRChannelFrame, header: SBRHeader, tables: borrowing FrequencyBandTables
    ) {
        mapEnvelope(envelope, of: frame, tables: tables)
        if !header.interpolatesFrequency {
            let bands = tables.envelopeBands(isHighResolution: frame.isHighResolution(envelope.index))
            for band in 0..<bands.count { average(bands[band], bands[band + 1]) }
        }
        mapNoise(envelope, of: frame, noiseBands: tables.noise)
        setLevels(isTransient: envelope.isTransient, header: header, limiterBands: tables.limiter)
    }

    /// Computes the gains and levels of a time slot from ``current``, in predictive vector coding (ISO/IEC 23003-3, 7.5.6).
    ///
    /// - Parameters:
    ///   - energies: `E_OrigMapped` of 64 subbands.
    ///   - noiseLevels: `Q_Orig` of the noise bands.
    ///   - sineSubbands: `S_IndexMapped`: bit k is set if subband k has a sinusoid.
    mutating func compute(
        energies: Span<Float>, noiseLevels: SIMD8<Float>, sineSubbands: UInt64, header: SBRHeader, tables: borrowing FrequencyBandTables
    ) {
        target.fill(0)
        hasSine.fill(0)
        sine.fill(0)
        noise.fill(0)
        for band in 0..<tables.low.count {
            let (first, end) = (tables.low[band], tables.low[band + 1])
            let isMarked = sineSubbands & Self.mask(first, end) != 0
            for subband in first..<end {
                target[subband] = energies[subband]
                if isMarked { hasSine[subband] = 1 }
                if sineSubbands >> UInt64(subband) & 1 != 0 { sine[subband] = 1 }
            }
            if !header.interpolatesFrequency { average(first, end) }
        }
        for band in 0..<tables.noise.count {
            for subband in tables.noise[band]..<tables.noise[band + 1] { noise[subband] = noiseLevels[band] }
        }
        setLevels(isTransient: false, header: header, limiterBands: tables.limiter)
    }

    /// Computes gains and levels from the mapped values, per limiter band.
    private mutating func setLevels(isTransient: Bool, header: SBRHeader, limiterBands: BandBoundaries) {
        setLevels(isTransient: isTransient)
        let maximum = Self.limiterGains[header.limiterGains & 3]
        for band in 0..<limiterBands.count {
            limit(limiterBands[band]..<limiterBands[band + 1], maximum: maximum, isTransient: isTransient)
        }
    }

    /// Maps energies and sinusoids to subbands: `E_OrigMapped`, `S_Mapped` and `S_IndexMapped` (4.6.18.7.2).
    private mutating func mapEnvelope(_ envelope: Envelope, of frame: borrowing SBRChannelFrame, tables: borrowing FrequencyBandTables) {
        target.fill(0)
        hasSine.fill(0)
        sine.fill(0)
        var target = target.mutableSpan(first: 64)
        var hasSine = hasSine.mutableSpan(first: 64)
        var sine = sine.mutableSpan(first: 64)
        let bands = tables.envelopeBands(isHighResolution: frame.isHighResolution(envelope.index))
        let energies = frame.energies.span
        for band in 0..<bands.count {
            let (first, end) = (bands[band], bands[band + 1])
            let energy = energies[envelope.index * SBRChannelData.maximumBandCount + band]
            for subband in first..<end { target[subband] = energy }
            if envelope.sineSubbands & Self.mask(first, end) != 0 {
                for subband in first..<end {
                    hasSine[subband] = 1
                    if envelope.sineSubbands >> UInt64(subband) & 1 != 0 { sine[subband] = 1 }
                }
            }
        }
    }

    /// Maps the noise floor to subbands: `Q_Mapped`.
    private mutating func mapNoise(_ envelope: Envelope, of frame: borrowing SBRChannelFrame, noiseBands: BandBoundaries) {
        noise.fill(0)
        var noise = noise.mutableSpan(first: 64)
        let floor = frame.boundaries.noiseFloor(of: envelope.index) * SBRChannelData.maximumNoiseBandCount
        for band in 0..<noiseBands.count {
            let level = frame.noises[floor + band]
            for subband in noiseBands[band]..<noiseBands[band + 1] { noise[subband] = level }
        }
    }

    /// Returns a mask of the subbands from `first` to `end` - 1.
    private static func mask(_ first: Int, _ end: Int) -> UInt64 {
        ((1 << UInt64(end - first)) &- 1) << UInt64(first)
    }

    /// Replaces `E_Curr` of a band's subbands with its mean, for headers without frequency interpolation (4.6.18.7.3).
    private mutating func average(_ first: Int, _ end: Int) {
        var sum: Float = 0
        for subband in first..<end { sum += current[subband] }
        let mean = sum / Float(end - first)
        for subband in first..<end { current[subband] = mean }
    }

    /// Computes the noise and sinusoid levels (4.6.18.7.4) and the unlimited gain (4.6.18.7.5) of each subband.
    ///
    ///     Q_M = sqrt(E_OrigMapped · Q_Mapped / (1 + Q_Mapped))
    ///     S_M = sqrt(E_OrigMapped · S_IndexMapped / (1 + Q_Mapped))
    ///     G   = sqrt(E_OrigMapped / ((ε + E_Curr) (1 + δ Q_Mapped)))                    if S_Mapped = 0
    ///     G   = sqrt(E_OrigMapped · Q_Mapped / ((ε + E_Curr) (1 + Q_Mapped)))           if S_Mapped = 1
    ///
    /// with ε = 1.
    private mutating func setLevels(isTransient: Bool) {
        let one = SIMD4<Float>(repeating: 1)
        let target = target.span(first: 64)
        let noise = noise.span(first: 64)
        let hasSine = hasSine.span(first: 64)
        let sine = sine.span(first: 64)
        let current = current.span(first: 64)
        var gains = gains.mutableSpan(first: 64)
        var noises = noises.mutableSpan(first: 64)
        var sines = sines.mutableSpan(first: 64)
        for subband in stride(from: 0, to: 64, by: 4) {
            // 1 / (1 + Q_Mapped) and Q_Mapped / (1 + Q_Mapped): the fractions of signal and noise.
            let share = one / (one + noise.vector(at: subband))
            let noiseFraction = noise.vector(at: subband) * share
            let energy = target.vector(at: subband)
            let isMarked = hasSine.vector(at: subband)
            let factor = isMarked * noiseFraction + (one - isMarked) * (isTransient ? one : share)
            gains.store((energy / (one + current.vector(at: subband)) * factor).squareRoots, at: subband)
            noises.store((energy * noiseFraction).squareRoots, at: subband)
            sines.store(sine.vector(at: subband) * (energy * share).squareRoots, at: subband)
        }
    }

    /// Limits the gains of a limiter band and compensates for the lost energy (4.6.18.7.5).
    ///
    ///     G_Max       = min(limGain · sqrt((ε0 + Σ E_OrigMapped) / (ε0 + Σ E_Curr)), 1e5)
    ///     G_Lim       = min(G, G_Max)
    ///     Q_MLim      = min(Q_M, Q_M · G_Max / G)
    ///     G_Boost     = min(sqrt((ε0 + Σ E_OrigMapped) / (ε0 + Σ (E_Curr · G_Lim² + S_M² + [S_M = 0 and δ = 1] Q_MLim²))), 1.584893192)
    ///
    /// with ε0 = 1e-12 and sums over the limiter band's subbands. Gains, noise and sinusoids are multiplied by G_Boost.
    private mutating func limit(_ subbands: Range<Int>, maximum: Float, isTransient: Bool) {
        let (target, current) = (target.span(first: 64), current.span(first: 64))
        var gains = gains.mutableSpan(first: 64)
        var noises = noises.mutableSpan(first: 64)
        var sines = sines.mutableSpan(first: 64)
        let tiny: Float = 1e-12
        var targetSum = tiny
        var currentSum = tiny
        for subband in subbands {
            targetSum += target[subband]
            currentSum += current[subband]
        }
        // G_Max.
        let limit = min(maximum * (targetSum / currentSum).squareRoot(), Self.maximumGain)

        var sum = tiny
        for subband in subbands {
            let gain = gains[subband]
            if gain > limit {
                gains[subband] = limit
                noises[subband] *= limit / gain
            }
            let limited = gains[subband]
            sum += current[subband] * limited * limited
            let sine = sines[subband]
            if sine != 0 {
                sum += sine * sine
            } else if !isTransient {
                sum += noises[subband] * noises[subband]
            }
        }
        // G_Boost.
        let boost = min((targetSum / sum).squareRoot(), Self.maximumBoost)
        for subband in subbands {
            gains[subband] *= boost
            noises[subband] *= boost
            sines[subband] *= boost
        }
    }
}
