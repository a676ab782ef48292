// SPDX-License-Identifier: Apache-2.0

/// The pitch period at the end of an excitation, and its periodicity (RFC 3951, 4.5.2).
package struct PeriodAnalysis: Hashable, Sendable {
    /// The period, in samples.
    package let lag: Int

    /// The normalised correlation at this lag, from 0 to 1.
    package let voicing: Float

    /// The number of samples compared, which covers two of the shortest periods.
    private static let window = 120

    /// The candidate periods: 67 to 400 Hz, the range of the enhancer (4.6.1).
    private static let lags = 20...120

    /// The number of samples needed: the window preceded by the longest period.
    package static let sampleCount = 240

    /// Analyses the end of an excitation.
    package init(of excitation: [Float]) {
        let end = excitation.count
        var best = (lag: Self.lags.upperBound, voicing: Float(0))
        var energy: Float = 0
        for index in end - Self.window..<end { energy += excitation[index] * excitation[index] }
        for lag in Self.lags {
            var (product, earlier) = (Float(0), Float(0))
            for index in end - Self.window..<end {
                product += excitation[index] * excitation[index - lag]
                earlier += excitation[index - lag] * excitation[index - lag]
            }
            guard energy > 0, earlier > 0, product > 0 else { continue }
            let voicing = product / (energy * earlier).squareRoot()
            // Multiples of the period also correlate. The shortest period wins unless another is clearly better.
            if voicing > best.voicing * 1.02 { best = (lag, voicing) }
        }
        lag = best.lag
        voicing = min(1, best.voicing)
    }
}
