// SPDX-License-Identifier: Apache-2.0

/// Finds the true peak of a channel of a stream, by the filter of the limiter and of reports.
package struct TruePeakMeter {
    private let interpolator: PeakInterpolator
    /// The samples that later points need, at first the silence before the signal.
    private var samples = [Float](repeating: 0, count: PeakInterpolator.halfLength)
    /// The largest amplitude of the points that are complete.
    private var largest: Float = 0

    /// Starts before the first sample.
    package init(_ interpolator: PeakInterpolator) { self.interpolator = interpolator }

    /// Adds samples; those that are no finite numbers count as silence.
    package mutating func add(_ new: ArraySlice<Float>) {
        for sample in new { samples.append(sample.isFinite ? sample : 0) }
        // Points up to the last samples need those that follow.
        let end = samples.count - PeakInterpolator.halfLength
        guard end > PeakInterpolator.halfLength else { return }
        largest = interpolator.truePeak(samples, PeakInterpolator.halfLength..<end, above: largest)
        samples.removeFirst(end - PeakInterpolator.halfLength)
    }

    /// The true peak of everything so far, followed by silence, as an amplitude.
    package var peak: Float {
        var ended = self
        ended.add(ArraySlice(repeating: 0, count: PeakInterpolator.halfLength))
        return ended.largest
    }
}
