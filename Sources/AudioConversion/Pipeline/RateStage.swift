// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import PCMFiles
internal import SampleRateConversion

/// Converts the sample rate of a queue's frames.
final class RateStage<Sample: WorkingSample> {
    private let stream: RateStream
    private let inputRate: Int
    private let outputRate: Int
    private var framesIn = 0
    private var framesOut = 0

    init(
        from inputRate: Int, to outputRate: Int, channelCount: Int, quality: SampleRateConverterQuality
    ) throws(CodecError) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        guard SampleRateConverter.supports(from: inputRate, to: outputRate) else {
            throw .unsupportedSampleRates(from: inputRate, to: outputRate)
        }
        do throws(AudioFileError) {
            stream = try RateStream(
                from: inputRate, to: outputRate, channelCount: channelCount, quality: quality, usesDoubles: Sample.self == Double.self)
        } catch {
            throw .unsupportedSampleRates(from: inputRate, to: outputRate)
        }
    }

    /// The number of output frames for all input so far, rounded to nearest.
    private var expectedFrames: Int { (2 * framesIn * outputRate + inputRate) / (2 * inputRate) }

    /// Converts all frames of a queue and appends the completed ones to another queue.
    func move(_ input: SampleQueue<Sample>, to output: SampleQueue<Sample>) throws(CodecError) {
        guard input.count > 0 else { return }
        framesIn += input.count
        try produce(input, frameCapacity: expectedFrames - framesOut, output)
        input.removeAll()
    }

    /// Flushes the filter.
    ///
    /// The total output then has the length of the total input, rounded to nearest.
    func finish(_ output: SampleQueue<Sample>) throws(CodecError) {
        let missing = expectedFrames - framesOut
        let before = output.count
        try produce(nil, frameCapacity: missing, output)
        output.keepFirst(before + missing)
        output.appendSilence(before + missing - output.count)
    }

    /// Runs the filter on all frames of a queue, or flushes it.
    private func produce(
        _ input: SampleQueue<Sample>?, frameCapacity: Int, _ output: SampleQueue<Sample>
    ) throws(CodecError) {
        do throws(AudioFileError) {
            // The filter never runs ahead of the input by more than rounding.
            framesOut += try output.appendPlanes(atMost: max(frameCapacity, 0) + 64) { target throws(AudioFileError) in
                guard let input else { return try stream.process(nil, into: target) }
                return try input.withPlanes { source throws(AudioFileError) in try stream.process(source, into: target) }
            }
        } catch {
            throw .rateConversionFailed
        }
    }
}
