// SPDX-License-Identifier: Apache-2.0

/// Turns the residuals of one channel into its samples: an FIR filter of the differences from the oldest sample in its history, whose
/// coefficients move by one in the direction of the residual's sign.
struct AdaptivePredictor {
    /// The number of bits that a sample is truncated to: those above it repeat its sign.
    private let unusedBits: Int32
    private let parameters: PredictorParameters

    /// Creates a predictor.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of the channel.
    ///   - sampleBits: The number of bits of a sample, 1 to 32.
    init(_ parameters: PredictorParameters, sampleBits: Int) {
        self.parameters = parameters
        unusedBits = Int32(32 - sampleBits)
    }

    /// Replaces the residuals in a range, which is not empty, by samples.
    func restore(_ samples: inout MutableSpan<Int32>, _ range: Range<Int>) {
        // A sample that no prediction is added to can only be too large in a damaged packet.
        truncate(&samples, parameters.order == 0 ? range : range.prefix(1))
        let following = range.dropFirst()
        if parameters.isDifferentiated { integrate(&samples, following) }
        // Until the filter has its history, each sample is predicted by the one before it.
        integrate(&samples, following.prefix(parameters.order))
        let rest = following.dropFirst(parameters.order)
        // Encoders use orders of 4 to 8; a constant number of coefficients keeps them in registers.
        switch parameters.order {
        case 0: return
        case 4: predict(&samples, rest, SIMD4(repeating: 0), order: 4)
        case 5: predict(&samples, rest, SIMD8(repeating: 0), order: 5)
        case 6: predict(&samples, rest, SIMD8(repeating: 0), order: 6)
        case 8: predict(&samples, rest, SIMD8(repeating: 0), order: 8)
        case PredictorParameters.firstOrder: integrate(&samples, rest)
        default: predict(&samples, rest, parameters.coefficients, order: parameters.order)
        }
    }

    /// Truncates the samples of a range.
    private func truncate(_ samples: inout MutableSpan<Int32>, _ range: Range<Int>) {
        for index in range { samples[index] = truncated(samples[index]) }
    }

    /// Predicts each sample of a range by the one before it.
    private func integrate(_ samples: inout MutableSpan<Int32>, _ range: Range<Int>) {
        for index in range { samples[index] = truncated(samples[index] &+ samples[index - 1]) }
    }

    /// Predicts the samples of a range, before which is the history, by the adaptive filter.
    ///
    /// - Parameters:
    ///   - samples: The samples before the range and the residuals in it.
    ///   - range: The range to predict.
    ///   - coefficients: Room for the coefficients.
    ///   - order: The number of coefficients: a literal, where they are in a vector.
    @inline(__always)
    private func predict<Coefficients: PredictorCoefficients>(
        _ samples: inout MutableSpan<Int32>, _ range: Range<Int>, _ coefficients: Coefficients, order: Int
    ) {
        let isLong = Coefficients.self == ContiguousArray<Int32>.self
        var coefficients = coefficients
        var differences = coefficients
        for tap in 0..<order { coefficients[tap] = parameters.coefficients[tap] }
        let shift = Int32(parameters.coefficientShift)
        let rounding: Int32 = shift > 0 ? 1 << (shift - 1) : 0
        for index in range {
            let oldest = samples[index - order - 1]
            var sum = rounding
            for tap in 0..<order {
                differences[tap] = samples[index - 1 - tap] &- oldest
                sum &+= coefficients[tap] &* differences[tap]
            }
            let residual = samples[index]
            samples[index] = truncated(residual &+ oldest &+ sum &>> shift)
            // The coefficients move, that of the oldest sample first, until what they would have corrected exceeds the residual.
            let sign = residual.signum()
            let roundingUp = sign < 0 ? 1 &<< shift - 1 : 0
            var left = residual &* sign
            for weight in 1...order {
                let tap = order - weight
                let direction = differences[tap].signum()
                // A mask and not a branch, which would be mispredicted; a long filter gains more by the branch.
                let isActive: Int32 = left > 0 ? -1 : 0
                coefficients[tap] = Int32(Int16(truncatingIfNeeded: coefficients[tap] &+ direction &* sign & isActive))
                if isLong, left <= 0 { break }
                left &-= Int32(weight) &* ((direction &* differences[tap] &+ roundingUp) &>> shift)
            }
        }
    }

    /// Returns a number with the bits of a sample only.
    private func truncated(_ value: Int32) -> Int32 { (value &<< unusedBits) &>> unusedBits }
}

/// The storage of coefficients and of differences: a vector for the orders that encoders use, an array for others.
private protocol PredictorCoefficients {
    /// The value of a coefficient.
    subscript(index: Int) -> Int32 { get set }
}

extension SIMD4<Int32>: PredictorCoefficients {}
extension SIMD8<Int32>: PredictorCoefficients {}
extension ContiguousArray<Int32>: PredictorCoefficients {}
