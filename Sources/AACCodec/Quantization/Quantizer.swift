// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Quantisation of lines by the power law of the standard (ISO/IEC 14496-3:2009, 4.6.2.3, seen from the encoder).
///
/// A line x becomes q = |x|^(3/4) · 2^(-3/16 (sf - 100)), rounded; the decoder makes of it q^(4/3) · 2^((sf - 100)/4).
enum Quantizer {
    /// The scale factor at which the decoder's step is one.
    static let scaleFactorOffset = 100

    /// The largest magnitude of a quantised line.
    static let largestMagnitude = 8191

    /// Factors for one scale factor.
    struct Step {
        /// 2^(3/16 (sf - 100)).
        var power34: Float
        /// 2^(-3/16 (sf - 100)): what |x|^(3/4) is multiplied by.
        var inversePower34: Float
    }

    /// The factors of all scale factors, 0 to 255.
    static let steps: ContiguousArray<Step> = ContiguousArray(
        (0...255).map { scaleFactor in
            let exponent = Double(scaleFactor - scaleFactorOffset)
            return Step(
                power34: Float(PortableMath.power(2, exponent * 3 / 16)),
                inversePower34: Float(PortableMath.power(2, -exponent * 3 / 16)))
        })

    /// Adding this moves the units of a Float below 2²² into its lowest bits.
    @inline(__always) static var magic: Float { 8_388_608 }

    /// Rounds values of at least zero down after `rounding` (0 to 1) is added; returns them as integers and as floats.
    @inline(__always)
    static func round(_ values: SIMD4<Float>, rounding: Float) -> (integers: SIMD4<UInt32>, floats: SIMD4<Float>) {
        let shifted = values + SIMD4(repeating: rounding - 0.5) + SIMD4(repeating: magic)
        return (shifted.bitPatterns &- SIMD4(repeating: 0x4B00_0000), shifted - SIMD4(repeating: magic))
    }
}
