// SPDX-License-Identifier: Apache-2.0

/// The conversion of floating-point samples to integers.
///
/// Samples are rounded to nearest, with ties to even (the default rounding of IEEE 754), and clipped to the integer range. NaN becomes 0.
/// All integer PCM in this package uses these functions, so that files, devices and buffers are rounded alike.
package enum SampleRounding {
    /// Converts a sample to an integer of 16, 24 or 32 bits.
    ///
    /// - Parameters:
    ///   - sample: The sample, with full scale ±1.
    ///   - bitCount: The number of bits of the integer, 1 to 32.
    @inlinable
    @inline(__always)
    package static func integer(_ sample: Float, bitCount: Int) -> Int32 {
        let scale = Double(Int64(1) << Int64(bitCount - 1))
        guard !sample.isNaN else { return 0 }
        let clipped = max(-scale, min(scale - 1, Double(sample) * scale))
        // Adding 1.5 · 2^52 leaves the rounded integer in the low bits.
        return Int32(truncatingIfNeeded: Int64(bitPattern: (clipped + 6_755_399_441_055_744).bitPattern))
    }

    /// Converts a sample to a 16-bit integer in the low bits, for which single precision is sufficient.
    ///
    /// - Parameter scaled: The sample, with full scale ±32768.
    @inlinable
    @inline(__always)
    package static func bits16(_ scaled: Float) -> UInt32 {
        // In this order the compiler uses the minimum and maximum instructions.
        let low = scaled > -32768 ? scaled : -32768
        // Adding 1.5 · 2^23 leaves the rounded integer in the low bits.
        let bits = ((low < 32767 ? low : 32767) + 12_582_912).bitPattern
        return scaled == scaled ? bits : 0
    }
}
