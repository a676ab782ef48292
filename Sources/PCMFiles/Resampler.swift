// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

#if canImport(CPCMLibraries)
internal import CPCMLibraries
#endif

/// Changes the sample rate of a stream of sound, without a gap between the buffers that it is given.
///
/// Output begins with the first frame of input: the filter's delay is taken out, and ``finish()`` gives the rest. On Linux by libsoxr
/// at its high quality (20 bits). One thread at a time.
public final class Resampler {
    /// What stops a resampler.
    public enum Failure: Error, Hashable, Sendable {
        /// The rates, in hertz, can't be had on this system.
        case unsupportedRates(from: Int, to: Int)
        /// libsoxr, which is loaded at run time, is not installed.
        case libraryMissing
        /// The library refused to go on.
        case failed
    }

    /// Sample rate of the input in hertz.
    public let inputRate: Int
    /// Sample rate of the output in hertz.
    public let outputRate: Int
    /// Channels of both.
    public let channelCount: Int

    #if canImport(CPCMLibraries)
    private let soxr: UnsafePointer<LinnetSoxrFunctions>
    private let handle: soxr_t
    #endif

    /// Makes a resampler.
    public init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(Failure) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channelCount = channelCount
        #if canImport(CPCMLibraries)
        guard let soxr = linnet_soxr_functions() else { throw .libraryMissing }
        var error: soxr_error_t?
        var layout = soxr.pointee.soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
        var quality = soxr.pointee.soxr_quality_spec(UInt(SOXR_HQ), 0)
        let made = soxr.pointee.soxr_create(
            Double(inputRate), Double(outputRate), UInt32(channelCount), &error, &layout, &quality, nil)
        guard let made, error == nil else { throw .unsupportedRates(from: inputRate, to: outputRate) }
        self.soxr = soxr
        handle = made
        #else
        throw .unsupportedRates(from: inputRate, to: outputRate)
        #endif
    }

    deinit {
        #if canImport(CPCMLibraries)
        soxr.pointee.soxr_delete(handle)
        #endif
    }

    /// The frames that are ready after `buffer`; there may be none.
    public func process(_ buffer: PCMBuffer) throws(Failure) -> PCMBuffer { try run(buffer, isLast: false) }

    /// The frames that were still inside; nothing can be processed any more.
    public func finish() throws(Failure) -> PCMBuffer {
        try run(PCMBuffer(sampleRate: inputRate, channelCount: channelCount, frameCapacity: 0), isLast: true)
    }

    private func run(_ input: PCMBuffer, isLast: Bool) throws(Failure) -> PCMBuffer {
        precondition(input.channelCount == channelCount, "the buffer has the resampler's channels")
        let expected = (input.frameCount * outputRate + inputRate - 1) / inputRate
        // What was inside when it ends is bounded by the filter's length at the lower rate.
        let room = expected + (isLast ? 4096 + 256 * outputRate / inputRate : 4096)
        var output = PCMBuffer(sampleRate: outputRate, channelCount: channelCount, frameCapacity: room, frameCount: 0)
        #if canImport(CPCMLibraries)
        var taken = 0
        var made = 0
        let error = input.samples.withUnsafeBufferPointer { source in
            output.samples.withUnsafeMutableBufferPointer { target -> soxr_error_t? in
                let inputs = (0..<channelCount).map {
                    source.baseAddress.map { UnsafeRawPointer($0) }?.advanced(by: $0 * input.frameCapacity * 4)
                }
                var outputs = (0..<channelCount).map { target.baseAddress.map { UnsafeMutableRawPointer($0) }?.advanced(by: $0 * room * 4) }
                return inputs.withUnsafeBufferPointer { inputs in
                    outputs.withUnsafeMutableBufferPointer { outputs in
                        soxr.pointee.soxr_process(
                            handle, isLast ? nil : inputs.baseAddress, input.frameCount, &taken, outputs.baseAddress, room, &made)
                    }
                }
            }
        }
        guard error == nil, isLast || taken == input.frameCount else { throw .failed }
        output.setFrameCount(made)
        #endif
        return output
    }
}
