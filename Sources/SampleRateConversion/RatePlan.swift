// SPDX-License-Identifier: Apache-2.0

/// The places of output frames between those of the input.
struct RatePlan {
    /// The distance of two output frames in input frames: whole ones, and parts of which `denominator` are one.
    struct Step {
        var frames: Int
        var fraction: Int64
    }

    /// The first step.
    let step: Step
    /// The parts of an input frame.
    let denominator: Int64
    /// The places between two input frames; nil if the ratio changes.
    let placeCount: Int?
    /// The lowest Nyquist frequency as a part of that of the input, at most 1.
    let cutoff: Double

    /// The parts of an input frame for a ratio that changes.
    private static var fineDenominator: Int64 { 1 << 40 }

    /// Creates a plan of two sample rates in hertz.
    init(inputRate: Int, outputRate: Int, largestAdjustment: Double?) {
        cutoff = min(1, Double(outputRate) / (Double(inputRate) * (largestAdjustment ?? 1)))
        if largestAdjustment == nil {
            let divisor = Self.greatestDivisor(inputRate, outputRate)
            let places = outputRate / divisor
            (placeCount, denominator) = (places, Int64(places))
            step = Step(frames: inputRate / outputRate, fraction: Int64(inputRate / divisor % places))
        } else {
            (placeCount, denominator) = (nil, Self.fineDenominator)
            step = Self.step(Double(inputRate) / Double(outputRate))
        }
    }

    /// Returns the step of a ratio that changes.
    static func step(_ ratio: Double) -> Step {
        Step(frames: Int(ratio), fraction: Int64((ratio - ratio.rounded(.down)) * Double(fineDenominator)))
    }

    /// Returns the greatest common divisor.
    private static func greatestDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestDivisor(b, a % b) }
}
