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
    mutating func computeCorrection(_ data: borrowing AliasingData, gain: Float, isShaped: Bool, filter: PredictionFilter) {
        let count = data.count
        correction.fill(0)
        guard data.isPresent else { return }
        for index in 0..<count {
            var factor = gain
            if isShaped && index < frameLength / 32 { factor *= tcx.low[index * tcx.length / frameLength] }
            work[index] = factor * Float(data.coefficients[index])
        }
        // A cosine transform of type IV: the angles are odd multiples of π / (4 count).
        let step = frameLength / (8 * count)
        let table = cosines.span
        let values = work.span
        for n in 0..<count {
            var sum: Float = 0
            // From index to index the angle grows by twice the first one, in whole turns of the table.
            var angle = (2 &* n &+ 1) &* step % frameLength
            let advance = 2 &* angle % frameLength
            for index in 0..<count {
                sum += values[index] * table[angle]
                angle &+= advance
                if angle >= frameLength { angle &-= frameLength }
            }
            correction[n] = sum
        }
        let weighted = filter.weighted
        for n in 0..<2 * count {
            var sum = correction[n]
            for tap in 0..<min(16, n) { sum -= weighted[tap] * correction[n - 1 - tap] }
            correction[n] = sum
        }
    }

    /// Returns the gain of coefficients at a border of TCX.
    func correctionGain(count: Int) -> Float {
        tcx.gain / 2 * (Float(frameLength / 8) / Float(tcx.length)).squareRoot() * 2 / Float(count)
    }

    /// Adds ``correction`` to the signal from a time on.
    mutating func addCorrection(at time: Int, count: Int) {
        for index in 0..<count { signal[origin + time + index] += correction[index] }
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
        var last = signal[start - 1]
        for index in 0..<count {
            var sum: Float = 0
            for tap in 0..<16 { sum -= lastFilter[tap] * work[15 + index - tap] }
            work[16 + index] = sum
            last = sum + Self.preEmphasis * last
            let rise = window[count + index]
            signal[start + index] += last * (1 - rise * rise) + signal[start - 1 - index] * window[count - 1 - index] * rise
        }
    }
}
