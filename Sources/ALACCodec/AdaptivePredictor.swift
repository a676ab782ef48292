// SPDX-License-Identifier: Apache-2.0

/// Reconstructs one channel from its residuals with an adaptive FIR filter.
///
/// The filter predicts from differences to the oldest sample in its history. Each coefficient moves by one in the direction of the
/// residual's sign.
struct AdaptivePredictor {
    /// 32 minus the sample size in bits, from which samples are sign-extended.
    private let unusedBits: Int32
    private let parameters: PredictorParameters

    /// Creates a predictor for samples of 1 to 32 bits.
    init(_ parameters: PredictorParameters, sampleBits: Int) {
        self.parameters = parameters
        unusedBits = Int32(32 - sampleBits)
    }

    /// Replaces the residuals in a non-empty range by samples.
    func restore(_ samples: inout MutableSpan<Int32>, _ range: Range<Int>) {
        // Only a damaged packet has too large samples here, where no prediction is added.
        truncate(&samples, parameters.order == 0 ? range : range.prefix(1))
        let following = range.dropFirst()
        if parameters.isDifferentiated { integrate(&samples, following) }
        // Until the filter has its history, the previous sample is the prediction.
        integrate(&samples, following.prefix(parameters.order))
        let rest = following.dropFirst(parameters.order)
        // Encoders use orders 4 to 8. A constant order keeps the coefficients in registers.
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

    private func truncate(_ samples: inout MutableSpan<Int32>, _ range: Range<Int>) {
        for index in range { samples[index] = truncated(samples[index]) }
    }

    /// Predicts each sample of a range from the previous sample.
    private func integrate(_ samples: inout MutableSpan<Int32>, _ range: Range<Int>) {
        for index in range { samples[index] = truncated(samples[index] &+ samples[index - 1]) }
    }

    /// Predicts the samples of a range, which follows the history, with the adaptive filter.
    ///
    /// - Parameters:
    ///   - samples: The history before the range and the residuals in it.
    ///   - coefficients: Storage for the coefficients.
    ///   - order: The number of coefficients, a literal if they are in a vector.
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
            // Starting at the oldest sample, coefficients move until their correction exceeds the residual.
            let sign = residual.signum()
            let roundingUp = sign < 0 ? 1 &<< shift - 1 : 0
            var left = residual &* sign
            for weight in 1...order {
                let tap = order - weight
                let direction = differences[tap].signum()
                // A mask avoids mispredicted branches. For a long filter the branch is faster.
                let isActive: Int32 = left > 0 ? -1 : 0
                coefficients[tap] = Int32(Int16(truncatingIfNeeded: coefficients[tap] &+ direction &* sign & isActive))
                if isLong, left <= 0 { break }
                left &-= Int32(weight) &* ((direction &* differences[tap] &+ roundingUp) &>> shift)
            }
        }
    }

    /// Returns a value sign-extended from the sample size.
    private func truncated(_ value: Int32) -> Int32 { (value &<< unusedBits) &>> unusedBits }
}

/// The storage of coefficients and differences: a vector for common orders, an array for others.
private protocol PredictorCoefficients {
    subscript(index: Int) -> Int32 { get set }
}

extension SIMD4<Int32>: PredictorCoefficients {}
extension SIMD8<Int32>: PredictorCoefficients {}
extension ContiguousArray<Int32>: PredictorCoefficients {}
