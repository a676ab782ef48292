// SPDX-License-Identifier: Apache-2.0

/// The choices of a pair's values: each line's nearest value or the one below it.
///
/// A choice that lowers a value that can't be lowered costs so much that it is never the best.
struct PairChoices {
    /// The index of the pair of nearest values.
    let nearest: Int
    /// The index of the pair whose first value is lowered.
    let firstLowered: Int
    /// The index of the pair whose second value is lowered.
    let secondLowered: Int
    /// The index of the pair of lowered values.
    let bothLowered: Int
    /// The cost of lowering the first value, in sixteenths of a bit.
    let firstCost: Int16
    /// The cost of lowering the second value.
    let secondCost: Int16

    /// Finds the choices of the first or the second pair of a quad.
    ///
    /// - Parameter index: The index of the pair.
    @inline(__always)
    init(_ quad: RoundedQuad, at index: Int, isSecond: Bool) {
        let first = Int(isSecond ? quad.weights[6] : quad.weights[4])
        let second = Int(isSecond ? quad.weights[7] : quad.weights[5])
        nearest = index
        firstLowered = index &- first
        secondLowered = index &- second
        bothLowered = index &- first &- second
        firstCost = isSecond ? quad.loweringCosts[2] : quad.loweringCosts[0]
        secondCost = isSecond ? quad.loweringCosts[3] : quad.loweringCosts[1]
    }
}
