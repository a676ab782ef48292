// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

#if canImport(COpusLibrary)
internal import COpusLibrary

/// A libopus encoder, which owns the memory of its handle.
@safe
final class OpusLibraryEncoder {
    /// The mapping that the library chose for the channel count.
    let mapping: OpusChannelMapping

    /// The maximum packet size: three frames of 1275 bytes per stream, with their lengths (RFC 6716 3.2).
    let maximumPacketByteCount: Int

    /// Whether the library analyses frames after a packet.
    static let looksAhead = true

    private(set) var bitRate: Int

    /// The bit rates for the channel count.
    let applicableBitRates: [ClosedRange<Int>]

    private let functions: UnsafePointer<LinnetOpusFunctions>
    private let handle: OpaquePointer

    /// Creates an encoder for a validated configuration.
    ///
    /// - Throws: `CodecError.libraryMissing`, `CodecError.libraryFailed`.
    init(_ configuration: OpusEncoderConfiguration, mapping: OpusChannelMapping) throws(CodecError) {
        guard let functions = unsafe linnet_opus_functions() else { throw .libraryMissing(.opus) }
        var streams: Int32 = 0
        var coupled: Int32 = 0
        var channels = [UInt8](repeating: 0, count: mapping.channelCount)
        var code: Int32 = 0
        // The library fills one entry per channel.
        let created = unsafe functions.pointee.opus_multistream_surround_encoder_create(
            Int32(configuration.sampleRate), Int32(mapping.channelCount), Int32(mapping.family), &streams, &coupled, &channels,
            configuration.application.libraryValue, &code)
        guard let handle = unsafe created, code == OPUS_OK else { throw .libraryFailed(.opus, code: code) }
        unsafe self.functions = unsafe functions
        unsafe self.handle = unsafe handle
        self.mapping = try OpusChannelMapping(
            family: mapping.family, streamCount: Int(streams), coupledCount: Int(coupled), channels: channels)
        maximumPacketByteCount = mapping.streamCount * (3 * 1275 + 7)
        bitRate = configuration.bitRate
        applicableBitRates = [OpusEncoderConfiguration.bitRates(channelCount: mapping.channelCount)]
        for (request, value) in configuration.libraryRequests { try set(request, value) }
    }

    deinit { unsafe functions.pointee.opus_multistream_encoder_destroy(handle) }

    private func set(_ request: Int, _ value: Int) throws(CodecError) {
        // The handle is valid while this object is.
        let code = unsafe linnet_opus_encoder_set(handle, Int32(request), Int32(value))
        guard code == OPUS_OK else { throw .libraryFailed(.opus, code: code) }
    }

    /// Returns the delay before the first decoded sample, in input sample frames.
    func lookAhead() throws(CodecError) -> Int {
        var value: Int32 = 0
        let code = unsafe linnet_opus_encoder_get(handle, Int32(OPUS_GET_LOOKAHEAD_REQUEST), &value)
        guard code == OPUS_OK else { throw .libraryFailed(.opus, code: code) }
        return Int(value)
    }

    func setBitRate(_ bitRate: Int) throws(CodecError) {
        try set(OPUS_SET_BITRATE_REQUEST, bitRate)
        self.bitRate = bitRate
    }

    /// Discards all history, which cannot fail for a valid handle.
    func reset() { _ = try? set(OPUS_RESET_STATE, 0) }

    /// Encodes a packet.
    ///
    /// - Parameters:
    ///   - first: The index of the packet's first sample.
    ///   - frameCount: The number of sample frames of the packet and its look-ahead.
    ///   - packet: Receives the packet, with room for the maximum size.
    /// - Returns: The packet size in bytes.
    func encode(_ samples: [Float], from first: Int, frameCount: Int, into packet: inout [UInt8]) throws(CodecError) -> Int {
        precondition(first >= 0 && first + frameCount * mapping.channelCount <= samples.count)
        let capacity = Int32(packet.count)
        // The library reads frameCount frames of all channels and writes at most the capacity.
        let count = unsafe samples.withUnsafeBufferPointer { buffer in
            unsafe functions.pointee.opus_multistream_encode_float(
                handle, buffer.baseAddress.map { unsafe $0 + first }, Int32(frameCount), &packet, capacity)
        }
        guard count > 0 else { throw .libraryFailed(.opus, code: count) }
        return Int(count)
    }
}

extension OpusEncoderConfiguration {
    /// The library requests for the parameters, with their values.
    fileprivate var libraryRequests: [(Int, Int)] {
        [
            (OPUS_SET_BITRATE_REQUEST, bitRate), (OPUS_SET_VBR_REQUEST, bitRateMode == .constant ? 0 : 1),
            (OPUS_SET_VBR_CONSTRAINT_REQUEST, bitRateMode == .variable ? 0 : 1), (OPUS_SET_COMPLEXITY_REQUEST, complexity),
            (OPUS_SET_SIGNAL_REQUEST, signal.libraryValue), (OPUS_SET_INBAND_FEC_REQUEST, usesForwardErrorCorrection ? 1 : 0),
            (OPUS_SET_PACKET_LOSS_PERC_REQUEST, expectedPacketLoss), (OPUS_SET_DTX_REQUEST, usesDiscontinuousTransmission ? 1 : 0),
            (OPUS_SET_LSB_DEPTH_REQUEST, sourceBitDepth), (OPUS_SET_EXPERT_FRAME_DURATION_REQUEST, frameDuration.libraryValue),
        ]
    }
}

extension OpusFrameDuration {
    fileprivate var libraryValue: Int {
        switch self {
        case .milliseconds2Point5: OPUS_FRAMESIZE_2_5_MS
        case .milliseconds5: OPUS_FRAMESIZE_5_MS
        case .milliseconds10: OPUS_FRAMESIZE_10_MS
        case .milliseconds20: OPUS_FRAMESIZE_20_MS
        case .milliseconds40: OPUS_FRAMESIZE_40_MS
        case .milliseconds60: OPUS_FRAMESIZE_60_MS
        }
    }
}

extension OpusEncoderConfiguration.Application {
    fileprivate var libraryValue: Int32 {
        switch self {
        case .voice: Int32(OPUS_APPLICATION_VOIP)
        case .audio: Int32(OPUS_APPLICATION_AUDIO)
        case .lowDelay: Int32(OPUS_APPLICATION_RESTRICTED_LOWDELAY)
        }
    }
}

extension OpusEncoderConfiguration.Signal {
    fileprivate var libraryValue: Int {
        switch self {
        case .automatic: OPUS_AUTO
        case .voice: OPUS_SIGNAL_VOICE
        case .music: OPUS_SIGNAL_MUSIC
        }
    }
}
#elseif !canImport(Darwin)
/// A stub for systems on which libopus is not loaded.
final class OpusLibraryEncoder {
    let mapping: OpusChannelMapping

    let maximumPacketByteCount: Int

    static let looksAhead = true

    let bitRate: Int

    let applicableBitRates: [ClosedRange<Int>]

    /// Always throws `CodecError.libraryMissing`.
    init(_ configuration: OpusEncoderConfiguration, mapping: OpusChannelMapping) throws(CodecError) { throw .libraryMissing(.opus) }

    func lookAhead() throws(CodecError) -> Int { throw .libraryMissing(.opus) }

    func setBitRate(_ bitRate: Int) throws(CodecError) { throw .libraryMissing(.opus) }

    func reset() {}

    func encode(_ samples: [Float], from first: Int, frameCount: Int, into packet: inout [UInt8]) throws(CodecError) -> Int {
        throw .libraryMissing(.opus)
    }
}
#endif
