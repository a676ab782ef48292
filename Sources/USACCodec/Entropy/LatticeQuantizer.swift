// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The eight-dimensional algebraic vector quantizer on the lattice RE8 (ISO/IEC 23003-3, 7.12).
package enum LatticeQuantizer {
    static let maximumNumber = 36

    /// Throws if a codebook number exceeds the maximum.
    private static func check(_ number: Int) throws(CodecError) {
        guard number <= maximumNumber else { throw .codebookNumberOutOfRange(number, maximum: maximumNumber) }
    }

    /// Reads ones up to a zero and returns their number, at most 40.
    private static func readUnary(from reader: inout BitReader) -> Int {
        var count = 0
        while count < 40 && reader.readFlag() { count += 1 }
        return count
    }

    /// Reads a codebook number in unary form (`nk_mode` 1).
    package static func readUnaryNumber(from reader: inout BitReader) throws(CodecError) -> Int {
        let count = readUnary(from: &reader)
        let number = count == 0 ? 0 : count + 1
        try check(number)
        return number
    }

    /// Reads the codebook numbers of two vectors.
    ///
    /// - Parameter mode: The form of the numbers, 0 to 3 (`nk_mode`).
    static func readNumbers(mode: Int, from reader: inout BitReader) throws(CodecError) -> (Int, Int) {
        if mode == 1 { return (try readUnaryNumber(from: &reader), try readUnaryNumber(from: &reader)) }
        var first = Int(reader.read(2)) + 2
        var second = Int(reader.read(2)) + 2
        if first == 5 { first = extended(readUnary(from: &reader), mode: mode) }
        if second == 5 { second = extended(readUnary(from: &reader), mode: mode) }
        try check(max(first, second))
        return (first, second)
    }

    /// Returns the codebook number for a run of ones after the escape value.
    private static func extended(_ count: Int, mode: Int) -> Int {
        if mode == 2 { return count == 0 ? 0 : count + 4 }
        return count < 2 ? count + 5 : count == 2 ? 0 : count + 4
    }

    /// Writes a codebook number in unary form.
    package static func writeUnaryNumber(_ number: Int, to sink: inout some BitSink) { writeUnary(max(0, number - 1), to: &sink) }

    /// Writes `count` ones and a zero.
    package static func writeUnary(_ count: Int, to sink: inout some BitSink) {
        for _ in 0..<count { sink.write(true) }
        sink.write(false)
    }

    fileprivate static func vector(of code: LatticeCode) -> SIMD8<Int32> {
        guard code.number > 0 else { return SIMD8() }
        let scaled = leader(Int(code.index), number: code.base) &<< SIMD8(repeating: Int32(code.order))
        return code.order == 0 ? scaled : scaled &+ voronoi(SIMD8(truncatingIfNeeded: code.offsets), order: code.order)
    }

    /// Returns the vector for an index in a base codebook, 2 to 4.
    private static func leader(_ index: Int, number: Int) -> SIMD8<Int32> {
        let (offsets, leaders) =
            number == 4 ? (LatticeTables.offsets4, LatticeTables.leaders4) : (LatticeTables.offsets3, LatticeTables.leaders3)
        var position = offsets.count - 1
        while Int(offsets[position]) > index { position -= 1 }
        let absolute = Int(leaders[position])
        let first = Int(LatticeTables.signedFirsts[absolute])
        var signed = first + Int(LatticeTables.signedCounts[absolute]) - 1
        while signed > first && Int(LatticeTables.offsets[signed]) > index { signed -= 1 }
        return permuted(SignedLeader.all[signed], rank: max(0, index - Int(LatticeTables.offsets[signed])))
    }

    private static func permuted(_ leader: SignedLeader, rank: Int) -> SIMD8<Int32> {
        var counts = leader.counts
        var target = rank * leader.equalPermutations
        let lastShift = 8 &* UInt64(leader.count &- 1)
        var permutations = 1
        var result = SIMD8<Int32>()
        for component in 0..<8 {
            let step = permutations * factorial(7 &- component)
            var shift: UInt64 = 0
            var count = Int(truncatingIfNeeded: counts & 0xFF)
            while shift < lastShift && target >= count * step {
                target -= count * step
                shift &+= 8
                count = Int(truncatingIfNeeded: (counts &>> shift) & 0xFF)
            }
            result[component] = Int32(Int8(truncatingIfNeeded: leader.components &>> shift))
            permutations *= count
            // In damaged data, a rank beyond the last can request more of a component than exist.
            if count > 0 { counts &-= 1 &<< shift }
        }
        return result
    }

    /// Returns the factorial of `count`, 0 to 8.
    static func factorial(_ count: Int) -> Int { factorials[count] }

    /// The factorials of 0 to 8.
    private static let factorials: ContiguousArray<Int> = [1, 1, 2, 6, 24, 120, 720, 5040, 40_320]

    /// Returns the part of a vector that the Voronoi extension adds.
    ///
    /// - Parameter order: The number of bits per index, at least 1.
    private static func voronoi(_ k: SIMD8<Int32>, order: Int) -> SIMD8<Int32> {
        var y = SIMD8<Int32>(repeating: k[7])
        var sum: Int32 = 0
        for index in 1...6 {
            y[index] &+= 2 &* k[index]
            sum &+= k[index]
        }
        y[0] &+= 4 &* k[0] &+ 2 &* sum
        let scale = Double(1 << order)
        var z = SIMD8<Double>()
        for index in 0..<8 { z[index] = Double(y[index]) / scale }
        z[0] -= 2 / scale
        return y &- nearest(to: z) &<< SIMD8(repeating: Int32(order))
    }

    /// Returns the nearest point in RE8.
    private static func nearest(to z: SIMD8<Double>) -> SIMD8<Int32> {
        let even = nearestEven(to: z)
        let odd = nearestEven(to: z - SIMD8(repeating: 1)) &+ SIMD8(repeating: 1)
        return distance(z, even) < distance(z, odd) ? even : odd
    }

    /// Returns the squared distance of two points.
    private static func distance(_ z: SIMD8<Double>, _ y: SIMD8<Int32>) -> Double {
        var sum = 0.0
        for index in 0..<8 { sum += (z[index] - Double(y[index])) * (z[index] - Double(y[index])) }
        return sum
    }

    /// Returns the nearest point in the lattice 2D8.
    private static func nearestEven(to z: SIMD8<Double>) -> SIMD8<Int32> {
        var y = SIMD8<Int32>()
        var sum: Int32 = 0
        for index in 0..<8 {
            let half = z[index] >= 0 ? ((z[index] + 1) / 2).rounded(.down) : -((1 - z[index]) / 2).rounded(.down)
            y[index] = 2 * Int32(half)
            sum &+= y[index]
        }
        guard sum & 3 != 0 else { return y }
        var farthest = 0
        for index in 1..<8 where abs(z[index] - Double(y[index])) > abs(z[farthest] - Double(y[farthest])) { farthest = index }
        y[farthest] &+= z[farthest] - Double(y[farthest]) < 0 ? -2 : 2
        return y
    }
}

/// A coded vector of the lattice quantizer, without its codebook number (ISO/IEC 23003-3, 7.12).
package struct LatticeCode: BitwiseCopyable {
    /// The codebook number: 0, or 2 to ``LatticeQuantizer/maximumNumber``.
    package private(set) var number = 0
    /// The index in the base codebook, with four bits per unit of ``base``.
    package private(set) var index: UInt16 = 0
    /// The indices of the Voronoi extension, with ``order`` bits each.
    package private(set) var offsets = SIMD8<UInt16>()

    /// Creates the zero vector.
    init() {}

    package init(number: Int, reading reader: inout BitReader) {
        self.number = number
        guard number > 0 else { return }
        index = UInt16(truncatingIfNeeded: reader.read(4 * base))
        for position in 0..<8 { offsets[position] = UInt16(truncatingIfNeeded: reader.read(order)) }
    }

    /// The order of the Voronoi extension.
    var order: Int { number > 4 ? (number - 3) / 2 : 0 }

    /// The number of the base codebook, 0 or 2 to 4.
    var base: Int { number - 2 * order }

    package var vector: SIMD8<Int32> { LatticeQuantizer.vector(of: self) }

    package func write(to sink: inout some BitSink) {
        guard number > 0 else { return }
        sink.write(UInt32(index), count: 4 * base)
        for position in 0..<8 { sink.write(UInt32(offsets[position]), count: order) }
    }
}
