// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

@Suite struct DecimalTextTests {
    @Test(
        arguments: [
            (0, 0, "0"), (0, 2, "0.00"), (1.005, 1, "1.0"), (0.25, 1, "0.3"), (-0.25, 1, "-0.3"), (-0.04, 1, "0.0"), (9.999, 2, "10.00"),
            (123.456, 6, "123.456000"), (-3.21, 2, "-3.21"), (1e17, 0, "100000000000000000"),
        ] as [(Double, Int, String)])
    func `Numbers are rounded to the requested decimal places`(value: Double, digits: Int, text: String) {
        #expect(DecimalText.fixed(value, digits: digits) == text)
    }

    @Test func `Numbers that are not finite or too large return nil, and the minus sign is as requested`() {
        for value in [Double.nan, .infinity, -.infinity, 1e18, -1e300] { #expect(DecimalText.fixed(value, digits: 0) == nil) }
        #expect(DecimalText.fixed(1e17, digits: 1) == nil)
        #expect(DecimalText.fixed(-2.5, digits: 1, minus: "\u{2212}") == "\u{2212}2.5")
    }
}
