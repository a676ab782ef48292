// SPDX-License-Identifier: Apache-2.0

/// The bits of one parameter of a frame in the three classes of sensitivity (RFC 3951 3.8).
package struct BitAllocation: Hashable, Sendable {
    /// The number of bits in class 1, which are the most significant ones.
    let first: Int
    /// The number of bits in class 2.
    let second: Int
    /// The number of bits in class 3, which are the least significant ones.
    let third: Int

    /// Creates the allocation of one parameter.
    init(_ first: Int, _ second: Int, _ third: Int) {
        self.first = first
        self.second = second
        self.third = third
    }

    /// The number of bits of the parameter.
    package var bitCount: Int { first + second + third }

    /// Returns the number of bits in a class, and of those in the classes after it.
    ///
    /// - Parameter index: The class, from 0.
    package func bits(ofClass index: Int) -> (count: Int, below: Int) {
        switch index {
        case 0: (first, second + third)
        case 1: (second, third)
        default: (third, 0)
        }
    }
}

extension BitAllocation {
    /// The parameters of a frame in the order of the table of the bitstream (RFC 3951 Table 3.2).
    package static func table(of mode: ILBCMode) -> [BitAllocation] { mode == .milliseconds20 ? table20 : table30 }

    private static let lsf = [BitAllocation(6, 0, 0), BitAllocation(7, 0, 0), BitAllocation(7, 0, 0)]

    private static let table20: [BitAllocation] =
        lsf + [BitAllocation(2, 0, 0), BitAllocation(1, 0, 0), BitAllocation(6, 0, 0)]
        + Array(repeating: BitAllocation(0, 1, 2), count: 57)
        // Indices and gains of the 23 samples beside the start state
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
        // Indices and gains of the 22 samples beside the start state
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
