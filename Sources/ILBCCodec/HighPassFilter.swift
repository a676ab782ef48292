// SPDX-License-Identifier: Apache-2.0

/// A second-order high-pass filter for the codec's input or output (RFC 3951, 3.1 and 4.8).
package struct HighPassFilter: Sendable {
    /// The feedforward coefficients.
    private let zeros: (Float, Float, Float)
    /// The feedback coefficients.
    private let poles: (Float, Float)
    private var inputs: (Float, Float) = (0, 0)
    private var outputs: (Float, Float) = (0, 0)

    /// Returns the input filter, which removes frequencies below 90 Hz.
    package static func input() -> Self {
        Self(zeros: (0.92727436, -1.8544941, 0.92727436), poles: (-1.9059465, 0.9114024))
    }

    /// Returns the output filter, which removes frequencies below 65 Hz.
    package static func output() -> Self {
        Self(zeros: (0.93980581, -1.8795834, 0.93980581), poles: (-1.9330735, 0.93589199))
    }

    private init(zeros: (Float, Float, Float), poles: (Float, Float)) {
        self.zeros = zeros
        self.poles = poles
    }

    package mutating func filter(_ samples: inout [Float]) {
        for index in samples.indices {
            let input = samples[index]
            let output =
                zeros.0 * input + zeros.1 * inputs.0 + zeros.2 * inputs.1 - poles.0 * outputs.0 - poles.1 * outputs.1
            inputs = (input, inputs.0)
            outputs = (output, outputs.0)
            samples[index] = output
        }
    }
}
