// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension SeededRandom {
    /// `count` values spread evenly over ±`amplitude`.
    public mutating func samples(_ count: Int, amplitude: Float) -> [Float] {
        (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &self) }
    }
}
