// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The choices of a quad's values with magnitudes up to 2: the nearest value of each line, or the next lower one.
///
/// Magnitudes above 2 must be 3, and it must be possible to lower them.
struct QuadChoices {
    /// The index of the quad after lowering magnitudes above 2.
    let index: Int

    /// The bit mask of lines lowered in all choices.
    private let forced: UInt32

    /// The bit mask of lines that may be lowered in addition.
    private let optional: UInt32

    /// The maximum cost of lowering, in sixteenths of a bit.
    private static let maximumCost = 900

    @inline(__always)
    init(_ quad: RoundedQuad) {
        let limited = quad.magnitudes.minimum(SIMD8(repeating: 2))
        index = SpectralBitTables.Indices(magnitudes: limited, weights: quad.weights).quad
        forced = quad.above2
        optional = quad.lowerable & ~quad.above2
    }

    /// Whether at most one line can be lowered, and none must be.
    @inline(__always) var isSimple: Bool { forced == 0 && optional & (optional &- 1) == 0 }

    /// The line to lower if ``isSimple``; an arbitrary line if none can be lowered.
    @inline(__always) var line: Int { (optional | 8).trailingZeroBitCount }

    /// Calls `body` with the index, lowering cost and lowered lines of each choice.
    ///
    /// Subsets of lowered lines precede their supersets.
    @inline(__always)
    func forEach(_ quad: RoundedQuad, _ body: (_ index: Int, _ cost: Int, _ lines: Int) -> Void) {
        let bits = SIMD4<Int32>(1, 2, 4, 8)
        // One number per line contains the signed weight and the cost, so that one sum yields both. `index` already has the forced lines
        // lowered.
        let isForced = (SIMD4(repeating: Int32(truncatingIfNeeded: forced)) & bits) .== bits
        let weights = SIMD4<Int32>(truncatingIfNeeded: quad.weights.lowHalf).replacing(with: SIMD4(repeating: 0), where: isForced)
        let changes = weights &+ SIMD4<Int32>(truncatingIfNeeded: quad.loweringCosts) &<< SIMD4(repeating: 16)
        var lowered: UInt32 = 0
        repeat {
            let lines = Int32(truncatingIfNeeded: lowered | forced)
            let isKept = (SIMD4(repeating: lines) & bits) .!= bits
            let sum = Int(changes.replacing(with: SIMD4(repeating: 0), where: isKept).wrappedSum())
            let weight = Int(Int16(truncatingIfNeeded: sum))
            body(index &- weight, min((sum &- weight) &>> 16, Self.maximumCost), Int(lines))
            // The next larger subset of the optional bits.
            lowered = (lowered &- optional) & optional
        } while lowered != 0
    }
}
