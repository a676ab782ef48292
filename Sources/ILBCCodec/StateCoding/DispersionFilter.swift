// SPDX-License-Identifier: Apache-2.0

/// The all-pass filter that spreads the start state's energy evenly over its samples (RFC 3951, 3.5.2 and 4.2).
package enum DispersionFilter {
    /// Returns all-pass filtered samples, with the tail added to the beginning.
    ///
    /// - Parameters:
    ///   - samples: The start state, time-reversed to undo the dispersion.
    ///   - coefficients: The eleven coefficients of the quantised prediction filter where the state starts.
    package static func apply(to samples: [Float], with coefficients: [Float]) -> [Float] {
        let order = ILBCMode.filterOrder
        let count = samples.count
        // The leading zeros are the empty memory. The trailing ones let the filter ring.
        let input = [Float](repeating: 0, count: order) + samples + [Float](repeating: 0, count: count)
        var output = [Float](repeating: 0, count: order + 2 * count)
        for index in order..<output.count {
            var sum: Float = 0
            for lag in 0...order { sum += coefficients[order - lag] * input[index - lag] }
            for lag in 1...order { sum -= coefficients[lag] * output[index - lag] }
            output[index] = sum
        }
        return (0..<count).map { output[order + $0] + output[order + count + $0] }
    }
}
