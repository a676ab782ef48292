// SPDX-License-Identifier: Apache-2.0

#if LINNET_FILES
internal import AudioPrimitives
public import CLinnet

extension SampleFormat {
    /// Creates the format for a constant of the header, or returns `nil` for other numbers and 8 bits.
    fileprivate init?(number: UInt32) {
        switch Int(clamping: number) {
        case LINNET_SAMPLES_INT16: self = .int16
        case LINNET_SAMPLES_INT24: self = .int24
        case LINNET_SAMPLES_INT32: self = .int32
        case LINNET_SAMPLES_FLOAT32: self = .float32
        case LINNET_SAMPLES_FLOAT64: self = .float64
        default: return nil
        }
    }
}

extension SampleEncoding {
    /// Creates the encoding for a constant of the header, or returns `nil` for other numbers.
    fileprivate init?(number: UInt32) {
        if Int(clamping: number) == LINNET_SAMPLES_UINT8 {
            self = .unsigned8
        } else {
            guard let format = SampleFormat(number: number) else { return nil }
            self.init(format)
        }
    }
}

/// Returns the size of samples in bytes, or `nil` if the count is negative or too large.
private func byteCount(_ count: Int, _ sampleByteCount: Int) -> Int? {
    // The largest samples have eight bytes.
    count < 0 || count > Int.max / 8 ? nil : count * sampleByteCount
}

/// Converts samples to floating point.
@c @implementation
public func linnet_samples_decode(
    _ encoding: UInt32, _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ samples: UnsafeMutablePointer<Float>?
) -> Int32 {
    guard let encoding = SampleEncoding(number: encoding), let size = byteCount(count, encoding.byteCount) else {
        return LINNET_ERROR_ARGUMENT.code
    }
    guard count > 0 else { return LINNET_OK.code }
    guard let bytes = unsafe bytes, let samples = unsafe samples else { return LINNET_ERROR_ARGUMENT.code }
    let run = SampleRun(encoding: encoding, offset: 0, stride: encoding.byteCount, count: count)
    // The caller guarantees this number of samples.
    let source = unsafe UnsafeRawBufferPointer(start: bytes, count: size)
    var target = unsafe UnsafeMutableBufferPointer(start: samples, count: count).mutableSpan
    unsafe run.read(source.bytes, fullScale: 1, into: &target, at: 0)
    return LINNET_OK.code
}

/// Converts samples from floating point.
@c @implementation
public func linnet_samples_encode(
    _ encoding: UInt32, _ samples: UnsafePointer<Float>?, _ count: Int, _ bytes: UnsafeMutablePointer<UInt8>?
) -> Int32 {
    guard let format = SampleFormat(number: encoding), byteCount(count, format.byteCount) != nil else {
        return LINNET_ERROR_ARGUMENT.code
    }
    guard count > 0 else { return LINNET_OK.code }
    guard let bytes = unsafe bytes, let samples = unsafe samples else { return LINNET_ERROR_ARGUMENT.code }
    // The caller guarantees this number of samples.
    unsafe format.encodeChannel(samples, into: UnsafeMutableRawPointer(bytes), stride: format.byteCount, frameCount: count)
    return LINNET_OK.code
}

/// Writes the mean of all channels.
@c @implementation
public func linnet_samples_mono(
    _ samples: UnsafePointer<Float>?, _ frames: Int, _ channels: UInt32, _ mono: UnsafeMutablePointer<Float>?
) -> Int32 {
    guard frames >= 0, channels > 0, frames <= Int.max / 8 / Int(channels) else { return LINNET_ERROR_ARGUMENT.code }
    guard frames > 0 else { return LINNET_OK.code }
    guard let samples = unsafe samples, let mono = unsafe mono else { return LINNET_ERROR_ARGUMENT.code }
    let (channelCount, factor) = (Int(channels), 1 / Float(channels))
    for frame in 0..<frames {
        var sum: Float = 0
        for channel in 0..<channelCount { unsafe sum += samples[frame &* channelCount &+ channel] }
        unsafe mono[frame] = sum * factor
    }
    return LINNET_OK.code
}
#endif
