// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// The costs of tuples, and the choice of their values. Lowering a magnitude subtracts its weight from the index of its tuple. Where one is
// not lowered its cost is so high that the result is never the best, which is faster than a test.

extension TupleQuantizer {
    // MARK: Pairs

    /// Counts the pairs of a band in codebooks 5 to 11, each with its best choice of values.
    ///
    /// - Returns: The sum of lengths and lowering costs in each codebook, in sixteenths of a bit, and the bits of escape sequences.
    static func countPairs(
        _ quads: Span<RoundedQuad>, lengths: Span<SIMD8<UInt16>>, largest: Int
    ) -> (units: SIMD8<UInt16>, escapes: Int) {
        var sums = SIMD8<UInt16>(repeating: 0)
        var escapes = 0
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            index &+= 1
            if largest >= SpectralCodebook.escapeMagnitude { escapes &+= SpectralBitTables.escapeBits(quad.magnitudes.lowHalf) }
            let indices = quad.indices
            let (weights, costs) = (quad.weights, quad.loweringCosts)
            sums &+= leastUnits(lengths, at: indices.firstPair, weights[4], weights[5], costs[0], costs[1])
            sums &+= leastUnits(lengths, at: indices.secondPair, weights[6], weights[7], costs[2], costs[3])
        }
        return (sums, escapes)
    }

    /// Returns the lowest costs of a pair in codebooks 5 to 11.
    ///
    /// - Parameters:
    ///   - index: The index of the nearest values.
    ///   - weightA: The weight of the first magnitude in the index.
    ///   - costA: The cost of lowering the first magnitude.
    @inline(__always)
    private static func leastUnits(
        _ lengths: Span<SIMD8<UInt16>>, at index: Int, _ weightA: Int16, _ weightB: Int16, _ costA: Int16, _ costB: Int16
    ) -> SIMD8<UInt16> {
        /// Returns the lengths of a pair's codewords with an additional cost.
        @inline(__always)
        func units(_ index: Int, _ cost: SIMD8<Int16>) -> SIMD8<Int16> { SIMD8<Int16>(truncatingIfNeeded: lengths[index]) &+ cost }
        let indexA = index &- Int(weightA)
        let (first, second) = (SIMD8(repeating: costA), SIMD8(repeating: costB))
        let one = units(indexA, first).minimum(units(index &- Int(weightB), second))
        let none = SIMD8<Int16>(truncatingIfNeeded: lengths[index])
        return SIMD8<UInt16>(truncatingIfNeeded: none.minimum(one).minimum(units(indexA &- Int(weightB), first &+ second)))
    }

    /// Chooses the values of each pair in one codebook, nearest or lowered, with the lowest cost.
    ///
    /// Escape sequences are the same for all choices, since only values below 16 are lowered.
    static func choosePairs(
        _ quads: Span<RoundedQuad>, book: Int, lengths: Span<SIMD8<UInt16>>, into quantized: inout MutableSpan<Int16>, at line: Int
    ) {
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            let indices = quad.indices
            let (weights, costs) = (quad.weights, quad.loweringCosts)
            let first = bestLowering(lengths, at: indices.firstPair, weights[4], weights[5], costs[0], costs[1], lane: book &- 5)
            let second = bestLowering(lengths, at: indices.secondPair, weights[6], weights[7], costs[2], costs[3], lane: book &- 5)
            quantized.store(quad.values(lowering: first | second << 2), at: line &+ 4 &* index)
            index &+= 1
        }
    }

    /// Returns which values of a pair to lower: bit 0 for the first, bit 1 for the second.
    ///
    /// - Parameter lane: The lane of the codebook in the lengths.
    @inline(__always)
    private static func bestLowering(
        _ lengths: Span<SIMD8<UInt16>>, at index: Int, _ weightA: Int16, _ weightB: Int16, _ costA: Int16, _ costB: Int16, lane: Int
    ) -> Int {
        let indexA = index &- Int(weightA)
        let (a, b) = (Int(costA), Int(costB))
        let none = units(lengths, at: index, lane: lane, cost: 0)
        let first = units(lengths, at: indexA, lane: lane, cost: a)
        let second = units(lengths, at: index &- Int(weightB), lane: lane, cost: b)
        let both = units(lengths, at: indexA &- Int(weightB), lane: lane, cost: a &+ b)
        // The lower bits make the earlier choice win between equal costs.
        return min(min(none << 2, first << 2 | 1), min(second << 2 | 2, both << 2 | 3)) & 3
    }

    /// Returns the cost of a pair in one codebook; a very high one if the codebook can't code it.
    @inline(__always)
    private static func units(_ lengths: Span<SIMD8<UInt16>>, at index: Int, lane: Int, cost: Int) -> Int {
        let length = Int(lengths[index][lane])
        return length < Int(SpectralBitTables.impossible) ? length &+ cost : Int(UInt16.max)
    }

    // MARK: Quads

    /// Counts the quads of a band in codebooks 1 to 4, each with its best choice of values; magnitudes above 2 have to be lowered.
    ///
    /// - Returns: The sum of lengths and lowering costs in each codebook, in sixteenths of a bit.
    static func countQuads(_ quads: Span<RoundedQuad>, lengths: Span<SIMD4<UInt16>>) -> SIMD4<UInt16> {
        var sums = SIMD4<UInt16>(repeating: 0)
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            index &+= 1
            let choices = QuadChoices(quad)
            if choices.isSimple {
                let line = choices.line
                let nearest = SIMD4<Int16>(truncatingIfNeeded: lengths[choices.index])
                let lowered =
                    SIMD4<Int16>(truncatingIfNeeded: lengths[choices.index &- Int(quad.weights[line])])
                    &+ SIMD4(repeating: quad.loweringCosts[line])
                sums &+= SIMD4<UInt16>(truncatingIfNeeded: nearest.replacing(with: lowered, where: lowered .< nearest))
                continue
            }
            var best = SIMD4<Int16>(repeating: .max)
            choices.forEach(quad) { index, cost, _ in
                let units = SIMD4<Int16>(truncatingIfNeeded: lengths[index]) &+ SIMD4(repeating: Int16(truncatingIfNeeded: cost))
                best.replace(with: units, where: units .< best)
            }
            sums &+= SIMD4<UInt16>(truncatingIfNeeded: best)
        }
        return sums
    }

    /// Chooses the values of each quad in one codebook, nearest or lowered, with the lowest cost.
    static func chooseQuads(
        _ quads: Span<RoundedQuad>, book: Int, lengths: Span<SIMD4<UInt16>>, into quantized: inout MutableSpan<Int16>, at line: Int
    ) {
        var position = 0
        while position < quads.count {
            let quad = quads[position]
            let choices = QuadChoices(quad)
            var (best, least) = (0, Int.max)
            choices.forEach(quad) { index, cost, lines in
                let length = Int(lengths[index][book &- 1])
                let units = length < Int(SpectralBitTables.impossible) ? length &+ cost : Int(UInt16.max)
                // Of equal costs the one with more lowered values is taken.
                if units <= least { (best, least) = (lines, units) }
            }
            quantized.store(quad.values(lowering: best), at: line &+ 4 &* position)
            position &+= 1
        }
    }
}
