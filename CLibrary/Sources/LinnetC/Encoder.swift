// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
public import CLinnet
internal import MPEG4Audio

/// The encoder that a handle refers to, with memory for its results.
final class EncoderHandle {
    let encoder: AACEncoder
    private let unitMemory = LentMemory<UInt8>()
    private let configurationMemory = LentMemory<UInt8>()
    private let samples = LentMemory<Float>()

    init(_ encoder: AACEncoder) { self.encoder = encoder }

    /// Reads interleaved samples up to the end of an access unit.
    ///
    /// - Returns: A result code. Stores the number of sample frames read in `taken`.
    func take(
        _ samples: UnsafeRawPointer?, _ format: SampleFormat, frames: Int, taken: UnsafeMutablePointer<Int>?
    ) -> ResultCode {
        guard let taken = unsafe taken else { return LINNET_ERROR_ARGUMENT.code }
        unsafe taken.pointee = 0
        let format = PCMFormat(format, channelCount: encoder.configuration.channelCount)
        let (byteCount, overflow) = frames.multipliedReportingOverflow(by: format.bytesPerFrame)
        guard frames >= 0, !overflow else { return LINNET_ERROR_ARGUMENT.code }
        guard frames > 0 else { return LINNET_OK.code }
        guard let samples = unsafe samples else { return LINNET_ERROR_ARGUMENT.code }
        // The caller guarantees this number of samples.
        let bytes = unsafe UnsafeRawBufferPointer(start: samples, count: byteCount)
        do throws(CodecError) {
            unsafe taken.pointee = try encoder.take(bytes.bytes, format: format)
        } catch {
            return error.resultCode
        }
        return LINNET_OK.code
    }

    /// Reads planar samples up to the end of an access unit.
    func take(
        planar channels: UnsafePointer<UnsafePointer<Float>?>?, frames: Int, taken: UnsafeMutablePointer<Int>?
    ) -> ResultCode {
        guard let channels = unsafe channels, unsafe taken != nil, frames >= 0 else { return LINNET_ERROR_ARGUMENT.code }
        let channelCount = encoder.configuration.channelCount
        let count = min(frames, encoder.framesPerPacket)
        let target = unsafe samples.reserve(count * channelCount)
        for channel in 0..<channelCount {
            guard let source = unsafe channels[channel] else { return LINNET_ERROR_ARGUMENT.code }
            for frame in 0..<count { unsafe target[frame * channelCount + channel] = source[frame] }
        }
        return unsafe take(UnsafeRawPointer(target), .float32, frames: count, taken: taken)
    }

    /// Encodes the next access unit.
    ///
    /// It is empty if more samples are needed.
    func nextUnit() -> linnet_unit {
        let rate = UInt32(encoder.configuration.sampleRate)
        guard let unit = encoder.nextUnit() else {
            return unsafe linnet_unit(bytes: nil, size: 0, time: 0, duration: 0, sample_rate: rate, blocks: 0)
        }
        return unsafe linnet_unit(
            bytes: unitMemory.lend(unit.payload), size: unit.payload.count, time: unit.presentationTime.value,
            duration: UInt32(unit.duration), sample_rate: rate, blocks: 1)
    }

    /// Returns the AudioSpecificConfig.
    func lendConfiguration(_ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>, _ size: UnsafeMutablePointer<Int>) {
        let configuration = encoder.audioSpecificConfig.serialized()
        unsafe bytes.pointee = configurationMemory.lend(configuration)
        unsafe size.pointee = configuration.count
    }

    var information: linnet_encoder_information {
        linnet_encoder_information(
            size: UInt32(MemoryLayout<linnet_encoder_information>.size), profile: encoder.profile.number,
            unit_length: UInt32(encoder.framesPerPacket), delay: UInt32(encoder.delay), bandwidth: UInt32(encoder.bandwidth),
            bit_rate: UInt32(encoder.bitRate ?? 0))
    }
}

extension GaplessInfo {
    /// The same values as a C structure.
    var trim: linnet_trim { linnet_trim(priming: Int64(primingFrames), valid: Int64(validFrames), padding: Int64(remainderFrames)) }
}

/// Creates an encoder.
@c @implementation
public func linnet_encoder_create(
    _ settings: UnsafePointer<linnet_encoder_settings>?, _ encoder: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let encoder = unsafe encoder else { return LINNET_ERROR_ARGUMENT.code }
    unsafe encoder.pointee = nil
    guard let configuration = unsafe AACEncoderConfiguration(settings) else { return LINNET_ERROR_ARGUMENT.code }
    do throws(CodecError) {
        unsafe encoder.pointee = Handle.make(try EncoderHandle(AACEncoder(configuration)))
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Destroys an encoder.
@c @implementation
public func linnet_encoder_destroy(_ encoder: OpaquePointer?) { unsafe Handle.destroy(encoder, EncoderHandle.self) }

/// Writes interleaved 32-bit floating-point samples.
@c @implementation
public func linnet_encoder_write_float(
    _ encoder: OpaquePointer?, _ samples: UnsafePointer<Float>?, _ frames: Int, _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder) else { return LINNET_ERROR_ARGUMENT.code }
    return unsafe handle.take(UnsafeRawPointer(samples), .float32, frames: frames, taken: taken)
}

/// Writes interleaved 16-bit samples.
@c @implementation
public func linnet_encoder_write_int16(
    _ encoder: OpaquePointer?, _ samples: UnsafePointer<Int16>?, _ frames: Int, _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder) else { return LINNET_ERROR_ARGUMENT.code }
    return unsafe handle.take(UnsafeRawPointer(samples), .int16, frames: frames, taken: taken)
}

/// Writes planar samples.
@c @implementation
public func linnet_encoder_write_planar(
    _ encoder: OpaquePointer?, _ channels: UnsafePointer<UnsafePointer<Float>?>?, _ frames: Int, _ taken: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder) else { return LINNET_ERROR_ARGUMENT.code }
    return unsafe handle.take(planar: channels, frames: frames, taken: taken)
}

/// Ends the input.
@c @implementation
public func linnet_encoder_finish(_ encoder: OpaquePointer?) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder) else { return LINNET_ERROR_ARGUMENT.code }
    handle.encoder.finishInput()
    return LINNET_OK.code
}

/// Returns the next access unit.
@c @implementation
public func linnet_encoder_next(_ encoder: OpaquePointer?, _ unit: UnsafeMutablePointer<linnet_unit>?) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder), let unit = unsafe unit else { return LINNET_ERROR_ARGUMENT.code }
    unsafe unit.pointee = handle.nextUnit()
    return LINNET_OK.code
}

/// Returns the AudioSpecificConfig.
@c @implementation
public func linnet_encoder_configuration(
    _ encoder: OpaquePointer?, _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder), let bytes = unsafe bytes, let size = unsafe size else {
        return LINNET_ERROR_ARGUMENT.code
    }
    unsafe handle.lendConfiguration(bytes, size)
    return LINNET_OK.code
}

/// Returns the properties of the encoder.
@c @implementation
public func linnet_encoder_information_get(
    _ encoder: OpaquePointer?, _ information: UnsafeMutablePointer<linnet_encoder_information>?
) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder), let information = unsafe information,
        unsafe information.pointee.size >= MemoryLayout<linnet_encoder_information>.size
    else { return LINNET_ERROR_ARGUMENT.code }
    unsafe information.pointee = handle.information
    return LINNET_OK.code
}

/// Returns the priming and padding.
@c @implementation
public func linnet_encoder_trim(_ encoder: OpaquePointer?, _ trim: UnsafeMutablePointer<linnet_trim>?) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder), let trim = unsafe trim else { return LINNET_ERROR_ARGUMENT.code }
    unsafe trim.pointee = handle.encoder.gaplessInfo.trim
    return LINNET_OK.code
}

/// Changes the bit rate.
@c @implementation
public func linnet_encoder_set_bit_rate(_ encoder: OpaquePointer?, _ bitRate: UInt32) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder) else { return LINNET_ERROR_ARGUMENT.code }
    do throws(CodecError) {
        try handle.encoder.setBitRate(Int(clamping: bitRate))
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Resets the encoder to the start of a stream.
@c @implementation
public func linnet_encoder_reset(_ encoder: OpaquePointer?) -> Int32 {
    guard let handle: EncoderHandle = unsafe Handle.object(encoder) else { return LINNET_ERROR_ARGUMENT.code }
    handle.encoder.reset()
    return LINNET_OK.code
}
