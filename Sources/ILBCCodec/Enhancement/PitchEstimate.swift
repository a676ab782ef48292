// SPDX-License-Identifier: Apache-2.0

/// The pitch estimate of an enhancer block (RFC 3951, 4.6.1).
///
/// RFC 3951 specifies the lag with the largest correlation. Its tables include a low-pass filter for it (`lpFilt_coefsTbl`), so the
/// excitation is compared at half the sample rate. The correlation is normalised by the energy of the earlier samples. Of several measures,
/// this one best matches the output of PJSIP's decoder.
enum PitchEstimate {
    /// The candidate lags at half the sample rate (20 to 120 samples).
    private static let lags = 10...60

    /// The low-pass filter for decimation by two.
    private static let lowPass: [Float] = [-0.06665, 0.125, 0.31665, 0.414063, 0.31665, 0.125, -0.06665]

    /// Returns the lag with the largest correlation between a block and earlier excitation.
    ///
    /// - Parameters:
    ///   - memory: The excitation, with at least 120 samples before the block.
    ///   - start: The first sample of the block.
    static func period(of memory: [Float], at start: Int) -> Int {
        let history = lags.upperBound
        let samples = (0..<history + Enhancer.blockLength / 2).map { halfRate(memory, at: start + 2 * ($0 - history)) }
        var best = (lag: lags.lowerBound, measure: -Float.infinity)
        for lag in lags {
            var (product, energy) = (Float(0), Float(0))
            for index in history..<samples.count {
                product += samples[index] * samples[index - lag]
                energy += samples[index - lag] * samples[index - lag]
            }
            guard energy > 0 else { continue }
            let measure = product * abs(product) / energy
            if measure > best.measure { best = (lag, measure) }
        }
        return 2 * best.lag
    }

    /// Returns the low-pass filtered excitation at a position, with zeros outside the memory.
    private static func halfRate(_ memory: [Float], at position: Int) -> Float {
        var sum: Float = 0
        for (tap, factor) in lowPass.enumerated() where memory.indices.contains(position + 3 - tap) {
            sum += factor * memory[position + 3 - tap]
        }
        return sum
    }
}
