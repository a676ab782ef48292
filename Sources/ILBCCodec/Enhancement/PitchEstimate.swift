// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The pitch estimate of a block of the enhancer (RFC 3951 4.6.1).
enum PitchEstimate {
    /// The lags that are tried.
    private static let lags = 20...120

    /// Returns the lag with the largest correlation between a block and the excitation before it.
    ///
    /// - Parameters:
    ///   - memory: The excitation, which has 120 samples before the block.
    ///   - start: The first sample of the block.
    static func period(of memory: [Float], at start: Int) -> Int {
        var best = (lag: lags.lowerBound, measure: Float(0))
        for lag in lags {
            var (product, energy) = (Float(0), Float(0))
            for index in start..<start + Enhancer.blockLength {
                product += memory[index] * memory[index - lag]
                energy += memory[index - lag] * memory[index - lag]
            }
            // Normalised by the energy, so that a loud sample before the block does not attract the lag.
            guard product > 0, energy > 0 else { continue }
            let measure = product * product / energy
            if measure > best.measure { best = (lag, measure) }
        }
        return best.lag
    }
}
