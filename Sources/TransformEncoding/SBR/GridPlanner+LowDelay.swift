// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Time grid selection for low delay SBR (`ld_grid`, ISO/IEC 14496-3:2009, 4.6.19), in which no envelope extends into the next frame.
extension GridPlanner {
    /// Chooses the cheapest of the FIXFIX grids and the grids with a transient (LD_TRAN).
    mutating func planLowDelay(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>) {
        grid = SBRGrid()
        boundaries = EnvelopeBoundaries(from: 0, to: slotCount)
        var lowest = steadyCost(low, high, 0, slotCount)
        // Any other grid costs at least this.
        guard lowest > GridSearch.envelopeCost else { return }
        for shift in 1...3 {
            var candidate = SBRGrid()
            candidate.fixedEnvelopeCount = 1 << shift
            consider(candidate, added: 0, low, high, &lowest)
        }
        for position in 0..<slotCount where mayBeOnset(position) {
            var candidate = SBRGrid()
            candidate.setTransient(position, slotCount: slotCount)
            consider(candidate, added: GridSearch.envelopeCost * GridSearch.variableWeight, low, high, &lowest)
        }
    }

    /// Returns whether the energy rises at a time slot.
    ///
    /// The frame's first two time slots always count as rising.
    private func mayBeOnset(_ slot: Int) -> Bool {
        slot < 2 || meanLogarithm(slot, min(slot + 2, slotCount)) - meanLogarithm(slot - 2, slot) > Self.onsetRise / 2
    }

    /// Selects a grid if it is cheaper than the best so far.
    ///
    /// - Parameter added: The cost of the grid apart from its envelopes.
    private mutating func consider(
        _ candidate: SBRGrid, added: Float, _ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>, _ lowest: inout Float
    ) {
        guard let bounds = EnvelopeBoundaries(candidate, slotCount: slotCount) else { return }
        var sum = added + GridSearch.envelopeCost * Float(bounds.count - 1)
        for index in 0..<bounds.count where sum < lowest { sum += steadyCost(low, high, bounds[index], bounds[index + 1]) }
        guard sum < lowest else { return }
        (grid, boundaries, lowest) = (candidate, bounds, sum)
    }
}
