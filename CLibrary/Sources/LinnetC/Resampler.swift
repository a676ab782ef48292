// SPDX-License-Identifier: Apache-2.0

public import CLinnet
internal import SampleRateConversion

/// The sample rate converter that a handle refers to, with planar buffers for a block of input and output.
final class ResamplerHandle {
    /// The converter; `nil` if the rates are equal.
    private let converter: SampleRateConverter?
    private let inputRate: Int64
    private let outputRate: Int64
    private let channelCount: Int
    private var input: ContiguousArray<Float>
    private var output: ContiguousArray<Float>
    private var framesIn: Int64 = 0
    private var framesOut: Int64 = 0
    private(set) var isFinished = false

    /// The maximum channel count.
    static var mostChannels: UInt32 { 64 }
    /// The maximum number of frames per block.
    private static var blockLength: Int { 4096 }

    init(from inputRate: Int, to outputRate: Int, channelCount: Int, design: RateFilterDesign) {
        converter =
            inputRate == outputRate
            ? nil : SampleRateConverter(from: inputRate, to: outputRate, channelCount: channelCount, design: design)
        (self.inputRate, self.outputRate, self.channelCount) = (Int64(inputRate), Int64(outputRate), channelCount)
        input = ContiguousArray(repeating: 0, count: Self.blockLength * channelCount)
        output = input
    }

    /// Returns a view of sample frames; `nil` if the count is negative or too large, or if the address is null and the count is not 0.
    func samples(_ start: UnsafePointer<Float>?, frames: Int) -> UnsafeBufferPointer<Float>? {
        let (count, overflow) = frames.multipliedReportingOverflow(by: channelCount)
        guard frames >= 0, !overflow, unsafe start != nil || count == 0 else { return nil }
        // The caller guarantees this number of samples.
        return unsafe UnsafeBufferPointer(start: start, count: count)
    }

    /// Converts interleaved frames until the output is full or all input is read.
    ///
    /// - Returns: The numbers of frames read and written.
    func process(
        _ samples: UnsafeBufferPointer<Float>, into target: UnsafeMutableBufferPointer<Float>
    ) -> (taken: Int, written: Int) {
        let (frames, frameCapacity) = (samples.count / channelCount, target.count / channelCount)
        guard let converter else {
            let count = min(frames, frameCapacity)
            for index in 0..<count * channelCount { unsafe target[index] = samples[index] }
            return (count, count)
        }
        var (taken, written, isDrained) = (0, 0, false)
        while written < frameCapacity {
            // Bounds the converter's buffer: all available output is written before more input is read.
            let count = isDrained ? unsafe take(samples.extracting((taken * channelCount)...)) : 0
            if isDrained && count == 0 { break }
            let produced = unsafe convert(count, converter, into: target.extracting((written * channelCount)...))
            taken += count
            written += produced
            isDrained = produced == 0
        }
        return (taken, written)
    }

    /// Ends the input.
    func finish() {
        guard !isFinished else { return }
        isFinished = true
        converter?.finish()
    }

    /// Deinterleaves a block.
    ///
    /// Returns its length.
    private func take(_ samples: UnsafeBufferPointer<Float>) -> Int {
        let count = min(samples.count / channelCount, Self.blockLength)
        for channel in 0..<channelCount {
            let first = channel * Self.blockLength
            for frame in 0..<count { unsafe input[first + frame] = samples[frame * channelCount + channel] }
        }
        return count
    }

    /// Converts a block and writes at most one block.
    ///
    /// Returns the number of written frames.
    private func convert(_ frameCount: Int, _ converter: SampleRateConverter, into target: UnsafeMutableBufferPointer<Float>) -> Int {
        framesIn += Int64(frameCount)
        // The total output length is the input length times the ratio, rounded to nearest.
        let left = (2 * framesIn * outputRate + inputRate) / (2 * inputRate) - framesOut
        let frameCapacity = min(target.count / channelCount, Self.blockLength, Int(clamping: left))
        var span = output.mutableSpan
        let count = converter.process(
            input.span, inputStride: Self.blockLength, frameCount: frameCount, into: &span, outputStride: Self.blockLength,
            frameCapacity: frameCapacity)
        for channel in 0..<channelCount {
            let first = channel * Self.blockLength
            for frame in 0..<count { unsafe target[frame * channelCount + channel] = output[first + frame] }
        }
        framesOut += Int64(count)
        return count
    }
}

/// Creates a sample rate converter.
@c @implementation
public func linnet_resampler_create(
    _ inputRate: UInt32, _ outputRate: UInt32, _ channels: UInt32, _ quality: UInt32, _ resampler: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let resampler = unsafe resampler else { return LINNET_ERROR_ARGUMENT.code }
    unsafe resampler.pointee = nil
    let designs = RateFilterDesign.qualities
    guard inputRate > 0, outputRate > 0, channels > 0, quality < UInt32(designs.count) else { return LINNET_ERROR_ARGUMENT.code }
    guard let input = Int(exactly: inputRate), let output = Int(exactly: outputRate), SampleRateConverter.supports(from: input, to: output),
        channels <= ResamplerHandle.mostChannels
    else { return LINNET_ERROR_UNSUPPORTED.code }
    unsafe resampler.pointee = Handle.make(
        ResamplerHandle(from: input, to: output, channelCount: Int(channels), design: designs[Int(quality)]))
    return LINNET_OK.code
}

/// Destroys a converter.
@c @implementation
public func linnet_resampler_destroy(_ resampler: OpaquePointer?) { unsafe Handle.destroy(resampler, ResamplerHandle.self) }

/// Converts interleaved frames.
@c @implementation
public func linnet_resampler_process(
    _ resampler: OpaquePointer?, _ input: UnsafePointer<Float>?, _ frames: Int, _ taken: UnsafeMutablePointer<Int>?,
    _ output: UnsafeMutablePointer<Float>?, _ frameCapacity: Int, _ written: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let handle: ResamplerHandle = unsafe Handle.object(resampler), let taken = unsafe taken, let written = unsafe written else {
        return LINNET_ERROR_ARGUMENT.code
    }
    unsafe taken.pointee = 0
    unsafe written.pointee = 0
    guard let source = unsafe handle.samples(input, frames: frames),
        let target = unsafe handle.samples(UnsafePointer(output), frames: frameCapacity)
    else { return LINNET_ERROR_ARGUMENT.code }
    guard !handle.isFinished || frames == 0 else { return LINNET_ERROR_STATE.code }
    unsafe (taken.pointee, written.pointee) = handle.process(source, into: UnsafeMutableBufferPointer(mutating: target))
    return LINNET_OK.code
}

/// Ends the input.
@c @implementation
public func linnet_resampler_finish(_ resampler: OpaquePointer?) -> Int32 {
    guard let handle: ResamplerHandle = unsafe Handle.object(resampler) else { return LINNET_ERROR_ARGUMENT.code }
    handle.finish()
    return LINNET_OK.code
}
