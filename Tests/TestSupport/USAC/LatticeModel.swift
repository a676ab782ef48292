// SPDX-License-Identifier: Apache-2.0

/// The algebraic vector quantizer on the RE8 lattice, following the standard's text (ISO/IEC 23003-3, 7.12).
///
/// Planted faults: the Voronoi extension is subtracted (sign). Permutations are counted one position too early (index). The first index of
/// a signed leader belongs to the previous leader (boundary).
package struct LatticeModel {
    private let tables = UnifiedTables.shared
    private let fault: PlantedFault?

    package init(fault: PlantedFault? = nil) { self.fault = fault }

    /// Returns the vector of a code.
    ///
    /// - Parameters:
    ///   - number: The codebook number, 0 or 2 to 36.
    ///   - index: The index in the base codebook.
    ///   - offsets: The indices of the Voronoi extension.
    package func vector(number: Int, index: Int, offsets: [Int]) -> [Int] {
        guard number > 0 else { return [Int](repeating: 0, count: 8) }
        let order = number > 4 ? (number - 3) / 2 : 0
        let leader = base(number - 2 * order, index)
        guard order > 0 else { return leader }
        let extra = voronoi(offsets, order)
        return (0..<8).map { leader[$0] << order + (fault == .sign ? -extra[$0] : extra[$0]) }
    }

    /// Returns a vector of a base codebook.
    private func base(_ number: Int, _ index: Int) -> [Int] {
        let (leaders, offsets) = number == 4 ? (tables.leaders4, tables.offsets4) : (tables.leaders3, tables.offsets3)
        let absolute = leaders[offsets.lastIndex { $0 <= index } ?? 0]
        let first = tables.signedFirst[absolute]
        let signedLeaders = first..<first + tables.signedCount[absolute]
        let signed = signedLeaders.last { fault == .boundary ? tables.signedOffset[$0] < index : tables.signedOffset[$0] <= index } ?? first
        let values = (0..<8).map { tables.leaders[absolute][$0] * (tables.signCode[signed] >> (7 - $0) & 1 == 0 ? 1 : -1) }
        return permutation(of: values, rank: index - tables.signedOffset[signed])
    }

    /// Returns the permutation with a given rank.
    private func permutation(of values: [Int], rank: Int) -> [Int] {
        var symbols: [Int] = []
        for value in values where !symbols.contains(value) { symbols.append(value) }
        var counts = symbols.map { symbol in values.count { $0 == symbol } }
        guard symbols.count > 1 else { return values }
        func factorial(_ n: Int) -> Int { n < 2 ? 1 : n * factorial(n - 1) }
        var target = rank * counts.reduce(1) { $0 * factorial($1) }
        var product = 1
        return (0..<8).map { place in
            let step = product * factorial((fault == .index ? 8 : 7) - place)
            var symbol = 0
            while symbol < symbols.count - 1 && target >= counts[symbol] * step {
                target -= counts[symbol] * step
                symbol += 1
            }
            product *= counts[symbol]
            counts[symbol] -= 1
            return symbols[symbol]
        }
    }

    /// Returns the Voronoi extension's contribution.
    private func voronoi(_ k: [Int], _ order: Int) -> [Int] {
        var y = [Int](repeating: k[7], count: 8)
        for i in 1...6 { y[i] += 2 * k[i] }
        y[0] += 4 * k[0] + 2 * k[1...6].reduce(0, +)
        let z = (0..<8).map { Double(y[$0] - ($0 == 0 ? 2 : 0)) / Double(1 << order) }
        let nearest = Self.nearest(z)
        return (0..<8).map { y[$0] - nearest[$0] << order }
    }

    /// Returns the nearest point of RE8; the odd one of two.
    private static func nearest(_ z: [Double]) -> [Int] {
        let even = nearestEven(z)
        let odd = nearestEven(z.map { $0 - 1 }).map { $0 + 1 }
        func distance(_ y: [Int]) -> Double { zip(z, y).reduce(0) { $0 + ($1.0 - Double($1.1)) * ($1.0 - Double($1.1)) } }
        return distance(even) < distance(odd) ? even : odd
    }

    /// Returns the nearest point of 2 D8.
    private static func nearestEven(_ z: [Double]) -> [Int] {
        var y = z.map { $0 >= 0 ? 2 * Int((($0 + 1) / 2).rounded(.down)) : -2 * Int(((1 - $0) / 2).rounded(.down)) }
        if y.reduce(0, +) % 4 != 0 {
            var farthest = 0
            for i in 1..<8 where abs(z[i] - Double(y[i])) > abs(z[farthest] - Double(y[farthest])) { farthest = i }
            y[farthest] += z[farthest] < Double(y[farthest]) ? -2 : 2
        }
        return y
    }
}
