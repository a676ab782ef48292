// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What the subbands of one envelope are multiplied with and what is added to them, before smoothing: gain, noise and
/// sine (ISO/IEC 14496-3:2009, 4.6.18.7.5).
struct EnvelopeGains {
    /// `G_LimBoost`.
    private(set) var gains = SubbandValues()
    /// `Q_MLimBoost`.
    private(set) var noises = SubbandValues()
    /// `S_MBoost`.
    private(set) var sines = SubbandValues()

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

    /// Works out the levels of an envelope.
    ///
    /// - Parameter current: The energies of the copied subbands, `E_Curr`, before averaging over bands.
    init(
        _ envelope: Envelope, of frame: borrowing SBRChannelFrame, current: consuming SubbandValues, header: SBRHeader,
        tables: borrowing FrequencyBandTables
    ) {
        var target = SubbandValues()
        var noise = SubbandValues()
        var hasSine = SubbandValues()
        var sine = SubbandValues()
        let isHigh = frame.isHighResolution(envelope.index)
        let bands = tables.envelopeBands(isHighResolution: isHigh)
        for band in 0..<bands.count {
            let (first, end) = (bands[band], bands[band + 1])
            let energy = frame.energies[envelope.index * SBRChannelData.maximumBandCount + band]
            let marked = envelope.sineSubbands & Self.mask(first, end)
            for subband in first..<end { target[subband] = energy }
            if marked != 0 {
                for subband in first..<end { hasSine[subband] = 1 }
                for subband in first..<end where marked >> UInt64(subband) & 1 != 0 { sine[subband] = 1 }
            }
            if !header.interpolatesFrequency { Self.average(&current, first, end) }
        }
        let floor = frame.borders.noiseFloor(of: envelope.index) * SBRChannelData.maximumNoiseBandCount
        for band in 0..<tables.noise.count {
            for subband in tables.noise[band]..<tables.noise[band + 1] { noise[subband] = frame.noises[floor + band] }
        }
        setLevels(
            target: target, noise: noise, hasSine: hasSine, sine: sine, current: current, isTransient: envelope.isTransient)
        for band in 0..<tables.limiter.count {
            limit(
                tables.limiter[band]..<tables.limiter[band + 1], target: target, current: current,
                maximum: Self.limiterGains[header.limiterGains & 3], isTransient: envelope.isTransient)
        }
    }

    private static func mask(_ first: Int, _ end: Int) -> UInt64 {
        ((1 << UInt64(end - first)) &- 1) << UInt64(first)
    }

    private static func average(_ values: inout SubbandValues, _ first: Int, _ end: Int) {
        var sum: Float = 0
        for subband in first..<end { sum += values[subband] }
        let mean = sum / Float(end - first)
        for subband in first..<end { values[subband] = mean }
    }

    /// Gain, noise and sine of each subband as if there were no limit.
    private mutating func setLevels(
        target: borrowing SubbandValues, noise: borrowing SubbandValues, hasSine: borrowing SubbandValues,
        sine: borrowing SubbandValues, current: borrowing SubbandValues, isTransient: Bool
    ) {
        let one = SIMD4<Float>(repeating: 1)
        for row in 0..<16 {
            let share = one / (one + noise.rows[row])
            let noiseShare = noise.rows[row] * share
            let energy = target.rows[row]
            let withSine = hasSine.rows[row] * noiseShare
            let withoutSine = (one - hasSine.rows[row]) * (isTransient ? one : share)
            gains.rows[row] = (energy / (one + current.rows[row]) * (withSine + withoutSine)).squareRoots
            noises.rows[row] = (energy * noiseShare).squareRoots
            sines.rows[row] = sine.rows[row] * (energy * share).squareRoots
        }
    }

    /// Keeps the gains of a limiter band below a common limit and makes up for the energy lost.
    private mutating func limit(
        _ subbands: Range<Int>, target: borrowing SubbandValues, current: borrowing SubbandValues, maximum: Float,
        isTransient: Bool
    ) {
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
