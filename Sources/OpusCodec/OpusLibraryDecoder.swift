// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

#if canImport(COpusLibrary)
internal import COpusLibrary

/// A libopus decoder, which owns the memory of its handle.
@safe
final class OpusLibraryDecoder {
    private let functions: UnsafePointer<LinnetOpusFunctions>
    private let handle: OpaquePointer
    private let channelCount: Int

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - sampleRate: The output sample rate, one of those that Opus supports.
    ///   - mapping: The numbers of streams.
    ///   - channels: The decoded channel of each output channel.
    /// - Throws: `CodecError.libraryMissing`, `CodecError.libraryFailed`.
    init(sampleRate: Int, mapping: OpusChannelMapping, channels: [UInt8]) throws(CodecError) {
        guard let functions = unsafe linnet_opus_functions() else { throw .libraryMissing(.opus) }
        var code: Int32 = 0
        let created = unsafe functions.pointee.opus_multistream_decoder_create(
            Int32(sampleRate), Int32(channels.count), Int32(mapping.streamCount), Int32(mapping.coupledCount), channels, &code)
        guard let handle = unsafe created, code == OPUS_OK else { throw .libraryFailed(.opus, code: code) }
        unsafe self.functions = unsafe functions
        unsafe self.handle = unsafe handle
        channelCount = channels.count
    }

    deinit { unsafe functions.pointee.opus_multistream_decoder_destroy(handle) }

    private func set(_ request: Int, _ value: Int) throws(CodecError) {
        // The handle is valid while this object is.
        let code = unsafe linnet_opus_decoder_set(handle, Int32(request), Int32(value))
        guard code == OPUS_OK else { throw .libraryFailed(.opus, code: code) }
    }

    /// The reason why the latest output lacks history, which never happens with libopus.
    var loss: CodecError? { nil }

    /// Sets the output gain, in 1/256 dB.
    func setGain(_ gain: Int) throws(CodecError) { try set(OPUS_SET_GAIN_REQUEST, gain) }

    /// Discards all history, which cannot fail for a valid handle.
    func reset() { _ = try? set(OPUS_RESET_STATE, 0) }

    /// Decodes a packet.
    ///
    /// - Parameters:
    ///   - packet: The packet, of at least one byte.
    ///   - frameCount: The number of sample frames that fit in `samples`, or the length of a lost packet.
    ///   - isForLostPacket: Whether to decode the copy of the previous packet (forward error correction) instead.
    ///   - samples: Receives the interleaved output.
    /// - Returns: The number of sample frames.
    /// - Throws: `CodecError.invalidOpusPacket`.
    func decode(
        _ packet: Span<UInt8>, frameCount: Int, isForLostPacket: Bool = false, into samples: inout [Float]
    ) throws(CodecError) -> Int {
        precondition(!packet.isEmpty && frameCount * channelCount <= samples.count)
        // The library reads the packet and writes at most frameCount frames of all channels.
        let count = unsafe packet.withUnsafeBufferPointer { bytes in
            unsafe functions.pointee.opus_multistream_decode_float(
                handle, bytes.baseAddress, Int32(clamping: bytes.count), &samples, Int32(frameCount), isForLostPacket ? 1 : 0)
        }
        guard count > 0 else { throw .invalidOpusPacket(byteCount: packet.count) }
        return Int(count)
    }

    /// Conceals sample frames.
    ///
    /// - Parameters:
    ///   - frameCount: The number of sample frames, a multiple of 2.5 ms up to 120 ms.
    ///   - samples: Receives the interleaved output.
    /// - Returns: The number of sample frames.
    func conceal(frameCount: Int, into samples: inout [Float]) throws(CodecError) -> Int {
        precondition(frameCount * channelCount <= samples.count)
        let count = unsafe functions.pointee.opus_multistream_decode_float(handle, nil, 0, &samples, Int32(frameCount), 0)
        guard count > 0 else { throw .libraryFailed(.opus, code: count) }
        return Int(count)
    }
}
#elseif !canImport(Darwin)
/// A stub for systems on which libopus is not loaded.
final class OpusLibraryDecoder {
    /// Always throws `CodecError.libraryMissing`.
    init(sampleRate: Int, mapping: OpusChannelMapping, channels: [UInt8]) throws(CodecError) { throw .libraryMissing(.opus) }

    /// The reason why the latest output lacks history.
    var loss: CodecError? { nil }

    /// Sets the output gain, in 1/256 dB.
    func setGain(_ gain: Int) throws(CodecError) { throw .libraryMissing(.opus) }

    func reset() {}

    func decode(
        _ packet: Span<UInt8>, frameCount: Int, isForLostPacket: Bool = false, into samples: inout [Float]
    ) throws(CodecError) -> Int { throw .libraryMissing(.opus) }

    func conceal(frameCount: Int, into samples: inout [Float]) throws(CodecError) -> Int { throw .libraryMissing(.opus) }
}
#endif
