// SPDX-License-Identifier: Apache-2.0

/// The pitch estimate of a block of the enhancer (RFC 3951 4.6.1).
///
/// The text asks for the lag of the largest correlation. As its tables have a low-pass filter for it (`lpFilt_coefsTbl`), the excitation is
/// compared at half the rate; the correlation is normalised by the energy of the earlier samples. Of several measures, this one is nearest
/// to the output of PJSIP's decoder.
enum PitchEstimate {
    /// The lags that are tried, at half the rate: 20 to 120 samples.
    private static let lags = 10...60

    /// The low-pass filter before every second sample is taken.
    private static let lowPass: [Float] = [-0.06665, 0.125, 0.31665, 0.414063, 0.31665, 0.125, -0.06665]

    /// Returns the lag with the largest correlation between a block and the excitation before it.
    ///
    /// - Parameters:
    ///   - memory: The excitation, which has 120 samples before the block.
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

    /// Returns the low-pass filtered excitation at a sample; samples outside the memory are zeros.
    private static func halfRate(_ memory: [Float], at position: Int) -> Float {
        var sum: Float = 0
        for (tap, factor) in lowPass.enumerated() where memory.indices.contains(position + 3 - tap) {
            sum += factor * memory[position + 3 - tap]
        }
        return sum
    }
}
