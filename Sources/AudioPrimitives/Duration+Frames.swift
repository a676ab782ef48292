// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Returns the nearest number of sample frames, clamped to `Int`.
    ///
    /// - Parameter sampleRate: The sample rate, in hertz.
    package func frameCount(atRate sampleRate: Int) -> Int {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
        guard !overflows else { return seconds < 0 ? .min : .max }
        let fraction = Int64((Double(attoseconds) * 1e-18 * Double(sampleRate)).rounded())
        let (sum, overflowsToo) = whole.addingReportingOverflow(fraction)
        return overflowsToo ? (seconds < 0 ? .min : .max) : Int(clamping: sum)
    }

    /// Creates the duration of a number of sample frames.
    ///
    /// - Parameter sampleRate: The sample rate in hertz, positive.
    package init(frameCount: Int, sampleRate: Int) {
        let (seconds, rest) = frameCount.quotientAndRemainder(dividingBy: sampleRate)
        self = .seconds(seconds) + .seconds(Double(rest) / Double(sampleRate))
    }
}

extension Range<Duration> {
    /// Returns the sample frames between the bounds, each rounded to the nearest frame and not negative.
    ///
    /// - Parameter sampleRate: The sample rate, in hertz.
    package func frames(atRate sampleRate: Int) -> Range<Int> {
        let first = Swift.max(0, lowerBound.frameCount(atRate: sampleRate))
        return first..<Swift.max(first, upperBound.frameCount(atRate: sampleRate))
    }
}
