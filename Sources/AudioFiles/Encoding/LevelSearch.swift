// SPDX-License-Identifier: Apache-2.0

internal import AACCodec

/// A secant search for the level (log2 of the noise scale) that yields the target bit rate.
package struct LevelSearch {
    /// The level of the next attempt.
    package var level: Float
    /// The current estimate of the change in bits with the noise scale, in octaves per octave.
    package var slope: Double

    static let levels: ClosedRange<Float> = -20...20

    /// The error above which no single level yields the target, as log2 of the relative size.
    ///
    /// For some signals the bits jump between adjacent levels.
    static let maximumError = 0.06

    private static let slopes = -1.5 ... -0.1

    /// The previous attempt and its error.
    private var last: (level: Float, error: Double)?

    package init(level: Float, slope: Double = -0.45) { (self.level, self.slope) = (level, slope) }

    /// Moves to the level expected to yield the target.
    ///
    /// - Parameter error: log2 of the bits at the current level relative to the target.
    /// - Returns: Whether the level changed.
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

    /// Clamps a level to `levels`.
    static func limited(_ level: Float) -> Float { min(max(level, levels.lowerBound), levels.upperBound) }
}
