// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import CPCMLibraries
#endif

/// A stream of libsoxr: samples of 32 or 64 bits in memory, channel by channel.
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

    /// The lowest input rate in hertz.
    ///
    /// A lower one is a wrong header rather than audio, and would make hours of output from kilobytes.
    package static let lowestInputRate = 1000

    /// The end of an error message about a conversion from `inputRate`: the limit, where it is the reason.
    package static func limitText(_ inputRate: Int) -> String {
        inputRate < lowestInputRate ? "; sample rates below \(lowestInputRate) Hz are not converted" : ""
    }

    private let channelCount: Int
    #if canImport(CPCMLibraries)
    private let soxr: UnsafePointer<LinnetSoxrFunctions>
    private let handle: soxr_t
    private var inputs: [UnsafeRawPointer?]
    private var outputs: [UnsafeMutableRawPointer?]
    #endif

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input in hertz.
    ///   - outputRate: The sample rate of the output in hertz.
    ///   - channelCount: The channel count of both.
    ///   - quality: The precision of the filter.
    ///   - usesDoubles: Whether samples have 64 bits and not 32.
    package init(
        from inputRate: Int, to outputRate: Int, channelCount: Int, quality: SampleRateConverterQuality, usesDoubles: Bool
    ) throws(AudioFileError) {
        guard inputRate >= Self.lowestInputRate || inputRate == outputRate else {
            throw AudioFileError(.unsupportedSampleRates(from: inputRate, to: outputRate), path: "")
        }
        self.channelCount = channelCount
        #if canImport(CPCMLibraries)
        guard let soxr = linnet_soxr_functions() else { throw AudioFileError(.libraryMissing(.soxr), path: "") }
        var error: soxr_error_t?
        let type = usesDoubles ? SOXR_FLOAT64_S : SOXR_FLOAT32_S
        var layout = soxr.pointee.soxr_io_spec(type, type)
        var recipe = soxr.pointee.soxr_quality_spec(quality.soxrRecipe, 0)
        let created = soxr.pointee.soxr_create(
            Double(inputRate), Double(outputRate), UInt32(channelCount), &error, &layout, &recipe, nil)
        guard let created, error == nil else { throw AudioFileError(.unsupportedSampleRates(from: inputRate, to: outputRate), path: "") }
        self.soxr = soxr
        handle = created
        inputs = Array(repeating: nil, count: channelCount)
        outputs = Array(repeating: nil, count: channelCount)
        #else
        throw AudioFileError(.unsupportedSampleRates(from: inputRate, to: outputRate), path: "")
        #endif
    }

    deinit {
        #if canImport(CPCMLibraries)
        soxr.pointee.soxr_delete(handle)
        #endif
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
        for channel in 0..<channelCount {
            inputs[channel] = input?.base.map { UnsafeRawPointer($0 + channel * (input?.stride ?? 0)) }
            outputs[channel] = output.base.map { $0 + channel * output.stride }
        }
        var consumed = 0
        var produced = 0
        let frameCount = input?.frameCount ?? 0
        let error = inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeMutableBufferPointer { outputs in
                soxr.pointee.soxr_process(
                    handle, input == nil ? nil : inputs.baseAddress, frameCount, &consumed, outputs.baseAddress, output.frameCount,
                    &produced)
            }
        }
        guard error == nil, consumed == frameCount else { throw AudioFileError(.resamplingFailed, path: "") }
        return produced
        #else
        throw AudioFileError(.resamplingFailed, path: "")
        #endif
    }
}

#if canImport(CPCMLibraries)
extension SampleRateConverterQuality {
    /// The number of libsoxr's recipe.
    fileprivate var soxrRecipe: UInt {
        switch self {
        case .minimum: UInt(SOXR_QQ)
        case .low: UInt(SOXR_LQ)
        case .medium: UInt(SOXR_MQ)
        case .high: UInt(SOXR_HQ)
        case .maximum: UInt(SOXR_VHQ)
        }
    }
}
#endif
