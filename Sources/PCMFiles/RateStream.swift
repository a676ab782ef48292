// SPDX-License-Identifier: Apache-2.0

package import SampleRateConversion

/// Converts the sample rate of 32-bit or 64-bit samples in memory, with separate channels.
///
/// On Linux, libsoxr is used if installed, because its FFT filters are faster (Documentation/Guides/Conversion.md). Otherwise a polyphase
/// filter of the same precision is used. The output starts with the first input frame.
package final class RateStream {
    /// Noninterleaved samples with a constant distance between channels.
    package struct Planes {
        /// The first sample of the first channel.
        package var base: UnsafeMutableRawPointer?
        /// The distance between channels, in bytes.
        package var stride: Int
        package var frameCount: Int

        package init(base: UnsafeMutableRawPointer?, stride: Int, frameCount: Int) {
            self.base = base
            self.stride = stride
            self.frameCount = frameCount
        }
    }

    /// Returns the end of an error message about a conversion from `inputRate`: the minimum sample rate, if that is the reason.
    package static func limitText(_ inputRate: Int) -> String {
        inputRate < SampleRateConverter.lowestInputRate
            ? "; sample rates below \(SampleRateConverter.lowestInputRate) Hz are not converted" : ""
    }

    private let channelCount: Int
    private let usesDoubles: Bool
    /// The converter, or `nil` if libsoxr is used.
    private let converter: SampleRateConverter?
    #if canImport(CPCMLibraries)
    private let library: SoxrStream?
    #endif

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - inputRate: The input sample rate, in hertz.
    ///   - outputRate: The output sample rate, in hertz.
    ///   - quality: The precision of the filter.
    ///   - usesDoubles: Whether samples have 64 bits instead of 32.
    ///   - usesLibrary: Whether to use libsoxr if it is installed.
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
    ///   - input: Input samples, or `nil` at the end to flush the filter. All are consumed.
    ///   - output: Memory that is large enough for the whole output.
    /// - Returns: The number of written sample frames.
    /// - Throws: ``AudioFileError/Code/resamplingFailed``.
    package func process(_ input: Planes?, into output: Planes) throws(AudioFileError) -> Int {
        #if canImport(CPCMLibraries)
        if let library { return try library.process(input, into: output) }
        #endif
        guard let converter else { return 0 }
        if input == nil { converter.finish() }
        return usesDoubles
            ? run(input, output, of: Double.self) { source, stride, frameCount, target, outputStride, frameCapacity in
                converter.process(
                    source, inputStride: stride, frameCount: frameCount, into: &target, outputStride: outputStride,
                    frameCapacity: frameCapacity)
            }
            : run(input, output, of: Float.self) { source, stride, frameCount, target, outputStride, frameCapacity in
                converter.process(
                    source, inputStride: stride, frameCount: frameCount, into: &target, outputStride: outputStride,
                    frameCapacity: frameCapacity)
            }
    }

    /// Calls a conversion with spans over the memory of input and output.
    private func run<Sample: BitwiseCopyable>(
        _ input: Planes?, _ output: Planes, of type: Sample.Type,
        _ body: (Span<Sample>, Int, Int, inout MutableSpan<Sample>, Int, Int) -> Int
    ) -> Int {
        let size = MemoryLayout<Sample>.stride
        let input = input ?? Planes(base: nil, stride: 0, frameCount: 0)
        /// Returns the number of samples from the first channel's first one to the last channel's last one.
        func count(_ planes: Planes) -> Int { planes.base == nil ? 0 : (channelCount - 1) * planes.stride / size + planes.frameCount }
        let source = UnsafeBufferPointer(start: input.base?.assumingMemoryBound(to: type), count: count(input))
        let target = UnsafeMutableBufferPointer(start: output.base?.assumingMemoryBound(to: type), count: count(output))
        var span = target.mutableSpan
        return body(source.span, input.stride / size, input.frameCount, &span, output.stride / size, output.frameCount)
    }
}

extension SampleRateConverterQuality {
    /// The filter to use without libsoxr.
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
