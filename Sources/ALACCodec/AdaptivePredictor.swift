// SPDX-License-Identifier: Apache-2.0

/// Converts one channel between samples and residuals with an adaptive FIR filter.
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

    /// Adds the prediction of the adaptive filter to the residuals of a range, which follows the history.
    ///
    /// - Parameters:
    ///   - samples: The history before the range and the residuals in it.
    ///   - order: The number of coefficients, a literal if they are in a vector.
    @inline(__always)
    private func predict<Coefficients: PredictorCoefficients>(
        _ samples: inout MutableSpan<Int32>, _ range: Range<Int>, _ coefficients: Coefficients, order: Int
    ) {
        var filter = AdaptiveFilter(parameters, storage: coefficients, order: order)
        for index in range {
            let residual = samples[index]
            samples[index] = truncated(residual &+ filter.prediction(at: index, samples.span, order: order))
            filter.adapt(to: residual, order: order)
        }
    }

    /// Writes the residuals of samples, without an additional first-order filter.
    ///
    /// - Parameters:
    ///   - samples: The samples, sign-extended from the sample size.
    ///   - residuals: Receives the residuals, sign-extended from the sample size.
    ///   - frameCount: The number of samples, at least one.
    func subtract(from samples: ContiguousArray<Int32>, into residuals: inout ContiguousArray<Int32>, frameCount: Int) {
        let samples = samples.span.extracting(0..<frameCount)
        var residuals = residuals.mutableSpan
        residuals[0] = samples[0]
        let start = min(frameCount, 1 + parameters.order)
        for index in 1..<start { residuals[index] = truncated(samples[index] &- samples[index - 1]) }
        if parameters.order == 4 {
            subtract(from: samples, into: &residuals, start, SIMD4(repeating: 0), order: 4)
        } else {
            precondition(parameters.order == 8, "the encoder uses orders 4 and 8")
            subtract(from: samples, into: &residuals, start, SIMD8(repeating: 0), order: 8)
        }
    }

    /// Subtracts the prediction of the adaptive filter from the samples from `start` on, which follow the history.
    @inline(__always)
    private func subtract<Coefficients: PredictorCoefficients>(
        from samples: Span<Int32>, into residuals: inout MutableSpan<Int32>, _ start: Int, _ coefficients: Coefficients, order: Int
    ) {
        var filter = AdaptiveFilter(parameters, storage: coefficients, order: order)
        for index in start..<samples.count {
            let residual = truncated(samples[index] &- filter.prediction(at: index, samples, order: order))
            residuals[index] = residual
            filter.adapt(to: residual, order: order)
        }
    }

    /// Returns a value sign-extended from the sample size.
    private func truncated(_ value: Int32) -> Int32 { (value &<< unusedBits) &>> unusedBits }
}

private struct AdaptiveFilter<Coefficients: PredictorCoefficients> {
    private var coefficients: Coefficients
    /// The differences of the latest prediction to the oldest sample.
    private var differences: Coefficients
    private let shift: Int32
    private let rounding: Int32

    /// Creates a filter.
    @inline(__always)
    init(_ parameters: PredictorParameters, storage: Coefficients, order: Int) {
        coefficients = storage
        differences = storage
        for tap in 0..<order { coefficients[tap] = parameters.coefficients[tap] }
        shift = Int32(parameters.coefficientShift)
        rounding = shift > 0 ? 1 << (shift - 1) : 0
    }

    /// Returns the prediction of the sample at an index after the history.
    @inline(__always)
    mutating func prediction(at index: Int, _ samples: Span<Int32>, order: Int) -> Int32 {
        let oldest = samples[index - order - 1]
        var sum = rounding
        for tap in 0..<order {
            differences[tap] = samples[index - 1 - tap] &- oldest
            sum &+= coefficients[tap] &* differences[tap]
        }
        return oldest &+ sum &>> shift
    }

    /// Adapts the coefficients to the residual of the latest prediction.
    @inline(__always)
    mutating func adapt(to residual: Int32, order: Int) {
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
            if Coefficients.self == ContiguousArray<Int32>.self, left <= 0 { break }
            left &-= Int32(weight) &* ((direction &* differences[tap] &+ roundingUp) &>> shift)
        }
    }
}

/// The storage of coefficients and differences: a vector for common orders, an array for others.
private protocol PredictorCoefficients {
    subscript(index: Int) -> Int32 { get set }
}

extension SIMD4<Int32>: PredictorCoefficients {}
extension SIMD8<Int32>: PredictorCoefficients {}
extension ContiguousArray<Int32>: PredictorCoefficients {}
