// SPDX-License-Identifier: Apache-2.0

extension Int {
    /// Returns the product with a numerator, divided by a denominator and rounded towards zero.
    ///
    /// The product is of 64 bits, since that of two rates exceeds an `Int` of 32 bits.
    package func scaled(by numerator: Int, over denominator: Int) -> Int {
        Int(clamping: Int64(self) * Int64(numerator) / Int64(denominator))
    }
}
