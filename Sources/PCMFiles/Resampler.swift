// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Converts the sample rate of a stream, without gaps between buffers.
///
/// The output begins with the first frame of the input: the filter's delay is removed, and ``finish()`` returns the rest. On Linux it
/// uses libsoxr. One thread at a time.
package final class Resampler {
    /// The sample rate of the input in hertz.
    package let inputRate: Int
    /// The sample rate of the output in hertz.
    package let outputRate: Int
    /// The channel count of both.
    package let channelCount: Int

    private let stream: RateStream

    /// Creates a resampler.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input in hertz.
    ///   - outputRate: The sample rate of the output in hertz.
    ///   - channelCount: The channel count of both.
    ///   - quality: The precision of the filter.
    /// - Throws: ``AudioFileError/Code/libraryMissing(_:)`` or ``AudioFileError/Code/unsupportedSampleRates(from:to:)``.
    package init(
        from inputRate: Int, to outputRate: Int, channelCount: Int, quality: SampleRateConverterQuality = .high
    ) throws(AudioFileError) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channelCount = channelCount
        stream = try RateStream(from: inputRate, to: outputRate, channelCount: channelCount, quality: quality, usesDoubles: false)
    }

    /// Returns the sample frames that are complete after `buffer`; there may be none.
    package func process(_ buffer: PCMBuffer) throws(AudioFileError) -> PCMBuffer { try run(buffer, isLast: false) }

    /// Returns the sample frames that the filter still holds; nothing can be processed afterwards.
    package func finish() throws(AudioFileError) -> PCMBuffer {
        try run(PCMBuffer(sampleRate: inputRate, channelCount: channelCount, frameCapacity: 0), isLast: true)
    }

    /// Converts a buffer, or the rest of the stream if it is the last.
    private func run(_ input: PCMBuffer, isLast: Bool) throws(AudioFileError) -> PCMBuffer {
        precondition(input.channelCount == channelCount, "the buffer has the resampler's channels")
        let expected = (input.frameCount * outputRate + inputRate - 1) / inputRate
        // The rest at the end is bounded by the filter's length at the lower rate.
        let room = expected + (isLast ? 4096 + 256 * outputRate / inputRate : 4096)
        var output = PCMBuffer(sampleRate: outputRate, channelCount: channelCount, frameCapacity: room, frameCount: 0)
        let size = MemoryLayout<Float>.size
        let produced = try input.samples.withUnsafeBufferPointer { source throws(AudioFileError) in
            try output.samples.withUnsafeMutableBufferPointer { target throws(AudioFileError) in
                // The input is only read.
                let planes = RateStream.Planes(
                    base: source.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }, stride: input.frameCapacity * size,
                    frameCount: input.frameCount)
                let room = RateStream.Planes(
                    base: target.baseAddress.map { UnsafeMutableRawPointer($0) }, stride: room * size, frameCount: room)
                return try stream.process(isLast ? nil : planes, into: room)
            }
        }
        output.frameCount = produced
        return output
    }
}
