// SPDX-License-Identifier: Apache-2.0

/// Converts the sample rate of a stream with a polyphase filter, in 32-bit or 64-bit floating point.
///
/// With linear phase, the output starts with the first input frame: the filter's delay is removed. Use a converter from one thread at a
/// time.
package final class SampleRateConverter {
    /// The minimum input sample rate, in hertz.
    ///
    /// A lower rate most likely comes from an invalid header, and would produce hours of output from kilobytes.
    package static var lowestInputRate: Int { 1000 }

    private var single: RateEngine<SIMD8<Float>>?
    private var double: RateEngine<SIMD4<Double>>?
    private let ratio: Double
    private let maximumAdjustment: Double?

    /// Whether two sample rates, in hertz, are supported.
    ///
    /// Excludes implausible ratios from invalid headers, which would need much memory.
    package static func supports(from inputRate: Int, to outputRate: Int) -> Bool {
        inputRate == outputRate
            || inputRate >= lowestInputRate && outputRate > 0 && max(inputRate, outputRate) / min(inputRate, outputRate) <= 256
    }

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - inputRate: The input sample rate, in hertz.
    ///   - outputRate: The output sample rate, in hertz.
    ///   - usesDoubles: Whether samples have 64 bits instead of 32.
    ///   - maximumAdjustment: The maximum factor of `adjust(by:)` and its inverse, at least 1, or `nil` for a constant ratio.
    package init(
        from inputRate: Int, to outputRate: Int, channelCount: Int, design: RateFilterDesign, usesDoubles: Bool = false,
        maximumAdjustment: Double? = nil
    ) {
        precondition(inputRate > 0 && outputRate > 0 && channelCount > 0, "rates and channels are positive")
        ratio = Double(inputRate) / Double(outputRate)
        self.maximumAdjustment = maximumAdjustment
        let plan = RatePlan(inputRate: inputRate, outputRate: outputRate, maximumAdjustment: maximumAdjustment)
        if usesDoubles {
            double = RateEngine(plan, channelCount: channelCount, design: design)
        } else {
            single = RateEngine(plan, channelCount: channelCount, design: design)
        }
    }

    /// The output delay in input frames: 0 with linear phase; with minimum phase, the delay at low frequencies.
    package var delay: Double { single?.delay ?? double?.delay ?? 0 }

    /// Changes the ratio of the sample rates, starting with the next output frame, to follow clock drift between two devices.
    ///
    /// - Parameter factor: The input sample rate relative to its initial value. Above 1, the output has fewer frames.
    package func adjust(by factor: Double) {
        guard let maximumAdjustment else { preconditionFailure("the converter was created for one ratio") }
        let step = ratio * min(max(factor, 1 / maximumAdjustment), maximumAdjustment)
        single?.setStep(step)
        double?.setStep(step)
    }

    /// Converts noninterleaved 32-bit floating-point frames.
    ///
    /// - Parameters:
    ///   - input: The samples; channels are `inputStride` samples apart.
    ///   - frameCount: The number of input frames.
    ///   - output: The memory; channels are `outputStride` samples apart.
    ///   - frameCapacity: The maximum number of frames to write. The next call returns the remaining ones.
    /// - Returns: The number of written frames.
    package func process(
        _ input: Span<Float>, inputStride: Int, frameCount: Int, into output: inout MutableSpan<Float>, outputStride: Int,
        frameCapacity: Int
    ) -> Int {
        single?.append(input, stride: inputStride, frameCount: frameCount)
        return single?.produce(into: &output, stride: outputStride, frameCapacity: frameCapacity) ?? 0
    }

    /// Converts noninterleaved 64-bit floating-point frames.
    package func process(
        _ input: Span<Double>, inputStride: Int, frameCount: Int, into output: inout MutableSpan<Double>, outputStride: Int,
        frameCapacity: Int
    ) -> Int {
        double?.append(input, stride: inputStride, frameCount: frameCount)
        return double?.produce(into: &output, stride: outputStride, frameCapacity: frameCapacity) ?? 0
    }

    /// Ends the input.
    ///
    /// The next call without frames returns the last output frames.
    package func finish() {
        single?.appendEnd()
        double?.appendEnd()
    }
}
