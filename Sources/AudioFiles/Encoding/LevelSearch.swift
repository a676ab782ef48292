// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec

/// The search for the level (log2 of the noise scale) at which the bits are those of the rate, by the secant method.
struct LevelSearch {
    /// The level of the first attempt.
    var level: Float
    /// The assumed change of the bits with the noise scale at first, in octaves per octave.
    var slope = -0.45
    /// log2 of the relative error at which the search ends.
    var tolerance: Double
    /// The largest number of attempts.
    var attempts: Int

    /// The permitted levels.
    static let levels: ClosedRange<Float> = -20...20

    /// log2 of the relative error from which no single level gives the rate: with some signals the bits jump between adjacent levels.
    static let largestError = 0.06

    /// The plausible slopes.
    private static let slopes = -1.5 ... -0.1

    /// Searches.
    ///
    /// - Parameter excess: Returns log2 of the bits at a level relative to the target.
    /// - Returns: The level with the least error, that error, and the latest slope.
    func run(_ excess: (Float) throws -> Double) rethrows -> (level: Float, error: Double, slope: Double) {
        var (level, slope) = (level, slope)
        var best = (level: level, error: Double.infinity)
        var last: (level: Float, error: Double)?
        for _ in 0..<attempts {
            let error = try excess(level)
            if abs(error) < abs(best.error) { best = (level, error) }
            if abs(error) < tolerance { break }
            if let last, last.level != level {
                let secant = (error - last.error) / Double(level - last.level)
                slope = min(max(secant, Self.slopes.lowerBound), Self.slopes.upperBound)
            }
            last = (level, error)
            level = Self.limited(level - Float(min(max(error / slope, -6), 6)))
            if level == last?.level { break }
        }
        return (best.level, best.error, slope)
    }

    /// Clamps a level to the permitted ones.
    static func limited(_ level: Float) -> Float { min(max(level, levels.lowerBound), levels.upperBound) }
}
