// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The costs of tuples, and the choice of their values.
extension TupleQuantizer {
    /// Returns a value with its magnitude lowered by 1; for 0, which is never lowered, the result has no meaning.
    @inline(__always)
    private static func lowered(_ value: Int) -> Int { value > 0 ? value &- 1 : value &+ 1 }

    // MARK: Pairs

    /// Counts the pairs of a band in codebooks 5 to 11, each with its best choice of values.
    ///
    /// - Returns: The sum of lengths and lowering costs in each codebook, in sixteenths of a bit, and the bits of escape sequences.
    static func countPairs(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, in range: Range<Int>, lengths: Span<SIMD8<UInt16>>, largest: Int
    ) -> (units: SIMD8<UInt16>, escapes: Int) {
        var sums = SIMD8<UInt16>(repeating: 0)
        var escapes = 0
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            var (a, b) = (Int(nearest[line]), Int(nearest[line + 1]))
            if largest >= 16 { escapes &+= SpectralBitTables.clipEscape(&a) &+ SpectralBitTables.clipEscape(&b) }
            var best = lengths[SpectralBitTables.pairIndex(a, b)]
            let (costA, costB) = (loweringCosts[line], loweringCosts[line + 1])
            if costA != never {
                best = least(best, lengths[SpectralBitTables.pairIndex(lowered(a), b)] &+ SIMD8(repeating: costA))
                if costB != never {
                    let both = lengths[SpectralBitTables.pairIndex(lowered(a), lowered(b))]
                    best = least(best, both &+ SIMD8(repeating: costA &+ costB))
                }
            }
            if costB != never {
                best = least(best, lengths[SpectralBitTables.pairIndex(a, lowered(b))] &+ SIMD8(repeating: costB))
            }
            sums &+= best
        }
        return (sums, escapes)
    }

    /// Returns the smaller of each pair of lanes.
    @inline(__always)
    private static func least(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> { a.replacing(with: b, where: b .< a) }

    /// Chooses the values of each pair in one codebook, nearest or lowered, with the lowest cost.
    static func choosePairs(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, in range: Range<Int>, book: Int, lengths: Span<SIMD8<UInt16>>,
        into quantized: inout MutableSpan<Int16>
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let (a, b) = (Int(nearest[line]), Int(nearest[line + 1]))
            let (costA, costB) = (loweringCosts[line], loweringCosts[line + 1])
            var best = (first: a, second: b, units: pairUnits(a, b, book: book, lengths, loweringCost: 0))
            if costA != never {
                let units = pairUnits(lowered(a), b, book: book, lengths, loweringCost: costA)
                if units < best.units { best = (lowered(a), b, units) }
            }
            if costB != never {
                let units = pairUnits(a, lowered(b), book: book, lengths, loweringCost: costB)
                if units < best.units { best = (a, lowered(b), units) }
            }
            if costA != never && costB != never {
                let units = pairUnits(lowered(a), lowered(b), book: book, lengths, loweringCost: costA &+ costB)
                if units < best.units { best = (lowered(a), lowered(b), units) }
            }
            quantized[line] = Int16(truncatingIfNeeded: best.first)
            quantized[line + 1] = Int16(truncatingIfNeeded: best.second)
        }
    }

    /// Returns the cost of a pair in one codebook without escape sequences, which are the same for all choices, since only values below 16
    /// are lowered; the largest number if the codebook can't code it.
    @inline(__always)
    private static func pairUnits(_ a: Int, _ b: Int, book: Int, _ lengths: Span<SIMD8<UInt16>>, loweringCost: UInt16) -> UInt16 {
        var (clippedA, clippedB) = (a, b)
        _ = SpectralBitTables.clipEscape(&clippedA)
        _ = SpectralBitTables.clipEscape(&clippedB)
        let length = lengths[SpectralBitTables.pairIndex(clippedA, clippedB)][book &- 5]
        return length < SpectralBitTables.impossible ? length &+ loweringCost : .max
    }

    // MARK: Quads

    /// Counts the quads of a band in codebooks 1 to 4, each with its best choice of values.
    ///
    /// - Returns: The sum of lengths and lowering costs in each codebook, in sixteenths of a bit.
    static func countQuads(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, in range: Range<Int>, lengths: Span<SIMD4<UInt16>>
    ) -> SIMD4<UInt16> {
        var sums = SIMD4<UInt16>(repeating: 0)
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            var best = SIMD4<UInt16>(repeating: .max)
            forEachChoice(nearest, loweringCosts, at: line) { values, cost in
                let candidate = lengths[SpectralBitTables.quadIndex(values.0, values.1, values.2, values.3)] &+ SIMD4(repeating: cost)
                best.replace(with: candidate, where: candidate .< best)
            }
            sums &+= best
        }
        return sums
    }

    /// Chooses the values of each quad in one codebook, nearest or lowered, with the lowest cost.
    static func chooseQuads(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, in range: Range<Int>, book: Int, lengths: Span<SIMD4<UInt16>>,
        into quantized: inout MutableSpan<Int16>
    ) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            var best = UInt16.max
            forEachChoice(nearest, loweringCosts, at: line) { values, cost in
                let length = lengths[SpectralBitTables.quadIndex(values.0, values.1, values.2, values.3)][book &- 1]
                guard length < SpectralBitTables.impossible, length &+ cost < best else { return }
                best = length &+ cost
                quantized[line] = Int16(truncatingIfNeeded: values.0)
                quantized[line + 1] = Int16(truncatingIfNeeded: values.1)
                quantized[line + 2] = Int16(truncatingIfNeeded: values.2)
                quantized[line + 3] = Int16(truncatingIfNeeded: values.3)
            }
        }
    }

    /// Calls `body` with all choices of a quad's values whose magnitudes are at most 2, and the cost of lowering in each.
    @inline(__always)
    private static func forEachChoice(
        _ nearest: Span<Int16>, _ loweringCosts: Span<UInt16>, at line: Int, _ body: ((Int, Int, Int, Int), UInt16) -> Void
    ) {
        var lowerable = 0
        var forced = 0
        for lane in 0..<4 {
            if nearest[line &+ lane].magnitude > 2 { forced |= 1 << lane }
            if loweringCosts[line &+ lane] != never { lowerable |= 1 << lane }
        }
        // All subsets of the lines that can be lowered, in descending order, that include those that have to be.
        var chosen = lowerable
        while true {
            if chosen & forced == forced {
                var cost: UInt16 = 0
                for lane in 0..<4 where chosen >> lane & 1 != 0 { cost &+= loweringCosts[line &+ lane] }
                let values = (
                    value(nearest[line], isLowered: chosen & 1 != 0), value(nearest[line &+ 1], isLowered: chosen & 2 != 0),
                    value(nearest[line &+ 2], isLowered: chosen & 4 != 0), value(nearest[line &+ 3], isLowered: chosen & 8 != 0)
                )
                body(values, min(cost, 900))
            }
            if chosen == 0 { break }
            chosen = (chosen &- 1) & lowerable
        }
    }

    /// Returns a line's nearest value or the one below it.
    @inline(__always)
    private static func value(_ nearest: Int16, isLowered: Bool) -> Int { isLowered ? lowered(Int(nearest)) : Int(nearest) }
}
