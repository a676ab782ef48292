// SPDX-License-Identifier: Apache-2.0

/// The positions of output frames between input frames.
struct RatePlan {
    /// The distance between two output frames: whole input frames, and a fraction in units of `1 / denominator`.
    struct Step {
        var frames: Int
        var fraction: Int64
    }

    /// The initial step.
    let step: Step
    /// The resolution of fractional positions per input frame.
    let denominator: Int64
    /// The number of positions between two input frames, or `nil` if the ratio varies.
    let placeCount: Int?
    /// The ratio of the lowest Nyquist frequency to the input's, at most 1.
    let cutoff: Double

    /// The denominator for a varying ratio.
    private static var fineDenominator: Int64 { 1 << 40 }

    /// Creates a plan for two sample rates, in hertz.
    init(inputRate: Int, outputRate: Int, maximumAdjustment: Double?) {
        cutoff = min(1, Double(outputRate) / (Double(inputRate) * (maximumAdjustment ?? 1)))
        if maximumAdjustment == nil {
            let divisor = Self.greatestDivisor(inputRate, outputRate)
            let places = outputRate / divisor
            (placeCount, denominator) = (places, Int64(places))
            step = Step(frames: inputRate / outputRate, fraction: Int64(inputRate / divisor % places))
        } else {
            (placeCount, denominator) = (nil, Self.fineDenominator)
            step = Self.step(Double(inputRate) / Double(outputRate))
        }
    }

    /// Returns the step for a varying ratio.
    static func step(_ ratio: Double) -> Step {
        Step(frames: Int(ratio), fraction: Int64((ratio - ratio.rounded(.down)) * Double(fineDenominator)))
    }

    private static func greatestDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestDivisor(b, a % b) }
}
