// SPDX-License-Identifier: Apache-2.0

extension SeededRandom {
    /// Returns `count` values, uniformly distributed over ±`amplitude`.
    public mutating func samples(_ count: Int, amplitude: Float) -> [Float] {
        (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &self) }
    }

    /// Returns random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) } }

    /// Returns a value in a range.
    ///
    /// In unoptimized tests, `Float.random(in:using:)` takes many times as long.
    public mutating func float(in range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &self) }

    /// Returns a value in a range, like `float(in:)`.
    public mutating func double(in range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

    /// Returns a value in a range, like `float(in:)`.
    public mutating func integer(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns one of the values, which must not be empty.
    public mutating func element<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &self)] }
}
