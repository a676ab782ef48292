// SPDX-License-Identifier: Apache-2.0

/// A filter of order 10 with memory, applied to consecutive sub-blocks.
package struct PredictionFilter: Sendable {
    /// The last ten samples, of the input for analysis or the output for synthesis, the latest last.
    private var memory = [Float](repeating: 0, count: ILBCMode.filterOrder)

    /// Creates a filter with a zero memory.
    package init() {}

    /// Replaces samples by the prediction residual, filtering with A(z) (RFC 3951, 3.3).
    ///
    /// - Parameter coefficients: Eleven coefficients, the first of them 1.
    package mutating func analyze(_ samples: inout [Float], _ range: Range<Int>, with coefficients: [Float]) {
        let order = ILBCMode.filterOrder
        let source = memory + samples[range]
        for index in 0..<range.count {
            var sum: Float = 0
            for lag in 0...order { sum += coefficients[lag] * source[index + order - lag] }
            samples[range.lowerBound + index] = sum
        }
        memory = Array(source.suffix(order))
    }

    /// Filters samples with the all-pole filter 1 / A(z) (4.7).
    ///
    /// - Parameter coefficients: Eleven coefficients, the first of them 1.
    package mutating func synthesize(_ samples: inout [Float], _ range: Range<Int>, with coefficients: [Float]) {
        let order = ILBCMode.filterOrder
        for index in range {
            var sum = samples[index]
            for lag in 1...order { sum -= coefficients[lag] * memory[order - lag] }
            for position in 1..<order { memory[position - 1] = memory[position] }
            memory[order - 1] = sum
            samples[index] = sum
        }
    }

    /// Returns the coefficients of A(z / chirp), which widens spectral peaks.
    static func expand(_ coefficients: [Float], by chirp: Float) -> [Float] {
        var factor: Float = 1
        return coefficients.map { coefficient in
            defer { factor *= chirp }
            return coefficient * factor
        }
    }
}
