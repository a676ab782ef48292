// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

#if MODEL_IOS
import COpusLibrary
#endif

/// A converter's Opus codec, implemented with libopus so that packets and samples are real.
///
/// Only the iOS model has it, because its scenarios link the Linux libraries.
final class OpusEngine {
    /// The Opus sample rates in hertz.
    static let sampleRates: [Double] = [8000, 12_000, 16_000, 24_000, 48_000]
    /// The maximum packet size in bytes.
    static let maximumByteCount = 1500

    let isDecoder: Bool
    /// The latest encoded packet.
    private(set) var packet: [UInt8] = []
    private let channelCount: Int
    private let framesPerPacket: Int
    private let ratio: Int
    /// The caller's memory of the latest packet and a copy of its contents.
    private var borrowed: (memory: UnsafePointer<UInt8>, description: UnsafePointer<AudioStreamPacketDescription>, bytes: [UInt8])?

    #if MODEL_IOS
    private let functions: LinnetOpusFunctions
    private var encoder: OpaquePointer?
    private var decoder: OpaquePointer?

    init(_ codec: ConverterCodec, sampleRate: Double, channelCount: Int, isDecoder: Bool) {
        self.isDecoder = isDecoder
        self.channelCount = channelCount
        framesPerPacket = Int(codec.framesPerPacket[0])
        ratio = 48_000 / Int(sampleRate)
        guard let functions = linnet_opus_functions() else { fatalError("the model needs libopus0") }
        self.functions = functions.pointee
        var (streams, coupled, code): (Int32, Int32, Int32) = (0, 0, 0)
        var mapping: [UInt8] = [0, 1]
        if isDecoder {
            decoder = self.functions.opus_multistream_decoder_create(
                Int32(sampleRate), Int32(channelCount), 1, Int32(channelCount - 1), mapping, &code)
        } else {
            let application = codec.priming * ratio == 120 ? OPUS_APPLICATION_RESTRICTED_LOWDELAY : OPUS_APPLICATION_AUDIO
            encoder = self.functions.opus_multistream_surround_encoder_create(
                Int32(sampleRate), Int32(channelCount), 0, &streams, &coupled, &mapping, Int32(application), &code)
        }
        if code != OPUS_OK { machine.violate("the model has no libopus: \(code)") }
    }

    deinit {
        if let encoder { functions.opus_multistream_encoder_destroy(encoder) }
        if let decoder { functions.opus_multistream_decoder_destroy(decoder) }
    }

    /// Discards the history and releases the caller's memory.
    func reset() {
        borrowed = nil
        if let encoder { _ = linnet_opus_encoder_set(encoder, Int32(OPUS_RESET_STATE), 0) }
        if let decoder { _ = linnet_opus_decoder_set(decoder, Int32(OPUS_RESET_STATE), 0) }
    }

    func encode(_ samples: [Float], frameCount: Int, bitRate: UInt32, mode: UInt32?) {
        _ = linnet_opus_encoder_set(encoder, Int32(OPUS_SET_BITRATE_REQUEST), Int32(bitRate))
        _ = linnet_opus_encoder_set(encoder, Int32(OPUS_SET_VBR_REQUEST), mode == 0 ? 0 : 1)
        _ = linnet_opus_encoder_set(encoder, Int32(OPUS_SET_VBR_CONSTRAINT_REQUEST), mode == 2 ? 1 : 0)
        let padded = samples + Array(repeating: 0, count: frameCount * channelCount - samples.count)
        packet = Array(repeating: 0, count: Self.maximumByteCount)
        let count = functions.opus_multistream_encode_float(encoder, padded, Int32(frameCount), &packet, Int32(packet.count))
        if count <= 0 { machine.violate("libopus does not encode: \(count)") }
        packet.removeLast(packet.count - max(1, Int(count)))
    }

    /// Decodes a packet to floating point; returns the number of frames or an error status.
    private func decode(_ bytes: [UInt8], _ output: UnsafeMutablePointer<Float>) -> Int32 {
        functions.opus_multistream_decode_float(decoder, bytes, Int32(bytes.count), output, Int32(framesPerPacket), 0)
    }
    #else
    init(_ codec: ConverterCodec, sampleRate: Double, channelCount: Int, isDecoder: Bool) {
        self.isDecoder = isDecoder
        self.channelCount = channelCount
        framesPerPacket = Int(codec.framesPerPacket[0])
        ratio = 48_000 / Int(sampleRate)
    }

    func reset() { borrowed = nil }
    func encode(_ samples: [Float], frameCount: Int, bitRate: UInt32, mode: UInt32?) {}
    private func decode(_ bytes: [UInt8], _ output: UnsafeMutablePointer<Float>) -> Int32 { 0 }
    #endif

    /// Decodes packets until the requested number of frames is available, with one input request per packet.
    func decode(
        _ source: ConverterSource, _ capacity: Int, _ room: Int, _ memory: UnsafeMutablePointer<Float>
    ) -> (frameCount: Int, status: OSStatus) {
        guard capacity % framesPerPacket == 0, room == capacity * channelCount * 4 else {
            machine.violate("the requested frames are not whole packets, or the memory has another size")
            return (0, ConverterStatus.unsupportedValue)
        }
        var frameCount = 0
        while frameCount < capacity {
            var bytes: [UInt8] = []
            let status = callForPacket(source, &bytes)
            guard status == noErr, !bytes.isEmpty else { return (frameCount, status) }
            // The TOC byte's configuration and the number of frames (RFC 6716 3.1).
            let configuration = Int(bytes[0] >> 3)
            let duration =
                configuration < 12
                ? [480, 960, 1920, 2880][configuration % 4] : configuration < 16 ? 480 << (configuration % 2) : 120 << (configuration % 4)
            guard bytes[0] & 3 == 0, duration / ratio == framesPerPacket else { return (frameCount, ConverterStatus.badData) }
            if bytes.count == 1, !machine.converters.concealsEmptyFrames { return (frameCount, ConverterStatus.badData) }
            let count = decode(bytes, memory + frameCount * channelCount)
            guard count == framesPerPacket else { return (frameCount, ConverterStatus.badData) }
            frameCount += framesPerPacket
        }
        return (frameCount, noErr)
    }

    /// Requests one packet with its packet description.
    private func callForPacket(_ source: ConverterSource, _ bytes: inout [UInt8]) -> OSStatus {
        if let borrowed,
            Array(UnsafeBufferPointer(start: borrowed.memory, count: borrowed.bytes.count)) != borrowed.bytes
                || Int(borrowed.description.pointee.mDataByteSize) != borrowed.bytes.count
        {
            machine.violate("the packet's memory changed before the next call for input")
        }
        borrowed = nil
        var count: UInt32 = 1
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 0, mDataByteSize: 0, mData: nil))
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let status = source.procedure(source.handle, &count, &list, &descriptions, source.context)
        guard count > 0, status == noErr else { return status }
        guard count == 1, let memory = list.mBuffers.mData, let description = descriptions, description.pointee.mStartOffset == 0,
            description.pointee.mDataByteSize == list.mBuffers.mDataByteSize, description.pointee.mVariableFramesInPacket == 0
        else {
            machine.violate("a packet's description contradicts its memory")
            return ConverterStatus.badPropertySize
        }
        let start = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
        bytes = Array(UnsafeBufferPointer(start: start, count: Int(description.pointee.mDataByteSize)))
        borrowed = (start, UnsafePointer(description), bytes)
        return noErr
    }
}
