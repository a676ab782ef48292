// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

#if canImport(CPCMLibraries)
internal import CPCMLibraries
#endif

/// Converts the sample rate of a stream, without gaps between buffers.
///
/// The output begins with the first frame of the input: the filter's delay is removed, and ``finish()`` returns the rest. On Linux it
/// uses libsoxr at its high quality (20 bits). One thread at a time.
public final class Resampler {
    /// The sample rate of the input in hertz.
    public let inputRate: Int
    /// The sample rate of the output in hertz.
    public let outputRate: Int
    /// The channel count of both.
    public let channelCount: Int

    #if canImport(CPCMLibraries)
    private let soxr: UnsafePointer<LinnetSoxrFunctions>
    private let handle: soxr_t
    #endif

    /// Creates a resampler.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input in hertz.
    ///   - outputRate: The sample rate of the output in hertz.
    ///   - channelCount: The channel count of both.
    /// - Throws: ``PCMFileError/Code/libraryMissing(_:)`` or ``PCMFileError/Code/unsupportedSampleRates(from:to:)``.
    public init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(PCMFileError) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channelCount = channelCount
        #if canImport(CPCMLibraries)
        guard let soxr = linnet_soxr_functions() else { throw PCMFileError(.libraryMissing(.soxr)) }
        var error: soxr_error_t?
        var layout = soxr.pointee.soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
        var quality = soxr.pointee.soxr_quality_spec(UInt(SOXR_HQ), 0)
        let created = soxr.pointee.soxr_create(
            Double(inputRate), Double(outputRate), UInt32(channelCount), &error, &layout, &quality, nil)
        guard let created, error == nil else { throw PCMFileError(.unsupportedSampleRates(from: inputRate, to: outputRate)) }
        self.soxr = soxr
        handle = created
        #else
        throw PCMFileError(.unsupportedSampleRates(from: inputRate, to: outputRate))
        #endif
    }

    deinit {
        #if canImport(CPCMLibraries)
        soxr.pointee.soxr_delete(handle)
        #endif
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
        #if canImport(CPCMLibraries)
        var consumed = 0
        var produced = 0
        let error = input.samples.withUnsafeBufferPointer { source in
            output.samples.withUnsafeMutableBufferPointer { target -> soxr_error_t? in
                let inputs = (0..<channelCount).map {
                    source.baseAddress.map { UnsafeRawPointer($0) }?.advanced(by: $0 * input.frameCapacity * 4)
                }
                var outputs = (0..<channelCount).map { target.baseAddress.map { UnsafeMutableRawPointer($0) }?.advanced(by: $0 * room * 4) }
                return inputs.withUnsafeBufferPointer { inputs in
                    outputs.withUnsafeMutableBufferPointer { outputs in
                        soxr.pointee.soxr_process(
                            handle, isLast ? nil : inputs.baseAddress, input.frameCount, &consumed, outputs.baseAddress, room, &produced)
                    }
                }
            }
        }
        guard error == nil, isLast || consumed == input.frameCount else { throw PCMFileError(.resamplingFailed) }
        output.setFrameCount(produced)
        #endif
        return output
    }
}
