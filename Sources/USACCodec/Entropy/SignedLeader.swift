// SPDX-License-Identifier: Apache-2.0

/// The components of a signed leader of the lattice RE8, which determine its permutations (ISO/IEC 23003-3, 7.12).
struct SignedLeader: BitwiseCopyable, Sendable {
    /// The distinct components in order of appearance, eight bits each, first in the lowest bits.
    private(set) var components: UInt64 = 0
    /// The number of occurrences of each component, in the same bits.
    private(set) var counts: UInt64 = 0
    /// The number of distinct components.
    private(set) var count = 0
    /// The number of permutations that are equal to each other.
    private(set) var equalPermutations = 1

    /// The signed leaders, in the order of ``LatticeTables/signCodes``.
    static let all = {
        var leaders = ContiguousArray<SignedLeader>()
        for leader in LatticeTables.signedCounts.indices {
            for _ in 0..<LatticeTables.signedCounts[leader] {
                leaders.append(SignedLeader(leader, signs: LatticeTables.signCodes[leaders.count]))
            }
        }
        return leaders
    }()

    /// Collects the components of an absolute leader.
    ///
    /// - Parameter signs: A bit per component, 1 for minus, first component in the highest bit.
    private init(_ leader: Int, signs: UInt8) {
        for component in 0..<8 {
            let magnitude = LatticeTables.leaders[8 * leader + component]
            add(UInt8(bitPattern: signs >> UInt8(7 - component) & 1 == 0 ? magnitude : -magnitude))
        }
        for position in 0..<count { equalPermutations *= LatticeQuantizer.factorial(Int(counts >> UInt64(8 * position) & 0xFF)) }
    }

    /// Counts a component.
    private mutating func add(_ component: UInt8) {
        var position = 0
        while position < count && UInt8(truncatingIfNeeded: components >> UInt64(8 * position)) != component { position += 1 }
        if position == count {
            components |= UInt64(component) << UInt64(8 * position)
            count += 1
        }
        counts += 1 << UInt64(8 * position)
    }
}
