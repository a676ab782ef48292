// SPDX-License-Identifier: Apache-2.0

/// The choices of a pair's values: the nearest value of each line, or the next lower one.
///
/// Lowering a value that must not be lowered has a prohibitive cost.
struct PairChoices {
    /// The index of the pair of nearest values.
    let nearest: Int
    let firstLowered: Int
    let secondLowered: Int
    /// The index of the pair with both values lowered.
    let bothLowered: Int
    /// The cost of lowering the first value, in sixteenths of a bit.
    let firstCost: Int16
    /// The cost of lowering the second value, in sixteenths of a bit.
    let secondCost: Int16

    /// Finds the choices for the first or second pair of a quad.
    ///
    /// - Parameter index: The index of the pair of nearest values.
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
