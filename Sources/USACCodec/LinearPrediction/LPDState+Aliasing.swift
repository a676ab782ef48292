// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// Forward aliasing cancellation at the borders of ACELP (ISO/IEC 23003-3, 7.16).
extension LPDState {
    /// Computes the signal that cancels the aliasing at a border.
    ///
    /// - Parameters:
    ///   - data: The coefficients; without any the signal is 0.
    ///   - gain: The gain of all coefficients.
    ///   - isShaped: Whether the lowest coefficients have the gains of the last TCX.
    ///   - filter: The filter at the border.
    /// - Note: The result is in ``correction``: as many samples as coefficients, then as many of the filter's decay.
    mutating func computeCorrection(
        _ data: borrowing AliasingData, gain: Float, isShaped: Bool, filter: PredictionFilter, filterBank: inout CoreFilterBank
    ) {
        let count = data.count
        correction.fill(0)
        guard data.isPresent else { return }
        for code in 0..<count / 8 {
            let coefficients = data.codes[code].vector
            for place in 0..<8 {
                let index = 8 * code + place
                // The transform has a factor of 2.
                var factor = gain / 2
                if isShaped && index < frameLength / 32 { factor *= tcx.low[index * tcx.length / frameLength] }
                work[index] = factor * Float(coefficients[place])
            }
        }
        do {
            var target = correction.mutableSpan
            filterBank.transformCosine(work.span.extracting(0..<count), into: &target)
        }
        decay(count, by: filter.weighted)
    }

    /// Filters ``correction`` by 1 / A(z) from a state of zeros, for twice as many samples as there are coefficients.
    private mutating func decay(_ count: Int, by filter: PredictionFilter) {
        var values = correction.mutableSpan
        for n in 0..<16 {
            for tap in 0..<n { values[n] -= filter[tap] * values[n - 1 - tap] }
        }
        // Taps 4 to 15 of the past in vectors, the others as they come.
        let oldest = SIMD4(filter[15], filter[14], filter[13], filter[12])
        let older = SIMD4(filter[11], filter[10], filter[9], filter[8])
        let old = SIMD4(filter[7], filter[6], filter[5], filter[4])
        let (tap0, tap1, tap2, tap3) = (filter[0], filter[1], filter[2], filter[3])
        var (y1, y2, y3, y4) = (values[15], values[14], values[13], values[12])
        for n in 16..<2 * count {
            let past = values.vector(at: n &- 16) * oldest + values.vector(at: n &- 12) * older + values.vector(at: n &- 8) * old
            let sum = values[n] - past.laneSum - y4 * tap3 - y3 * tap2 - y2 * tap1 - y1 * tap0
            values[n] = sum
            (y1, y2, y3, y4) = (sum, y1, y2, y3)
        }
    }

    /// Returns the gain of coefficients at a border of TCX.
    func correctionGain(count: Int) -> Float {
        tcx.gain / 2 * (Float(frameLength / 8) / Float(tcx.length)).squareRoot() * 2 / Float(count)
    }

    /// Adds ``correction`` to the signal from a time on.
    mutating func addCorrection(at time: Int, count: Int) {
        let source = correction.span
        var target = signal.mutableSpan
        let first = origin + time
        for index in 0..<count { target[first &+ index] += source[index] }
    }

    /// Adds to the signal after ACELP what a transform does not have there: the decay of its filter, and its mirror image.
    ///
    /// - Parameters:
    ///   - time: The end of ACELP.
    ///   - window: The rising slope of the transform, of twice the samples that overlap.
    mutating func addDecay(at time: Int, _ window: Span<Float>) {
        let count = window.count / 2
        let start = origin + time
        for index in 0..<16 { work[index] = signal[start - 16 + index] - Self.preEmphasis * signal[start - 17 + index] }
        let filter = lastFilter
        let (lower, upper) = (filter.lower, filter.upper)
        let oldest = SIMD4(upper[7], upper[6], upper[5], upper[4])
        let older = SIMD4(upper[3], upper[2], upper[1], upper[0])
        let old = SIMD4(lower[7], lower[6], lower[5], lower[4])
        let newest = SIMD4(lower[3], lower[2], lower[1], lower[0])
        var values = work.mutableSpan
        var target = signal.mutableSpan
        var last = target[start - 1]
        for index in 0..<count {
            var sums = values.vector(at: index) * oldest + values.vector(at: index &+ 4) * older
            sums += values.vector(at: index &+ 8) * old + values.vector(at: index &+ 12) * newest
            let sum = -sums.laneSum
            values[16 &+ index] = sum
            last = sum + Self.preEmphasis * last
            let rise = window[count &+ index]
            target[start &+ index] +=
                last * (1 - rise * rise) + target[start &- 1 &- index] * window[count &- 1 &- index] * rise
        }
    }
}
