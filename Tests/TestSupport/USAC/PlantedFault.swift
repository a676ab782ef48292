// SPDX-License-Identifier: Apache-2.0

/// An error that a model of a tool makes on purpose, to show that the comparison with the tool would find it.
///
/// Each model says what its three errors are.
package enum PlantedFault: CaseIterable, Sendable {
    /// A sign is wrong.
    case sign
    /// An index is off by one.
    case index
    /// The end of a range is wrong.
    case boundary
}

extension ModelError {
    /// Adds a real value.
    package mutating func add(_ value: Float, expected: Double) {
        add(DoubleComplex(real: Double(value)), expected: DoubleComplex(real: expected))
    }

    /// Adds real values from an index of the tool's output on.
    package mutating func add(_ values: [Float], from first: Int = 0, expected: [Double]) {
        for (index, value) in expected.enumerated() { add(values[first + index], expected: value) }
    }
}
