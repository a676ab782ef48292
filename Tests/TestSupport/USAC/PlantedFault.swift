// SPDX-License-Identifier: Apache-2.0

/// An intentional error in a model, to show that the comparison with the tool would find it.
///
/// Each model documents its three errors.
package enum PlantedFault: CaseIterable, Sendable {
    /// A wrong sign.
    case sign
    /// An index that is off by one.
    case index
    /// A wrong end of a range.
    case boundary
}

extension ModelError {
    /// Adds a real value.
    package mutating func add(_ value: Float, expected: Double) {
        add(DoubleComplex(real: Double(value)), expected: DoubleComplex(real: expected))
    }

    /// Adds real values, starting at index `first` of the tool's output.
    package mutating func add(_ values: [Float], from first: Int = 0, expected: [Double]) {
        for (index, value) in expected.enumerated() { add(values[first + index], expected: value) }
    }
}
