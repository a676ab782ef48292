// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension PortableMath {
    /// How many octaves `upper` lies above `lower`; both positive.
    static func octaves(_ lower: Double, _ upper: Double) -> Double { ln(upper / lower) / 0.693_147_180_559_945_3 }

    /// 2 to the power of x, in double precision.
    static func powerOfTwo(_ x: Double) -> Double { exp(x * 0.693_147_180_559_945_3) }

    /// The angle from 0 to pi whose cosine is x, for x from -1 to 1.
    static func arccosine(_ x: Double) -> Double {
        x <= -1 ? Double.pi : 2 * arctangent(((1 - x) / (1 + x)).squareRoot())
    }
}
