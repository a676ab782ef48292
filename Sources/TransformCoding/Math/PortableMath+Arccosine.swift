// SPDX-License-Identifier: Apache-2.0

extension PortableMath {
    /// Returns the arccosine, from 0 to π, for x from -1 to 1.
    package static func arccosine(_ x: Double) -> Double {
        x <= -1 ? Double.pi : 2 * arctangent(((1 - x) / (1 + x)).squareRoot())
    }
}
