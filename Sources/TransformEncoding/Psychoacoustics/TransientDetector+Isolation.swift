// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Detection of the transients that temporal noise shaping is meant for.
///
/// Measured in Tools.md#temporal-noise-shaping-of-pulses.
extension TransientDetector {
    /// Whether the current window contains an isolated transient in a region without low frequencies.
    ///
    /// The noise of a long window is uniform over time, so it precedes the transient. In a series of pulses, previous pulses mask it.
    package var hasIsolatedAttack: Bool { hasIsolatedAttack(from: Self.stepsPerBlock) }

    /// Whether the newest block of the current window contains such a transient.
    package var hasNewAttack: Bool { hasIsolatedAttack(from: 2 * Self.stepsPerBlock) }

    /// Returns whether such a transient is at step `first` or later, counted from the block before the window.
    private func hasIsolatedAttack(from first: Int) -> Bool {
        let energies = energies.span(first: Self.regionCount * Self.retainedCount)
        for region in 1..<Self.regionCount {
            // The block before the window, and the window.
            let steps = energies.extracting(region * Self.retainedCount..<region * Self.retainedCount + 3 * Self.stepsPerBlock)
            var loudest = SIMD4<Float>(repeating: quietEnergy)
            for step in stride(from: Self.stepsPerBlock, to: steps.count, by: 4) { loudest = loudest.maximum(steps.vector(at: step)) }
            let share = SIMD4<Float>(repeating: Self.attackWeight * loudest.most)
            // The maximum excess of a candidate step over its limit.
            var excess = SIMD4<Float>(repeating: 0)
            for step in stride(from: first, to: steps.count, by: 4) {
                let limit = (Self.previousPeak(steps, step) * Self.isolation).maximum(share)
                excess = excess.maximum(steps.vector(at: step) - limit)
            }
            if excess.most > 0 { return true }
        }
        return false
    }

    /// Returns the maximum energy one pulse period before each of four steps, over all periods with known steps.
    ///
    /// - Parameters:
    ///   - steps: The energies of one region.
    ///   - step: The first of the four steps, at least ``stepsPerBlock``.
    @inline(__always)
    private static func previousPeak(_ steps: Span<Float>, _ step: Int) -> SIMD4<Float> {
        var loudest = SIMD4<Float>(repeating: 0)
        if step >= maximumLowFrequencyPeriod {
            // Bounds that are known at compile time need no check.
            let before = steps.extracting(step &- maximumLowFrequencyPeriod..<step &+ 1)
            for period in minimumPeriod...maximumLowFrequencyPeriod {
                loudest = loudest.maximum(before.vector(at: maximumLowFrequencyPeriod - period))
            }
            return loudest
        }
        for period in minimumPeriod...stepsPerBlock { loudest = loudest.maximum(steps.vector(at: step - period)) }
        // Longer periods are known only for the later of the four steps.
        let (first, second) = (steps[0], max(steps[0], steps[1]))
        return loudest.maximum(SIMD4(0, first, second, max(second, steps[2])))
    }
}
