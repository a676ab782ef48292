// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

// The costs of tuples, and the choice of their values. Lowering a magnitude subtracts its weight from the index of its tuple. A magnitude
// that must not be lowered has a prohibitive cost, which is faster than a test.

extension TupleQuantizer {
    // MARK: Pairs

    /// Counts the pairs of a band in codebooks 5 to 11, each with its best choice of values.
    ///
    /// - Returns: The sum of lengths and lowering costs per codebook, in sixteenths of a bit, and the bits of escape sequences.
    static func countPairs(
        _ quads: Span<RoundedQuad>, lengths: Span<SIMD8<UInt16>>, largest: Int
    ) -> (units: SIMD8<UInt16>, escapes: Int) {
        let lengths = lengths.extracting(0..<SpectralBitTables.pairCount)
        var sums = SIMD8<UInt16>(repeating: 0)
        var escapes = SIMD4<Int32>(repeating: 0)
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            index &+= 1
            if largest >= SpectralCodebook.escapeMagnitude {
                escapes &+= SpectralBitTables.escapeBits(SIMD4<Int32>(truncatingIfNeeded: quad.magnitudes.lowHalf))
            }
            let indices = quad.indices
            sums &+= minimumUnits(lengths, quad, at: indices.firstPair, isSecond: false)
            sums &+= minimumUnits(lengths, quad, at: indices.secondPair, isSecond: true)
        }
        return (sums, Int(escapes.wrappedSum()))
    }

    /// Returns the minimum costs of a pair in codebooks 5 to 11.
    @inline(__always)
    private static func minimumUnits(
        _ lengths: Span<SIMD8<UInt16>>, _ quad: RoundedQuad, at index: Int, isSecond: Bool
    ) -> SIMD8<UInt16> {
        guard quad.canLower(isSecond: isSecond) else { return lengths[SpectralBitTables.pairRow(index)] }
        let pair = PairChoices(quad, at: index, isSecond: isSecond)
        /// Returns the lengths of a pair's codewords plus a cost.
        @inline(__always)
        func units(_ index: Int, _ cost: SIMD8<Int16>) -> SIMD8<Int16> { row(index) &+ cost }
        /// Returns the lengths of a pair's codewords.
        @inline(__always)
        func row(_ index: Int) -> SIMD8<Int16> { SIMD8<Int16>(truncatingIfNeeded: lengths[SpectralBitTables.pairRow(index)]) }
        let (first, second) = (SIMD8(repeating: pair.firstCost), SIMD8(repeating: pair.secondCost))
        let one = units(pair.firstLowered, first).minimum(units(pair.secondLowered, second))
        let others = one.minimum(units(pair.bothLowered, first &+ second))
        return SIMD8<UInt16>(truncatingIfNeeded: others.minimum(row(pair.nearest)))
    }

    /// Chooses the values of each pair in one codebook, nearest or lowered, with the minimum cost.
    ///
    /// Escape sequences are the same for all choices, because only values below 16 are lowered.
    static func choosePairs(
        _ quads: Span<RoundedQuad>, codebook: Int, lengths: Span<SIMD8<UInt16>>, into quantized: inout MutableSpan<Int16>, at line: Int
    ) {
        let lengths = lengths.extracting(0..<SpectralBitTables.pairCount)
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            let indices = quad.indices
            let first = bestLowering(lengths, quad, at: indices.firstPair, isSecond: false, lane: codebook &- 5)
            let second = bestLowering(lengths, quad, at: indices.secondPair, isSecond: true, lane: codebook &- 5)
            quantized.store(quad.values(lowering: first | second << 2), at: line &+ 4 &* index)
            index &+= 1
        }
    }

    /// Returns which values of a pair to lower: bit 0 for the first, bit 1 for the second.
    ///
    /// - Parameter lane: The lane of the codebook in the lengths.
    @inline(__always)
    private static func bestLowering(
        _ lengths: Span<SIMD8<UInt16>>, _ quad: RoundedQuad, at index: Int, isSecond: Bool, lane: Int
    ) -> Int {
        guard quad.canLower(isSecond: isSecond) else { return 0 }
        let pair = PairChoices(quad, at: index, isSecond: isSecond)
        let (firstCost, secondCost) = (Int(pair.firstCost), Int(pair.secondCost))
        let nearest = units(lengths, at: pair.nearest, lane: lane, cost: 0)
        let first = units(lengths, at: pair.firstLowered, lane: lane, cost: firstCost)
        let second = units(lengths, at: pair.secondLowered, lane: lane, cost: secondCost)
        let both = units(lengths, at: pair.bothLowered, lane: lane, cost: firstCost &+ secondCost)
        // The low bits let the first of equal costs win.
        return min(min(nearest << 2, first << 2 | 1), min(second << 2 | 2, both << 2 | 3)) & 3
    }

    /// Returns the cost of a pair in one codebook; prohibitive if the codebook cannot code it.
    @inline(__always)
    private static func units(_ lengths: Span<SIMD8<UInt16>>, at index: Int, lane: Int, cost: Int) -> Int {
        let length = Int(lengths[SpectralBitTables.pairRow(index)][lane])
        return length < Int(SpectralBitTables.impossible) ? length &+ cost : Int(UInt16.max)
    }

    // MARK: Quads

    /// Counts the quads of a band in codebooks 1 to 4, each with its best choice of values.
    ///
    /// Lowers all magnitudes above 2.
    ///
    /// - Returns: The sum of lengths and lowering costs per codebook, in sixteenths of a bit.
    static func countQuads(_ quads: Span<RoundedQuad>, lengths: Span<SIMD4<UInt16>>) -> SIMD4<UInt16> {
        let lengths = lengths.extracting(0..<SpectralBitTables.quadCount)
        var sums = SIMD4<UInt16>(repeating: 0)
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            index &+= 1
            let choices = QuadChoices(quad)
            guard quad.lowerable != 0 else {
                sums &+= lengths[SpectralBitTables.quadRow(choices.index)]
                continue
            }
            if choices.isSimple {
                let line = choices.line
                let nearest = SIMD4<Int16>(truncatingIfNeeded: lengths[SpectralBitTables.quadRow(choices.index)])
                let row = SpectralBitTables.quadRow(choices.index &- Int(quad.weights[line]))
                let lowered = SIMD4<Int16>(truncatingIfNeeded: lengths[row]) &+ SIMD4(repeating: quad.loweringCosts[line])
                sums &+= SIMD4<UInt16>(truncatingIfNeeded: nearest.replacing(with: lowered, where: lowered .< nearest))
                continue
            }
            var best = SIMD4<Int16>(repeating: .max)
            choices.forEach(quad) { index, cost, _ in
                let length = SIMD4<Int16>(truncatingIfNeeded: lengths[SpectralBitTables.quadRow(index)])
                let units = length &+ SIMD4(repeating: Int16(truncatingIfNeeded: cost))
                best.replace(with: units, where: units .< best)
            }
            sums &+= SIMD4<UInt16>(truncatingIfNeeded: best)
        }
        return sums
    }

    /// Chooses the values of each quad in one codebook, nearest or lowered, with the minimum cost.
    static func chooseQuads(
        _ quads: Span<RoundedQuad>, codebook: Int, lengths: Span<SIMD4<UInt16>>, into quantized: inout MutableSpan<Int16>, at line: Int
    ) {
        let lengths = lengths.extracting(0..<SpectralBitTables.quadCount)
        var position = 0
        while position < quads.count {
            let quad = quads[position]
            guard quad.lowerable != 0 else {
                quantized.store(quad.values(lowering: 0), at: line &+ 4 &* position)
                position &+= 1
                continue
            }
            let choices = QuadChoices(quad)
            /// Returns the cost of a choice; prohibitive if the codebook cannot code it.
            @inline(__always)
            func units(_ index: Int, _ cost: Int) -> Int {
                let length = Int(lengths[SpectralBitTables.quadRow(index)][codebook &- 1])
                return length < Int(SpectralBitTables.impossible) ? length &+ cost : Int(UInt16.max)
            }
            var best = 0
            if choices.isSimple {
                let (line, nearest) = (choices.line, units(choices.index, 0))
                // For equal costs, more lowered values win.
                let lowered = units(choices.index &- Int(quad.weights[line]), Int(quad.loweringCosts[line]))
                best = lowered <= nearest ? 1 << line : 0
            } else {
                var least = Int.max
                choices.forEach(quad) { index, cost, lines in
                    let units = units(index, cost)
                    if units <= least { (best, least) = (lines, units) }
                }
            }
            quantized.store(quad.values(lowering: best), at: line &+ 4 &* position)
            position &+= 1
        }
    }
}
