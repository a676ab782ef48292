// SPDX-License-Identifier: Apache-2.0

/// The mixing weight of a channel pair and the correlations of both mixed channels.
struct StereoChoice {
    /// The weight of the difference with ``weightShift`` fractional bits, or 0 if the channels are not mixed.
    private(set) var weight = 0
    private(set) var first: SignalCorrelation
    private(set) var second: SignalCorrelation

    private static let weightShift = 4
    private static let order = 8

    /// Chooses the weight with the smallest product of both prediction errors, which determines the number of bits.
    ///
    /// - Parameter isBounded: Whether the mean must be between the left and the right channel.
    init(_ left: SignalCorrelation, _ right: SignalCorrelation, difference: SignalCorrelation, frameCount: Int, isBounded: Bool) {
        (first, second) = (left, right)
        // A residual costs some bits even if it is almost always zero.
        let floor = 0.3 * Double(frameCount)
        func error(_ correlation: SignalCorrelation) -> Double { correlation.predictor(order: Self.order).error + floor }
        let separate = error(left) * error(right)
        let differenceError = error(difference)
        var best = separate / differenceError
        var step = isBounded ? 1 : 8
        // Weights are signed, but FFmpeg reads them without sign.
        var weights = isBounded ? 1...16 : 8...80
        while true {
            for candidate in stride(from: weights.lowerBound, through: weights.upperBound, by: step) {
                let mean = SignalCorrelation(
                    left, right, difference: difference, weight: Double(candidate) / Double(1 << Self.weightShift))
                let meanError = error(mean)
                guard meanError < best else { continue }
                (best, weight, first, second) = (meanError, candidate, mean, difference)
            }
            guard step > 1 else { return }
            weights = max(1, weight - step + 1)...weight + step - 1
            step = 1
        }
    }

    var matrix: StereoMatrix { StereoMatrix(weight: weight, shift: Self.weightShift) }
}
