// SPDX-License-Identifier: Apache-2.0

/// A filter of order 10 with a memory, run over one sub-block after another.
package struct PredictionFilter: Sendable {
    /// The last ten samples of the signal before: of the input for the analysis, of the output for the synthesis; the latest is last.
    private var memory = [Float](repeating: 0, count: ILBCMode.filterOrder)

    /// Creates a filter with an empty memory.
    package init() {}

    /// Replaces samples by the residual of the prediction, A(z) (RFC 3951 3.3).
    ///
    /// - Parameters:
    ///   - samples: The signal.
    ///   - range: The samples to filter.
    ///   - coefficients: Eleven coefficients, the first of which is 1.
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

    /// Replaces samples by the output of the all-pole filter 1 / A(z) (4.7).
    ///
    /// - Parameters:
    ///   - samples: The excitation.
    ///   - range: The samples to filter.
    ///   - coefficients: Eleven coefficients, the first of which is 1.
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

    /// Returns the coefficients of A(z / chirp), whose spectral peaks are wider.
    static func expand(_ coefficients: [Float], by chirp: Float) -> [Float] {
        var factor: Float = 1
        return coefficients.map { coefficient in
            defer { factor *= chirp }
            return coefficient * factor
        }
    }
}
