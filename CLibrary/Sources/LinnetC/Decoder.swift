// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
public import CLinnet
internal import MPEG4Audio

/// The decoder that a handle refers to, with memory for its results.
final class DecoderHandle {
    let decoder: StreamDecoder
    private var buffer: PCMBuffer
    private let samples = LentMemory<Float>()

    init(_ decoder: StreamDecoder) {
        self.decoder = decoder
        buffer = PCMBuffer(
            sampleRate: decoder.sampleRate, channelCount: max(decoder.channelCount, 1), frameCapacity: decoder.frameLength, frameCount: 0)
    }

    func decode(_ unit: UnsafeBufferPointer<UInt8>) -> linnet_audio {
        let outcome = unsafe decoder.decode(unit.span, into: &buffer)
        return unsafe lend(isDamaged: outcome.isDamaged, byteCount: outcome.byteCount)
    }

    func conceal() -> linnet_audio {
        decoder.conceal(into: &buffer)
        return unsafe lend(isDamaged: true, byteCount: 0)
    }

    /// The output format.
    var format: linnet_audio {
        unsafe linnet_audio(
            samples: nil, frames: UInt32(decoder.frameLength), channels: UInt32(decoder.channelCount),
            sample_rate: UInt32(decoder.sampleRate), damaged: 0, used: 0)
    }

    /// Writes the samples of the last access unit as integers.
    ///
    /// Returns whether they fit.
    func write(to target: UnsafeMutablePointer<Int16>, capacity: Int) -> Bool {
        guard buffer.frameCount * buffer.channelCount <= capacity else { return false }
        var samples = unsafe UnsafeMutableBufferPointer(start: target, count: capacity).mutableSpan
        buffer.copyIntegers(to: &samples)
        return true
    }

    /// Resets the history and discards the samples of the last access unit.
    func reset() {
        decoder.reset()
        buffer.frameCount = 0
    }

    /// Returns the interleaved samples of the last access unit.
    private func lend(isDamaged: Bool, byteCount: Int) -> linnet_audio {
        let (channelCount, frameCount) = (buffer.channelCount, buffer.frameCount)
        let target = unsafe samples.reserve(channelCount * frameCount)
        for channel in 0..<channelCount {
            let source = buffer[channel: channel]
            for frame in 0..<frameCount { unsafe target[frame &* channelCount &+ channel] = source[frame] }
        }
        return unsafe linnet_audio(
            samples: UnsafePointer(target), frames: UInt32(frameCount), channels: UInt32(channelCount),
            sample_rate: UInt32(buffer.sampleRate), damaged: isDamaged ? 1 : 0, used: byteCount)
    }
}

/// Creates a decoder.
@c @implementation
public func linnet_decoder_create(
    _ configuration: UnsafePointer<UInt8>?, _ size: Int, _ mix: UInt32, _ decoder: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let decoder = unsafe decoder else { return LINNET_ERROR_ARGUMENT.code }
    unsafe decoder.pointee = nil
    var options = AACDecoderOptions()
    switch Int(clamping: mix) {
    case LINNET_MIX_NONE: break
    case LINNET_MIX_MONO: options.downmix = .mono
    case LINNET_MIX_STEREO: options.downmix = .stereo
    default: return LINNET_ERROR_ARGUMENT.code
    }
    guard let bytes = unsafe Array(configuration, count: size), !bytes.isEmpty else { return LINNET_ERROR_ARGUMENT.code }
    do throws(CodecError) {
        let parsed = try AudioSpecificConfig(parsing: bytes)
        unsafe decoder.pointee = Handle.make(try DecoderHandle(StreamDecoder(parsed, options: options)))
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Destroys a decoder.
@c @implementation
public func linnet_decoder_destroy(_ decoder: OpaquePointer?) { unsafe Handle.destroy(decoder, DecoderHandle.self) }

/// Decodes an access unit.
@c @implementation
public func linnet_decoder_decode(
    _ decoder: OpaquePointer?, _ bytes: UnsafePointer<UInt8>?, _ size: Int, _ audio: UnsafeMutablePointer<linnet_audio>?
) -> Int32 {
    guard let handle: DecoderHandle = unsafe Handle.object(decoder), let audio = unsafe audio, size >= 0,
        unsafe bytes != nil || size == 0
    else { return LINNET_ERROR_ARGUMENT.code }
    unsafe audio.pointee = handle.decode(UnsafeBufferPointer(start: bytes, count: size))
    return LINNET_OK.code
}

/// Conceals a lost access unit.
@c @implementation
public func linnet_decoder_conceal(_ decoder: OpaquePointer?, _ audio: UnsafeMutablePointer<linnet_audio>?) -> Int32 {
    guard let handle: DecoderHandle = unsafe Handle.object(decoder), let audio = unsafe audio else { return LINNET_ERROR_ARGUMENT.code }
    unsafe audio.pointee = handle.conceal()
    return LINNET_OK.code
}

/// Returns the samples of the last access unit as integers.
@c @implementation
public func linnet_decoder_int16(_ decoder: OpaquePointer?, _ samples: UnsafeMutablePointer<Int16>?, _ capacity: Int) -> Int32 {
    guard let handle: DecoderHandle = unsafe Handle.object(decoder), let samples = unsafe samples,
        unsafe handle.write(to: samples, capacity: capacity)
    else { return LINNET_ERROR_ARGUMENT.code }
    return LINNET_OK.code
}

/// Returns the output format.
@c @implementation
public func linnet_decoder_format(_ decoder: OpaquePointer?, _ audio: UnsafeMutablePointer<linnet_audio>?) -> Int32 {
    guard let handle: DecoderHandle = unsafe Handle.object(decoder), let audio = unsafe audio else { return LINNET_ERROR_ARGUMENT.code }
    unsafe audio.pointee = handle.format
    return LINNET_OK.code
}

/// Returns the decoder's delay.
@c @implementation
public func linnet_decoder_delay(_ decoder: OpaquePointer?, _ delay: UnsafeMutablePointer<UInt32>?) -> Int32 {
    guard let handle: DecoderHandle = unsafe Handle.object(decoder), let delay = unsafe delay else { return LINNET_ERROR_ARGUMENT.code }
    unsafe delay.pointee = UInt32(handle.decoder.delay)
    return LINNET_OK.code
}

/// Resets the history.
@c @implementation
public func linnet_decoder_reset(_ decoder: OpaquePointer?) -> Int32 {
    guard let handle: DecoderHandle = unsafe Handle.object(decoder) else { return LINNET_ERROR_ARGUMENT.code }
    handle.reset()
    return LINNET_OK.code
}
