// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The levels of some audio, one value per channel; full scale is 1.
public struct AudioLevels: Hashable, Sendable {
    /// The largest magnitude of a sample.
    public var peak: [Float]

    /// The root of the mean square.
    public var rootMeanSquare: [Float]

    /// Returns a level in decibels relative to full scale; -120 for silence.
    public static func decibels(_ level: Float) -> Double { level > 1e-6 ? 20 * log10(Double(level)) : -120 }
}
