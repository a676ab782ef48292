// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Audio levels, one value per channel; full scale is 1.
public struct AudioLevels: Hashable, Sendable {
    /// The maximum sample magnitude per channel.
    public var peak: [Float]

    /// The RMS level per channel.
    public var rootMeanSquare: [Float]

    /// The number of clipped samples per channel: beyond full scale, or in a run of at least two of one sign at full scale.
    public var clippedSampleCounts: [Int]

    /// Converts a level to decibels relative to full scale; -120 for silence.
    public static func decibels(_ level: Float) -> Double { level > 1e-6 ? 20 * log10(Double(level)) : -120 }
}
