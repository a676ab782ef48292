// SPDX-License-Identifier: Apache-2.0

/// The prediction coefficients of a TNS filter, for the filter and its inverse (ISO/IEC 14496-3:2009, 4.6.9.3).
package struct TNSPredictor: ~Copyable {
    /// The maximum filter order.
    package static var capacity: Int { 20 }

    /// The coefficients a[1] to a[20], starting at index 0.
    ///
    /// Those above the order are zero.
    package private(set) var coefficients = FixedArray<Float>(repeating: 0, count: capacity)

    /// Creates a predictor that predicts 0.
    package init() {}

    /// The reflection coefficients for indices -4 to 3 with three bits, then for indices -8 to 7 with four bits.
    ///
    /// The value for index i with R bits is sin(i · (π/2) / (2^(R-1) ∓ 1/2)), with minus for i ≥ 0.
    private static let reflections: ContiguousArray<Float> = {
        var reflections = ContiguousArray<Float>()
        for half in [4, 8] {
            for index in -half..<half {
                let steps = index >= 0 ? Double(half) - 0.5 : Double(half) + 0.5
                reflections.append(Float(CircularFunctions.sinePi(Double(index) / (2 * steps))))
            }
        }
        return reflections
    }()

    /// Returns the reflection coefficient for a quantized value.
    ///
    /// - Parameter resolution: 3 or 4 bits.
    package static func reflection(_ index: Int, resolution: Int) -> Float { reflections[(resolution == 3 ? 4 : 16) &+ index] }

    /// Converts a filter's reflection coefficients to prediction coefficients by the step-up recursion.
    package mutating func set(_ filter: TNSFilter, resolution: Int) {
        coefficients.fill(0)
        var a = coefficients.mutableSpan
        for m in 0..<Int(filter.order) {
            let reflection = Self.reflection(Int(filter.coefficients[m]), resolution: resolution)
            // The coefficients of a pair depend only on each other.
            for i in 0..<(m &+ 1) / 2 {
                let (low, high) = (a[i], a[m &- 1 &- i])
                a[i] = low + reflection * high
                a[m &- 1 &- i] = high + reflection * low
            }
            a[m] = reflection
        }
    }
}
