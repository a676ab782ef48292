// SPDX-License-Identifier: Apache-2.0

/// Measures the true peak of one channel of a stream, with the filter that the limiter and reports also use.
package struct TruePeakMeter {
    private let interpolator: PeakInterpolator
    /// The samples that later points need; initially silence.
    private var samples = [Float](repeating: 0, count: PeakInterpolator.halfLength)
    /// The maximum amplitude of all completed points.
    private var largest: Float = 0

    /// Starts before the first sample.
    package init(_ interpolator: PeakInterpolator) { self.interpolator = interpolator }

    /// Adds samples.
    ///
    /// Non-finite samples count as silence.
    package mutating func add(_ new: ArraySlice<Float>) {
        let added = samples.count..<samples.count + new.count
        samples.append(contentsOf: new)
        var amplitude = PeakInterpolator.amplitude(samples, added)
        if amplitude == .infinity {
            for index in added where !samples[index].isFinite { samples[index] = 0 }
            amplitude = PeakInterpolator.amplitude(samples, added)
        }
        largest = max(largest, amplitude)
        // Points near the last samples need the samples that follow.
        let end = samples.count - PeakInterpolator.halfLength
        guard end > PeakInterpolator.halfLength else { return }
        largest = interpolator.truePeak(samples, PeakInterpolator.halfLength..<end, above: largest)
        samples.removeFirst(end - PeakInterpolator.halfLength)
    }

    /// The true peak amplitude so far, assuming that silence follows.
    package var peak: Float {
        var ended = self
        ended.add(ArraySlice(repeating: 0, count: PeakInterpolator.halfLength))
        return ended.largest
    }
}
