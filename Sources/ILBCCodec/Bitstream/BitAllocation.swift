// SPDX-License-Identifier: Apache-2.0

/// The bit allocation of one frame parameter to the three sensitivity classes (RFC 3951, 3.8).
package struct BitAllocation: Hashable, Sendable {
    /// The number of bits in class 1 (most significant).
    let first: Int
    let second: Int
    /// The number of bits in class 3 (least significant).
    let third: Int

    init(_ first: Int, _ second: Int, _ third: Int) {
        self.first = first
        self.second = second
        self.third = third
    }

    package var bitCount: Int { first + second + third }

    /// Returns the number of bits in a class and in the classes after it.
    ///
    /// - Parameter index: The class, counted from 0.
    package func bits(ofClass index: Int) -> (count: Int, below: Int) {
        switch index {
        case 0: (first, second + third)
        case 1: (second, third)
        default: (third, 0)
        }
    }
}

extension BitAllocation {
    /// Returns the allocations in bitstream order (RFC 3951, Table 3.2).
    package static func table(of mode: ILBCMode) -> [BitAllocation] { mode == .milliseconds20 ? table20 : table30 }

    private static let lsf = [BitAllocation(6, 0, 0), BitAllocation(7, 0, 0), BitAllocation(7, 0, 0)]

    private static let table20: [BitAllocation] =
        lsf + [BitAllocation(2, 0, 0), BitAllocation(1, 0, 0), BitAllocation(6, 0, 0)]
        + Array(repeating: BitAllocation(0, 1, 2), count: 57)
        // Indices and gains of the 23 samples next to the start state
        + [BitAllocation(6, 0, 1), BitAllocation(0, 0, 7), BitAllocation(0, 0, 7)]
        + [BitAllocation(2, 0, 3), BitAllocation(1, 1, 2), BitAllocation(0, 0, 3)]
        // Indices of the sub-blocks
        + [BitAllocation(7, 0, 1), BitAllocation(0, 0, 7), BitAllocation(0, 0, 7)]
        + Array(repeating: BitAllocation(0, 0, 8), count: 3)
        // Gains of the sub-blocks
        + [BitAllocation(1, 2, 2), BitAllocation(1, 1, 2), BitAllocation(0, 0, 3)]
        + [BitAllocation(1, 1, 3), BitAllocation(0, 2, 2), BitAllocation(0, 0, 3)]
        + [BitAllocation(0, 0, 1)]

    private static let table30: [BitAllocation] =
        lsf + lsf + [BitAllocation(3, 0, 0), BitAllocation(1, 0, 0), BitAllocation(6, 0, 0)]
        + Array(repeating: BitAllocation(0, 1, 2), count: 58)
        // Indices and gains of the 22 samples next to the start state
        + [BitAllocation(4, 2, 1), BitAllocation(0, 0, 7), BitAllocation(0, 0, 7)]
        + [BitAllocation(1, 1, 3), BitAllocation(1, 1, 2), BitAllocation(0, 0, 3)]
        // Indices of the sub-blocks
        + [BitAllocation(6, 1, 1), BitAllocation(0, 0, 7), BitAllocation(0, 0, 7)]
        + [BitAllocation(0, 7, 1), BitAllocation(0, 0, 8), BitAllocation(0, 0, 8)]
        + [BitAllocation(0, 7, 1), BitAllocation(0, 0, 8), BitAllocation(0, 0, 8)]
        + [BitAllocation(0, 7, 1), BitAllocation(0, 0, 8), BitAllocation(0, 0, 8)]
        // Gains of the sub-blocks
        + [BitAllocation(1, 2, 2), BitAllocation(1, 2, 1), BitAllocation(0, 0, 3)]
        + [BitAllocation(0, 2, 3), BitAllocation(0, 2, 2), BitAllocation(0, 0, 3)]
        + [BitAllocation(0, 1, 4), BitAllocation(0, 1, 3), BitAllocation(0, 0, 3)]
        + [BitAllocation(0, 1, 4), BitAllocation(0, 1, 3), BitAllocation(0, 0, 3)]
        + [BitAllocation(0, 0, 1)]
}
