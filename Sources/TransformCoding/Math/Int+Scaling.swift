// SPDX-License-Identifier: Apache-2.0

extension Int {
    /// Returns `self` × `numerator` / `denominator`, rounded towards zero.
    ///
    /// The product has 64 bits, because the product of two sample rates exceeds a 32-bit `Int`.
    package func scaled(by numerator: Int, over denominator: Int) -> Int {
        Int(clamping: Int64(self) * Int64(numerator) / Int64(denominator))
    }
}
