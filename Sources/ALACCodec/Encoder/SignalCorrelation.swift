// SPDX-License-Identifier: Apache-2.0

/// The autocorrelation of the differences between successive samples.
///
/// The predictor's coefficients apply to differences from the oldest sample, so the prediction of a constant signal is exact. Prediction of
/// successive differences is equivalent.
struct SignalCorrelation {
    /// The sum of squares.
    private var energy: Double
    /// The sums of products at lags of 1 to 8 samples.
    private var lags = SIMD8<Double>(repeating: 0)

    static let maximumLag = 8

    /// Computes the autocorrelation of a signal with at least one sample.
    init(of samples: Span<Int32>) { self.init(count: samples.count) { Double(samples[$0]) } }

    /// Computes the autocorrelation of the difference of two signals.
    init(of left: Span<Int32>, minus right: Span<Int32>) { self.init(count: left.count) { Double(left[$0]) - Double(right[$0]) } }

    @inline(__always)
    private init(count: Int, _ sample: (Int) -> Double) {
        // The energy of rounding errors.
        energy = 0.1 * Double(count)
        // The weights rise and fall at the ends, as a parabola.
        let taper = min(256, count / 4)
        let scale = 1 / Double(max(1, taper))
        var history = SIMD8<Double>(repeating: 0)
        var previous = sample(0)
        for index in 1..<max(1, count) {
            let current = sample(index)
            var difference = current - previous
            previous = current
            let edge = min(index, count - index)
            if edge < taper {
                let position = Double(taper - edge) * scale
                difference *= 1 - position * position
            }
            energy += difference * difference
            lags += history * difference
            history = SIMD8(difference, history[0], history[1], history[2], history[3], history[4], history[5], history[6])
        }
    }

    /// Creates the autocorrelation of `right + weight * (left - right)`.
    ///
    /// - Parameters:
    ///   - left: The autocorrelation of the first signal.
    ///   - right: The autocorrelation of the second signal.
    ///   - difference: The autocorrelation of `left - right`.
    init(_ left: SignalCorrelation, _ right: SignalCorrelation, difference: SignalCorrelation, weight: Double) {
        let product = weight * (weight - 1)
        energy = weight * left.energy + (1 - weight) * right.energy + product * difference.energy
        lags = left.lags * weight + right.lags * (1 - weight) + difference.lags * product
    }

    /// Returns the predictor of an order (Levinson-Durbin recursion).
    ///
    /// - Parameter order: The number of coefficients, 1 to ``maximumLag``.
    /// - Returns: The coefficients of earlier differences, latest first, and the energy of the prediction error.
    func predictor(order: Int) -> (coefficients: SIMD8<Double>, error: Double) {
        var filter = SIMD8<Double>(repeating: 0)
        // Rounding errors of the sums must not make the error negative.
        var error = energy * (1 + 1e-9)
        guard error > 0 else { return (filter, 0) }
        for length in 0..<order {
            var sum = lags[length]
            for tap in 0..<length { sum -= filter[tap] * lags[length - 1 - tap] }
            let reflection = sum / error
            guard reflection.magnitude < 1 else { break }
            let earlier = filter
            for tap in 0..<length { filter[tap] -= reflection * earlier[length - 1 - tap] }
            filter[length] = reflection
            error *= 1 - reflection * reflection
        }
        return (filter, error)
    }

    /// Returns the initial coefficients of the adaptive filter, latest sample first.
    ///
    /// A history of differences is one shorter than the history of their samples.
    func coefficients(order: Int) -> SIMD8<Double> {
        let filter = predictor(order: order).coefficients
        // Each difference adds its coefficient to a sample and subtracts it from the sample before.
        var result = filter
        for tap in 1..<order { result[tap] -= filter[tap - 1] }
        result[0] += 1
        return result
    }
}
