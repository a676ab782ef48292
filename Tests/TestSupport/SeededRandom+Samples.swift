// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension SeededRandom {
    /// Returns `count` values that are uniformly distributed over ±`amplitude`.
    public mutating func samples(_ count: Int, amplitude: Float) -> [Float] {
        (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &self) }
    }

    /// Returns one of some values, which are not empty.
    public mutating func element<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &self)] }
}
