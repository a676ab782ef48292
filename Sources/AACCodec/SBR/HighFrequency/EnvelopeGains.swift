// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Works out what the subbands of an envelope are multiplied with and what is added to them, before smoothing: gain, noise
/// and sine (ISO/IEC 14496-3:2009, 4.6.18.7.5).
///
/// All values are by QMF subband, and 0 outside the high band.
struct EnvelopeGains: ~Copyable {
    /// `G_LimBoost`.
    private(set) var gains: [64 of Float] = .init(repeating: 0)
    /// `Q_MLimBoost`.
    private(set) var noises: [64 of Float] = .init(repeating: 0)
    /// `S_MBoost`.
    private(set) var sines: [64 of Float] = .init(repeating: 0)
    /// The energies of the copied subbands, `E_Curr`: to be set before.
    var current: [64 of Float] = .init(repeating: 0)
    /// `E_OrigMapped`.
    private var target: [64 of Float] = .init(repeating: 0)
    /// `Q_Mapped`.
    private var noise: [64 of Float] = .init(repeating: 0)
    /// 1 where a sine is in the band (`S_Mapped`), 1 where it is in the subband (`S_IndexMapped`).
    private var hasSine: [64 of Float] = .init(repeating: 0)
    private var sine: [64 of Float] = .init(repeating: 0)

    private static let limiterGains: [4 of Float] = [0.707_95, 1, 1.412_54, 1e10]
    private static let maximumGain: Float = 1e5
    private static let maximumBoost: Float = 1.584_893_192

    /// What one envelope of a frame is like.
    struct Envelope {
        /// Its number in the frame.
        var index: Int
        /// The subbands that have a sine, `S_IndexMapped`.
        var sineSubbands: UInt64
        /// Whether it holds a transient, which takes neither noise nor smoothing; `δ` = 0.
        var isTransient: Bool
    }

    /// Makes gains of 0.
    init() {}

    /// Works out the gains of an envelope from ``current``.
    mutating func compute(
        _ envelope: Envelope, of frame: borrowing SBRChannelFrame, header: SBRHeader, tables: borrowing FrequencyBandTables
    ) {
        target = .init(repeating: 0)
        noise = .init(repeating: 0)
        hasSine = .init(repeating: 0)
        sine = .init(repeating: 0)
        let bands = tables.envelopeBands(isHighResolution: frame.isHighResolution(envelope.index))
        for band in 0..<bands.count {
            let (first, end) = (bands[band], bands[band + 1])
            let energy = frame.energies[envelope.index * SBRChannelData.maximumBandCount + band]
            for subband in first..<end { target[subband] = energy }
            if envelope.sineSubbands & Self.mask(first, end) != 0 {
                for subband in first..<end {
                    hasSine[subband] = 1
                    if envelope.sineSubbands >> UInt64(subband) & 1 != 0 { sine[subband] = 1 }
                }
            }
            if !header.interpolatesFrequency { average(first, end) }
        }
        let floor = frame.boundaries.noiseFloor(of: envelope.index) * SBRChannelData.maximumNoiseBandCount
        for band in 0..<tables.noise.count {
            for subband in tables.noise[band]..<tables.noise[band + 1] { noise[subband] = frame.noises[floor + band] }
        }
        setLevels(isTransient: envelope.isTransient)
        for band in 0..<tables.limiter.count {
            limit(
                tables.limiter[band]..<tables.limiter[band + 1], maximum: Self.limiterGains[header.limiterGains & 3],
                isTransient: envelope.isTransient)
        }
    }

    private static func mask(_ first: Int, _ end: Int) -> UInt64 {
        ((1 << UInt64(end - first)) &- 1) << UInt64(first)
    }

    private mutating func average(_ first: Int, _ end: Int) {
        var sum: Float = 0
        for subband in first..<end { sum += current[subband] }
        let mean = sum / Float(end - first)
        for subband in first..<end { current[subband] = mean }
    }

    /// Gain, noise and sine of each subband as if there were no limit.
    private mutating func setLevels(isTransient: Bool) {
        let one = SIMD4<Float>(repeating: 1)
        let target = target.span
        let noise = noise.span
        let hasSine = hasSine.span
        let sine = sine.span
        let current = current.span
        var gains = gains.mutableSpan
        var noises = noises.mutableSpan
        var sines = sines.mutableSpan
        for subband in stride(from: 0, to: 64, by: 4) {
            let share = one / (one + noise.vector(at: subband))
            let noiseShare = noise.vector(at: subband) * share
            let energy = target.vector(at: subband)
            let isMarked = hasSine.vector(at: subband)
            let factor = isMarked * noiseShare + (one - isMarked) * (isTransient ? one : share)
            gains.store((energy / (one + current.vector(at: subband)) * factor).squareRoots, at: subband)
            noises.store((energy * noiseShare).squareRoots, at: subband)
            sines.store(sine.vector(at: subband) * (energy * share).squareRoots, at: subband)
        }
    }

    /// Keeps the gains of a limiter band below a common limit and makes up for the energy lost.
    private mutating func limit(_ subbands: Range<Int>, maximum: Float, isTransient: Bool) {
        let tiny: Float = 1e-12
        var targetSum = tiny
        var currentSum = tiny
        for subband in subbands {
            targetSum += target[subband]
            currentSum += current[subband]
        }
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
        let boost = min((targetSum / sum).squareRoot(), Self.maximumBoost)
        for subband in subbands {
            gains[subband] *= boost
            noises[subband] *= boost
            sines[subband] *= boost
        }
    }
}
