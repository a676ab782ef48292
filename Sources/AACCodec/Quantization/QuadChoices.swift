// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

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
        let bits = SIMD4<Int32>(1, 2, 4, 8)
        // The weight, which has a sign, and the cost of each line in one number, so that one sum has both. The index has the forced lines lowered already.
        let isForced = (SIMD4(repeating: Int32(truncatingIfNeeded: forced)) & bits) .== bits
        let weights = SIMD4<Int32>(truncatingIfNeeded: quad.weights.lowHalf).replacing(with: SIMD4(repeating: 0), where: isForced)
        let changes = weights &+ SIMD4<Int32>(truncatingIfNeeded: quad.loweringCosts) &<< SIMD4(repeating: 16)
        var lowered: UInt32 = 0
        repeat {
            let lines = Int32(truncatingIfNeeded: lowered | forced)
            let isKept = (SIMD4(repeating: lines) & bits) .!= bits
            let sum = Int(changes.replacing(with: SIMD4(repeating: 0), where: isKept).wrappedSum())
            let weight = Int(Int16(truncatingIfNeeded: sum))
            body(index &- weight, min((sum &- weight) &>> 16, Self.largestCost), Int(lines))
            // The next larger number whose bits are among the optional ones.
            lowered = (lowered &- optional) & optional
        } while lowered != 0
    }
}
