// SPDX-License-Identifier: Apache-2.0

public import TransformCoding

/// The non-uniform quantizer q = floor((|x| / Δ)^(3/4) + rounding).
///
/// The step for a scale factor sf is Δ = 2^((sf - 100) / 4). The decoder computes the inverse, x = q^(4/3) Δ (ISO/IEC 14496-3:2009, 4.6.1.3
/// and 4.6.2.3.3).
@usableFromInline package enum Quantizer {
    @inlinable package static var maximumMagnitude: Int { 8191 }

    /// The maximum |x|^(3/4), in steps, for which the search chooses a scale factor.
    ///
    /// Its distance to ``maximumMagnitude`` exceeds rounding errors.
    @inlinable package static var maximumSearched: Float { 8190 }

    /// The step of a scale factor, in the domain of |x|^(3/4).
    @usableFromInline package struct Step: Sendable {
        /// The step: 2^(3/16 (sf - 100)).
        @usableFromInline package var power34: Float
        /// The factor for |x|^(3/4): 2^(-3/16 (sf - 100)).
        @usableFromInline package var inversePower34: Float
    }

    /// The steps of scale factors 0 to 255.
    package static let steps: ContiguousArray<Step> = ContiguousArray(
        (0...255).map { scaleFactor in
            let exponent = Double(scaleFactor - DequantizationTables.scaleFactorOffset)
            return Step(
                power34: Float(PortableMath.power(2, exponent * 3 / 16)),
                inversePower34: Float(PortableMath.power(2, -exponent * 3 / 16)))
        })

    /// Adds `rounding` to values and truncates them.
    ///
    /// - Parameters:
    ///   - values: Non-negative values below 2²².
    ///   - rounding: The offset, 0 to 1.
    @inlinable @inline(__always)
    package static func round(_ values: SIMD4<Float>, rounding: Float) -> (integers: SIMD4<Int32>, floats: SIMD4<Float>) {
        (values + SIMD4(repeating: rounding - 0.5)).nearest
    }
}
