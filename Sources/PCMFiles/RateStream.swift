// SPDX-License-Identifier: Apache-2.0

package import SampleRateConversion

/// Converts the sample rate of samples of 32 or 64 bits in memory, channel by channel.
///
/// Linux uses libsoxr where it is installed, whose filters by Fourier transforms are faster (Documentation/Guides/Conversion.md); other
/// systems use a polyphase filter of the same precision. The output begins with the first frame of the input.
package final class RateStream {
    /// Samples of several channels at the same distance from each other.
    package struct Planes {
        /// The first sample of the first channel.
        package var base: UnsafeMutableRawPointer?
        /// The distance between channels in bytes.
        package var stride: Int
        /// The number of sample frames.
        package var frameCount: Int

        /// Creates a description of samples in memory.
        package init(base: UnsafeMutableRawPointer?, stride: Int, frameCount: Int) {
            self.base = base
            self.stride = stride
            self.frameCount = frameCount
        }
    }

    /// The end of an error message about a conversion from `inputRate`: the limit, where it is the reason.
    package static func limitText(_ inputRate: Int) -> String {
        inputRate < SampleRateConverter.lowestInputRate
            ? "; sample rates below \(SampleRateConverter.lowestInputRate) Hz are not converted" : ""
    }

    private let channelCount: Int
    private let usesDoubles: Bool
    /// The converter; nil if libsoxr converts.
    private let converter: SampleRateConverter?
    #if canImport(CPCMLibraries)
    private let library: SoxrStream?
    #endif

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input in hertz.
    ///   - outputRate: The sample rate of the output in hertz.
    ///   - channelCount: The channel count of both.
    ///   - quality: The precision of the filter.
    ///   - usesDoubles: Whether samples have 64 bits and not 32.
    ///   - usesLibrary: Whether libsoxr converts where it is installed.
    /// - Throws: ``AudioFileError/Code/unsupportedSampleRates(from:to:)``.
    package init(
        from inputRate: Int, to outputRate: Int, channelCount: Int, quality: SampleRateConverterQuality, usesDoubles: Bool,
        usesLibrary: Bool = true
    ) throws(AudioFileError) {
        guard inputRate >= SampleRateConverter.lowestInputRate || inputRate == outputRate else {
            throw AudioFileError(.unsupportedSampleRates(from: inputRate, to: outputRate), path: "")
        }
        self.channelCount = channelCount
        self.usesDoubles = usesDoubles
        #if canImport(CPCMLibraries)
        library =
            usesLibrary
            ? try SoxrStream(from: inputRate, to: outputRate, channelCount: channelCount, quality: quality, usesDoubles: usesDoubles) : nil
        guard library == nil else {
            converter = nil
            return
        }
        #endif
        converter = SampleRateConverter(
            from: inputRate, to: outputRate, channelCount: channelCount, design: quality.filterDesign, usesDoubles: usesDoubles)
    }

    /// Converts samples.
    ///
    /// - Parameters:
    ///   - input: The samples of the input, all of which are used; nil after the last ones, to get what the filter still holds.
    ///   - output: The memory for the output, which has to have room for all of it.
    /// - Returns: The number of sample frames that were written.
    /// - Throws: ``AudioFileError/Code/resamplingFailed``.
    package func process(_ input: Planes?, into output: Planes) throws(AudioFileError) -> Int {
        #if canImport(CPCMLibraries)
        if let library { return try library.process(input, into: output) }
        #endif
        guard let converter else { return 0 }
        if input == nil { converter.finish() }
        return usesDoubles
            ? run(input, output, of: Double.self) { source, stride, frameCount, target, outputStride, room in
                converter.process(
                    source, inputStride: stride, frameCount: frameCount, into: &target, outputStride: outputStride, room: room)
            }
            : run(input, output, of: Float.self) { source, stride, frameCount, target, outputStride, room in
                converter.process(
                    source, inputStride: stride, frameCount: frameCount, into: &target, outputStride: outputStride, room: room)
            }
    }

    /// Calls a conversion with the memory of input and output as spans.
    private func run<Sample: BitwiseCopyable>(
        _ input: Planes?, _ output: Planes, of type: Sample.Type,
        _ body: (Span<Sample>, Int, Int, inout MutableSpan<Sample>, Int, Int) -> Int
    ) -> Int {
        let size = MemoryLayout<Sample>.stride
        let input = input ?? Planes(base: nil, stride: 0, frameCount: 0)
        /// Returns the samples from the first one to the last one of the last channel.
        func count(_ planes: Planes) -> Int { planes.base == nil ? 0 : (channelCount - 1) * planes.stride / size + planes.frameCount }
        let source = UnsafeBufferPointer(start: input.base?.assumingMemoryBound(to: type), count: count(input))
        let target = UnsafeMutableBufferPointer(start: output.base?.assumingMemoryBound(to: type), count: count(output))
        var span = target.mutableSpan
        return body(source.span, input.stride / size, input.frameCount, &span, output.stride / size, output.frameCount)
    }
}

extension SampleRateConverterQuality {
    /// The filter without libsoxr.
    package var filterDesign: RateFilterDesign {
        switch self {
        case .minimum: .minimum
        case .low: .low
        case .medium: .medium
        case .high: .high
        case .maximum: .maximum
        }
    }
}
