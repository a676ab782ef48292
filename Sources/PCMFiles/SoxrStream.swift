// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import CPCMLibraries

/// A sample rate conversion with libsoxr.
final class SoxrStream {
    private let channelCount: Int
    private let soxr: UnsafePointer<LinnetSoxrFunctions>
    private let handle: soxr_t
    private var inputs: [UnsafeRawPointer?]
    private var outputs: [UnsafeMutableRawPointer?]

    /// Creates a stream, or returns `nil` if libsoxr is not installed.
    ///
    /// - Throws: ``AudioFileError/Code/unsupportedSampleRates(from:to:)``.
    init?(
        from inputRate: Int, to outputRate: Int, channelCount: Int, quality: SampleRateConverterQuality, usesDoubles: Bool
    ) throws(AudioFileError) {
        guard let soxr = linnet_soxr_functions() else { return nil }
        var error: soxr_error_t?
        let type = usesDoubles ? SOXR_FLOAT64_S : SOXR_FLOAT32_S
        var layout = soxr.pointee.soxr_io_spec(type, type)
        var recipe = soxr.pointee.soxr_quality_spec(quality.soxrRecipe, 0)
        let created = soxr.pointee.soxr_create(
            Double(inputRate), Double(outputRate), UInt32(channelCount), &error, &layout, &recipe, nil)
        guard let created, error == nil else { throw AudioFileError(.unsupportedSampleRates(from: inputRate, to: outputRate), path: "") }
        self.channelCount = channelCount
        self.soxr = soxr
        handle = created
        inputs = Array(repeating: nil, count: channelCount)
        outputs = Array(repeating: nil, count: channelCount)
    }

    deinit { soxr.pointee.soxr_delete(handle) }

    /// Converts samples as ``RateStream/process(_:into:)`` does.
    func process(_ input: RateStream.Planes?, into output: RateStream.Planes) throws(AudioFileError) -> Int {
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
    }
}

extension SampleRateConverterQuality {
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
