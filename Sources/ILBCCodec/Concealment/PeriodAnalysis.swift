// SPDX-License-Identifier: Apache-2.0

/// The pitch period at the end of an excitation and how periodic it is (RFC 3951 4.5.2).
package struct PeriodAnalysis: Hashable, Sendable {
    /// The period in samples.
    package let lag: Int

    /// The normalised correlation at this lag, from 0 to 1.
    package let voicing: Float

    /// The number of samples compared: more than the shortest periods, so that two of them are seen.
    private static let window = 120

    /// The periods in question: 67 to 400 Hz, the range of the enhancer (4.6.1).
    private static let lags = 20...120

    /// The number of samples that the analysis needs: the window and the longest period before it.
    package static let sampleCount = 240

    /// Analyses the last samples of an excitation.
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
            // Multiples of the period correlate as well; the shortest is kept unless another is clearly better.
            if voicing > best.voicing * 1.02 { best = (lag, voicing) }
        }
        lag = best.lag
        voicing = min(1, best.voicing)
    }
}
