// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Backward-adaptive prediction of each line from the two previous frames (Main object type; ISO/IEC 14496-3:2009, 4.6.6).
///
/// Each line has a predictor: a two-stage lattice whose coefficients adapt to the signal. Encoder and decoder must compute identical
/// numbers, so the standard truncates the state to the upper 16 bits of single precision.
struct MainPrediction: ~Copyable {
    private struct Predictor {
        /// Delayed values, r0 and r1.
        var delays: SIMD2<Float> = .zero
        /// Correlations, COR1 and COR2.
        var correlations: SIMD2<Float> = .zero
        /// Variances, VAR1 and VAR2.
        var variances = SIMD2<Float>(1, 1)
    }

    /// One predictor per line and channel.
    private var predictors: FixedArray<Predictor>

    /// The number of predictors per channel: the lines of the widest set of predicted bands.
    private static let lineCapacity = 704

    /// The adaptation constant of the statistics, α.
    private static let adaptation: Float = 0.90625
    /// The attenuation of the delayed values, a, and of the coefficients, b.
    private static let attenuation: Float = 0.953125

    init(channelCount: Int) {
        predictors = FixedArray(repeating: Predictor(), count: channelCount * Self.lineCapacity)
    }

    /// Adds the prediction to the lines of a long frame where it is used, and adapts all predictors.
    ///
    /// Resets the predictors of noise bands.
    mutating func synthesize(
        _ stream: borrowing IndividualChannelStream, bands: ScaleFactorBands, channel: Int, in spectrum: inout MutableSpan<Float>
    ) {
        let (data, maxSFB) = (stream.info.mainPrediction, stream.info.maxSFB)
        let (codebooks, offsets) = (stream.codebooks.span, bands.longOffsets.span)
        var predictors = predictors.mutableSpan
        let first = channel &* Self.lineCapacity
        let bandLimit = min(Int(MainPredictionData.bandLimits[bands.samplingFrequencyIndex]), bands.longCount)
        for band in 0..<bandLimit {
            let isUsed = band < maxSFB && (data?.usedBands ?? 0) >> UInt64(band) & 1 != 0
            for line in Int(offsets[band])..<min(Int(offsets[band &+ 1]), Self.lineCapacity) {
                if band < maxSFB && codebooks[band] == BandCodebook.noise {
                    // Noise is not predictable.
                    predictors[first &+ line] = Predictor()
                } else {
                    spectrum[line] = Self.advance(&predictors[first &+ line], by: spectrum[line], isUsed: isUsed)
                }
            }
        }
        if let group = data?.resetGroup, group > 0 { reset(group: Int(group), channel: channel) }
    }

    /// Resets every thirtieth predictor, starting with the group's first.
    private mutating func reset(group: Int, channel: Int) {
        for line in stride(from: group - 1, to: Self.lineCapacity, by: MainPredictionData.resetGroupCount) {
            predictors[channel * Self.lineCapacity + line] = Predictor()
        }
    }

    /// Resets all predictors of a channel, as required for short windows.
    mutating func reset(channel: Int) {
        for line in 0..<Self.lineCapacity {
            predictors[channel * Self.lineCapacity + line] = Predictor()
        }
    }

    /// Returns the line reconstructed from the sent value, and adapts the predictor (ISO/IEC 14496-3:2009, 4.6.6.3).
    private static func advance(_ predictor: inout Predictor, by sent: Float, isUsed: Bool) -> Float {
        let (r, correlation, variance) = (predictor.delays, predictor.correlations, predictor.variances)
        let k1 = variance.x > 1 ? correlation.x * roundedToEven(attenuation / variance.x) : 0
        let k2 = variance.y > 1 ? correlation.y * roundedToEven(attenuation / variance.y) : 0
        let line = isUsed ? sent + roundedAway(k1 * r.x + k2 * r.y) : sent
        // An extreme value would make the state useless for all later frames.
        guard abs(line) < 0x1p35 else {
            predictor = Predictor()
            return sent
        }
        let error = line - k1 * r.x
        predictor.variances.x = truncated(adaptation * variance.x + 0.5 * (r.x * r.x + line * line))
        predictor.correlations.x = truncated(adaptation * correlation.x + r.x * line)
        predictor.variances.y = truncated(adaptation * variance.y + 0.5 * (r.y * r.y + error * error))
        predictor.correlations.y = truncated(adaptation * correlation.y + r.y * error)
        predictor.delays.y = truncated(attenuation * (r.x - k1 * line))
        predictor.delays.x = truncated(attenuation * line)
        return line
    }

    /// Truncates to the upper 16 bits.
    private static func truncated(_ value: Float) -> Float { Float(bitPattern: value.bitPattern & 0xFFFF_0000) }

    /// Rounds to 16 bits, ties away from zero.
    private static func roundedAway(_ value: Float) -> Float { Float(bitPattern: (value.bitPattern &+ 0x8000) & 0xFFFF_0000) }

    /// Rounds to 16 bits, ties to even.
    private static func roundedToEven(_ value: Float) -> Float {
        let bits = value.bitPattern
        return Float(bitPattern: (bits &+ 0x7FFF &+ (bits >> 16 & 1)) & 0xFFFF_0000)
    }
}
