// SPDX-License-Identifier: Apache-2.0

/// Converts the sample rate of a stream, in 32-bit or in 64-bit floating point, by a polyphase filter.
///
/// With linear phase the output begins with the first frame of the input: the delay of the filter is removed. One thread at a time.
package final class SampleRateConverter {
    /// The lowest input rate in hertz that is converted.
    ///
    /// A lower one is a wrong header rather than audio, and would make hours of output from kilobytes.
    package static var lowestInputRate: Int { 1000 }

    private var single: RateEngine<SIMD8<Float>>?
    private var double: RateEngine<SIMD4<Double>>?
    private let ratio: Double
    private let largestAdjustment: Double?

    /// Returns whether two rates in hertz, both positive, can be those of a stream: it may claim any, and a few bytes must not ask for much memory.
    package static func supports(from inputRate: Int, to outputRate: Int) -> Bool {
        inputRate == outputRate
            || inputRate >= lowestInputRate && max(inputRate, outputRate) / min(inputRate, outputRate) <= 256
    }

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input in hertz.
    ///   - outputRate: The sample rate of the output in hertz.
    ///   - channelCount: The number of channels.
    ///   - design: The filter.
    ///   - usesDoubles: Whether samples have 64 bits and not 32.
    ///   - largestAdjustment: The largest factor of `adjust(by:)` and of its inverse, at least 1; nil if the ratio stays.
    package init(
        from inputRate: Int, to outputRate: Int, channelCount: Int, design: RateFilterDesign, usesDoubles: Bool = false,
        largestAdjustment: Double? = nil
    ) {
        precondition(inputRate > 0 && outputRate > 0 && channelCount > 0, "rates and channels are positive")
        ratio = Double(inputRate) / Double(outputRate)
        self.largestAdjustment = largestAdjustment
        let plan = RatePlan(inputRate: inputRate, outputRate: outputRate, largestAdjustment: largestAdjustment)
        if usesDoubles {
            double = RateEngine(plan, channelCount: channelCount, design: design)
        } else {
            single = RateEngine(plan, channelCount: channelCount, design: design)
        }
    }

    /// The delay of the output in input frames: 0 with linear phase, with minimum phase that of low frequencies.
    package var delay: Double { single?.delay ?? double?.delay ?? 0 }

    /// Changes the ratio of the rates from the next output frame on, as the clocks of two devices drift.
    ///
    /// - Parameter factor: The rate of the input as a factor of that at the start: above 1 the output has fewer frames.
    package func adjust(by factor: Double) {
        guard let largestAdjustment else { preconditionFailure("the converter was created for one ratio") }
        let step = ratio * min(max(factor, 1 / largestAdjustment), largestAdjustment)
        single?.setStep(step)
        double?.setStep(step)
    }

    /// Converts frames of 32-bit floating point, channel by channel.
    ///
    /// - Parameters:
    ///   - input: The samples, whose channels are `inputStride` samples apart.
    ///   - frameCount: The frames of the input.
    ///   - output: The memory, whose channels are `outputStride` samples apart.
    ///   - room: The most frames that are written; what does not fit comes with the next call.
    /// - Returns: The number of frames that were written.
    package func process(
        _ input: Span<Float>, inputStride: Int, frameCount: Int, into output: inout MutableSpan<Float>, outputStride: Int, room: Int
    ) -> Int {
        single?.append(input, stride: inputStride, frameCount: frameCount)
        return single?.produce(into: &output, stride: outputStride, room: room) ?? 0
    }

    /// Converts frames of 64-bit floating point, as the function for 32 bits does.
    package func process(
        _ input: Span<Double>, inputStride: Int, frameCount: Int, into output: inout MutableSpan<Double>, outputStride: Int, room: Int
    ) -> Int {
        double?.append(input, stride: inputStride, frameCount: frameCount)
        return double?.produce(into: &output, stride: outputStride, room: room) ?? 0
    }

    /// Ends the input: the next call with no frames returns the last ones of the output.
    package func finish() {
        single?.appendEnd()
        double?.appendEnd()
    }
}
