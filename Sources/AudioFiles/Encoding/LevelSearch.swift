// SPDX-License-Identifier: Apache-2.0

internal import AACCodec

/// The search for the level (log2 of the noise scale) at which the bits are those of the rate, by the secant method.
package struct LevelSearch {
    /// The level of the first attempt.
    package var level: Float
    /// The assumed change of the bits with the noise scale at first, in octaves per octave.
    package var slope: Double
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

    /// The attempt before, and its error.
    private var last: (level: Float, error: Double)?

    /// Starts at a level.
    package init(level: Float, slope: Double = -0.45, tolerance: Double, attempts: Int) {
        (self.level, self.slope, self.tolerance, self.attempts) = (level, slope, tolerance, attempts)
    }

    /// Searches.
    ///
    /// - Parameter excess: Returns log2 of the bits at a level relative to the target.
    /// - Returns: The level with the least error, that error, and the latest slope.
    func run(_ excess: (Float) throws -> Double) rethrows -> (level: Float, error: Double, slope: Double) {
        var search = self
        var best = (level: level, error: Double.infinity)
        for _ in 0..<attempts {
            let error = try excess(search.level)
            if abs(error) < abs(best.error) { best = (search.level, error) }
            guard abs(error) >= tolerance, search.advance(from: error) else { break }
        }
        return (best.level, best.error, search.slope)
    }

    /// Moves to the level at which the bits are expected to be those of the rate.
    ///
    /// - Parameter error: log2 of the bits at the current level relative to the target.
    /// - Returns: Whether that is another level.
    package mutating func advance(from error: Double) -> Bool {
        if let last, last.level != level {
            let secant = (error - last.error) / Double(level - last.level)
            slope = min(max(secant, Self.slopes.lowerBound), Self.slopes.upperBound)
        }
        let current = level
        last = (current, error)
        level = Self.limited(current - Float(min(max(error / slope, -6), 6)))
        return level != current
    }

    /// Clamps a level to the permitted ones.
    static func limited(_ level: Float) -> Float { min(max(level, levels.lowerBound), levels.upperBound) }
}
