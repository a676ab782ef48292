// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Converts the sample rate of a stream, without gaps between buffers.
///
/// The output begins with the first frame of the input: the filter's delay is removed, and ``finish()`` returns the rest. On Linux it
/// uses libsoxr. One thread at a time.
public final class Resampler {
    /// The sample rate of the input in hertz.
    public let inputRate: Int
    /// The sample rate of the output in hertz.
    public let outputRate: Int
    /// The channel count of both.
    public let channelCount: Int

    private let stream: RateStream

    /// Creates a resampler.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input in hertz.
    ///   - outputRate: The sample rate of the output in hertz.
    ///   - channelCount: The channel count of both.
    ///   - quality: The precision of the filter.
    /// - Throws: ``PCMFileError/Code/libraryMissing(_:)`` or ``PCMFileError/Code/unsupportedSampleRates(from:to:)``.
    public init(
        from inputRate: Int, to outputRate: Int, channelCount: Int, quality: SampleRateConverterQuality = .high
    ) throws(PCMFileError) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channelCount = channelCount
        stream = try RateStream(from: inputRate, to: outputRate, channelCount: channelCount, quality: quality, usesDoubles: false)
    }

    /// Returns the sample frames that are complete after `buffer`; there may be none.
    public func process(_ buffer: PCMBuffer) throws(PCMFileError) -> PCMBuffer { try run(buffer, isLast: false) }

    /// Returns the sample frames that the filter still holds; nothing can be processed afterwards.
    public func finish() throws(PCMFileError) -> PCMBuffer {
        try run(PCMBuffer(sampleRate: inputRate, channelCount: channelCount, frameCapacity: 0), isLast: true)
    }

    /// Converts a buffer, or the rest of the stream if it is the last.
    private func run(_ input: PCMBuffer, isLast: Bool) throws(PCMFileError) -> PCMBuffer {
        precondition(input.channelCount == channelCount, "the buffer has the resampler's channels")
        let expected = (input.frameCount * outputRate + inputRate - 1) / inputRate
        // The rest at the end is bounded by the filter's length at the lower rate.
        let room = expected + (isLast ? 4096 + 256 * outputRate / inputRate : 4096)
        var output = PCMBuffer(sampleRate: outputRate, channelCount: channelCount, frameCapacity: room, frameCount: 0)
        let size = MemoryLayout<Float>.size
        let produced = try input.samples.withUnsafeBufferPointer { source throws(PCMFileError) in
            try output.samples.withUnsafeMutableBufferPointer { target throws(PCMFileError) in
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
