// SPDX-License-Identifier: Apache-2.0

/// The all-pass filter that spreads the energy of the start state evenly over its samples (RFC 3951 3.5.2 and 4.2).
package enum DispersionFilter {
    /// Returns samples after the all-pass filter, whose tail is added to the beginning.
    ///
    /// - Parameters:
    ///   - samples: The start state, in time order to disperse it, reversed to undo that.
    ///   - coefficients: The quantised prediction filter of the sub-block where the state begins, eleven coefficients.
    package static func apply(to samples: [Float], with coefficients: [Float]) -> [Float] {
        let order = ILBCMode.filterOrder
        let count = samples.count
        // Zeros before the samples stand for the empty memory, those after them let the filter ring.
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
