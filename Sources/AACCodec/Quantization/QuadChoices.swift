// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The choices of a quad's values whose magnitudes are at most 2: each line's nearest value or the one below it.
///
/// All magnitudes above 2 must be 3 and can be lowered.
struct QuadChoices {
    /// The index of the quad whose magnitudes above 2 are lowered.
    let index: Int

    /// The lines that are lowered in all choices, as bits.
    private let forced: UInt32

    /// The lines that can be lowered besides them, as bits.
    private let optional: UInt32

    /// The largest cost of lowering, in sixteenths of a bit.
    private static let largestCost = 900

    /// Finds the choices of a quad.
    @inline(__always)
    init(_ quad: RoundedQuad) {
        let limited = quad.magnitudes.minimum(SIMD8(repeating: 2))
        index = SpectralBitTables.Indices(magnitudes: limited, weights: quad.weights).quad
        forced = quad.above2
        optional = quad.lowerable & ~quad.above2
    }

    /// Whether at most one line can be lowered, and none has to be.
    @inline(__always) var isSimple: Bool { forced == 0 && optional & (optional &- 1) == 0 }

    /// The line to lower where ``isSimple``; if none can be, any that can't.
    @inline(__always) var line: Int { (optional | 8).trailingZeroBitCount }

    /// Calls `body` with the index, the cost of lowering and the lowered lines of each choice; where `a` lowers all lines of `b`
    /// and more, `b` precedes `a`.
    @inline(__always)
    func forEach(_ quad: RoundedQuad, _ body: (_ index: Int, _ cost: Int, _ lines: Int) -> Void) {
        var indices = SIMD16<Int16>(repeating: Int16(truncatingIfNeeded: index))
        var costs = SIMD16<Int32>(repeating: 0)
        var lowered = SIMD16<Int16>(repeating: Int16(truncatingIfNeeded: forced))
        for line in 0..<4 where forced >> UInt32(line) & 1 != 0 { costs[0] &+= Int32(quad.loweringCosts[line]) }
        var count = 1
        var rest = optional
        while rest != 0 {
            let line = rest.trailingZeroBitCount
            rest &= rest &- 1
            for choice in 0..<count {
                indices[count &+ choice] = indices[choice] &- quad.weights[line]
                costs[count &+ choice] = costs[choice] &+ Int32(quad.loweringCosts[line])
                lowered[count &+ choice] = lowered[choice] | 1 << line
            }
            count &*= 2
        }
        for choice in 0..<count { body(Int(indices[choice]), min(Int(costs[choice]), Self.largestCost), Int(lowered[choice])) }
    }
}
