// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// Encodes PCM to Opus (RFC 6716) by means of libopus, which is loaded when the first encoder is created.
///
/// ```swift
/// let encoder = try OpusEncoder(OpusEncoderConfiguration(channelCount: 2, bitRate: 96_000))
/// try encoder.encode(buffer) { unit in try writer.append(unit) }
/// let gapless = try encoder.finish { unit in try writer.append(unit) }
/// ```
///
/// Any number of sample frames can be passed at a time; those that don't fill a packet are kept for the next call. Times of packets and
/// the gapless information count sample frames at 48 kHz, whatever the rate of the input is. An encoder may be used from any thread, but
/// only from one at a time.
public final class OpusEncoder {
    /// The configuration that the encoder was created with, with the current bit rate.
    public private(set) var configuration: OpusEncoderConfiguration

    /// The identification header of the stream.
    public let opusConfiguration: OpusConfiguration

    /// The library's encoder.
    private let library: OpusLibraryEncoder

    /// The samples of the next packet.
    private var input: OpusEncoderInput

    /// The number of sample frames of the input so far.
    private var framesIn = 0

    /// The number of packets so far.
    private var packetCount = 0

    /// Whether ``finish(_:)`` has been called.
    private var isFinished = false

    /// The bytes of the latest packet, and room after them.
    private var packet: [UInt8]

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The format of the input and the parameters of the stream.
    /// - Throws: ``OpusError/libraryMissing``, or the error of the parameter that is unsupported.
    public init(_ configuration: OpusEncoderConfiguration) throws(OpusError) {
        let mapping = try configuration.validatedMapping()
        let layout = mapping.channelLayout
        let order = configuration.inputLayout ?? layout.inWAVOrder
        guard let inputChannels = layout.permutation(from: order) else {
            throw .unsupportedChannelLayout(order, allowed: layout.inWAVOrder)
        }
        library = try OpusLibraryEncoder(configuration, mapping: mapping)
        let preSkip = try library.lookAhead() * OpusConfiguration.sampleRate / configuration.sampleRate
        opusConfiguration = OpusConfiguration(
            mapping: library.mapping, preSkip: UInt16(clamping: preSkip),
            inputSampleRate: UInt32(clamping: configuration.originalSampleRate ?? configuration.sampleRate))
        self.configuration = configuration
        let ratio = OpusConfiguration.sampleRate / configuration.sampleRate
        input = OpusEncoderInput(
            inputChannels: inputChannels, policy: configuration.invalidSamples,
            blockLength: configuration.frameDuration.rawValue / ratio,
            lookAhead: configuration.looksAhead ? OpusEncoderConfiguration.analysisLookAhead / ratio : 0)
        packet = [UInt8](repeating: 0, count: mapping.streamCount * Self.largestStreamByteCount)
    }

    /// The largest number of bytes of one stream's 60 ms: three frames of 1275 bytes, with their lengths (RFC 6716 3.2).
    private static let largestStreamByteCount = 3 * 1275 + 7

    /// The largest number of bytes of a packet.
    public var maximumPacketByteCount: Int { packet.count }

    /// The number of sample frames at 48 kHz in a packet.
    public var unitLength: Int { configuration.frameDuration.rawValue }

    /// The number of decoded sample frames at 48 kHz before the first input sample: 312, or 120 with low delay.
    public var delay: Int { Int(opusConfiguration.preSkip) }

    /// The number of sample frames at 48 kHz for one of the input: 1 to 6.
    private var ratio: Int { OpusConfiguration.sampleRate / configuration.sampleRate }

    /// Changes the target bit rate from the next packet on.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: ``OpusError/unsupportedBitRate(_:allowed:)``. Nothing has changed then.
    public func setBitRate(_ bitRate: Int) throws(OpusError) {
        var changed = configuration
        changed.bitRate = bitRate
        _ = try changed.validatedMapping()
        try library.setBitRate(bitRate)
        configuration = changed
    }

    /// Discards all input and history, and returns to the first packet.
    public func reset() {
        library.reset()
        input.removeAll()
        framesIn = 0
        packetCount = 0
        isFinished = false
    }

    /// Encodes a buffer.
    ///
    /// - Parameter buffer: Samples with the channel count of the configuration, nominally from -1 to 1.
    /// - Returns: The packets that are complete; there may be none.
    /// - Throws: ``OpusError`` if the channel count differs, a sample is invalid or the stream is finished.
    public func encode(_ buffer: PCMBuffer) throws(OpusError) -> [AccessUnit] {
        var packets: [AccessUnit] = []
        do {
            try encode(buffer) { packets.append($0) }
        } catch {
            throw Self.ownError(error)
        }
        return packets
    }

    /// Encodes samples in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames; channel after channel if `format` is not interleaved.
    ///   - format: The format of the samples, with the channel count of the configuration.
    /// - Returns: The packets that are complete; there may be none.
    /// - Throws: ``OpusError/incompleteFrame(byteCount:bytesPerFrame:)`` if `bytes` is not a whole number of sample frames; ``OpusError`` if
    ///   the channel count differs, a sample is invalid or the stream is finished.
    public func encode(_ bytes: RawSpan, format: PCMFormat) throws(OpusError) -> [AccessUnit] {
        var packets: [AccessUnit] = []
        do {
            try encode(bytes, format: format) { packets.append($0) }
        } catch {
            throw Self.ownError(error)
        }
        return packets
    }

    /// Encodes the remaining samples, zero-padded to a whole packet, and ends the stream.
    ///
    /// - Returns: The last packets, and the priming and padding to trim from the decoded stream, in sample frames at 48 kHz.
    /// - Throws: ``OpusError`` if the library fails.
    public func finish() throws(OpusError) -> (packets: [AccessUnit], gapless: GaplessInfo) {
        var packets: [AccessUnit] = []
        do {
            let gapless = try finish { packets.append($0) }
            return (packets, gapless)
        } catch {
            throw Self.ownError(error)
        }
    }

    /// Returns an error of this encoder, where a closure has thrown none.
    private static func ownError(_ error: any Error) -> OpusError {
        guard let error = error as? OpusError else { preconditionFailure("the encoder throws its own errors: \(error)") }
        return error
    }

    /// Encodes a buffer with a closure that may throw; nothing is encoded after its error.
    ///
    /// The errors are of two types, so that they are not typed here; those of ``encode(_:)`` are.
    ///
    /// - Parameters:
    ///   - buffer: Samples with the channel count of the configuration, nominally from -1 to 1.
    ///   - body: A closure that receives each packet as it is completed.
    /// - Throws: ``OpusError`` if the channel count differs, a sample is invalid or the stream is finished; errors of `body`.
    public func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws {
        let format = PCMFormat(.float32, channelCount: buffer.channelCount, isInterleaved: false)
        // The bytes of Floats are only read.
        unsafe try encode(
            buffer.samples.span.bytes, format: format, planeLength: buffer.frameCapacity, frameCount: buffer.frameCount, body)
    }

    /// Encodes samples in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames; channel after channel if `format` is not interleaved.
    ///   - format: The format of the samples, with the channel count of the configuration.
    ///   - body: A closure that receives each packet as it is completed.
    /// - Throws: ``OpusError/incompleteFrame(byteCount:bytesPerFrame:)`` if `bytes` is not a whole number of sample frames; ``OpusError`` if
    ///   the channel count differs, a sample is invalid or the stream is finished; errors of `body`.
    public func encode(_ bytes: RawSpan, format: PCMFormat, _ body: (AccessUnit) throws -> Void) throws {
        guard bytes.byteCount % format.bytesPerFrame == 0 else {
            throw OpusError.incompleteFrame(byteCount: bytes.byteCount, bytesPerFrame: format.bytesPerFrame)
        }
        let count = bytes.byteCount / format.bytesPerFrame
        try encode(bytes, format: format, planeLength: count, frameCount: count, body)
    }

    /// Encodes the first `frameCount` sample frames of `bytes`, whose planes have room for `planeLength`.
    private func encode(
        _ bytes: RawSpan, format: PCMFormat, planeLength: Int, frameCount: Int, _ body: (AccessUnit) throws -> Void
    ) throws {
        guard !isFinished else { throw OpusError.finished }
        guard format.channelCount == configuration.channelCount else {
            throw OpusError.channelCountMismatch(expected: configuration.channelCount, found: format.channelCount)
        }
        var consumed = 0
        while consumed < frameCount {
            let count = min(frameCount - consumed, input.space)
            try input.append(bytes, format: format, from: consumed, count: count, total: planeLength, position: framesIn)
            consumed += count
            framesIn += count
            if input.space == 0 { try encodePacket(body) }
        }
    }

    /// Encodes the remaining samples, zero-padded to a whole packet, and ends the stream.
    ///
    /// - Parameter body: A closure that receives each packet as it is completed.
    /// - Returns: The priming and padding to trim from the decoded stream, in sample frames at 48 kHz.
    /// - Throws: Errors of `body`.
    public func finish(_ body: (AccessUnit) throws -> Void) throws -> GaplessInfo {
        let valid = framesIn * ratio
        let total = delay + valid
        let count = valid == 0 ? 0 : (total + unitLength - 1) / unitLength
        if !isFinished {
            isFinished = true
            while packetCount < count {
                input.appendSilence(input.space)
                try encodePacket(body)
            }
        }
        guard count > 0 else { return GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0) }
        return GaplessInfo(primingFrames: delay, validFrames: valid, remainderFrames: count * unitLength - total)
    }

    /// Encodes the packet at the start of the window.
    private func encodePacket(_ body: (AccessUnit) throws -> Void) throws {
        let byteCount = try library.encode(input.samples, from: input.offset, frameCount: input.windowLength, into: &packet)
        input.removePacket()
        let time = MediaTime(value: Int64(packetCount * unitLength), timescale: Int32(OpusConfiguration.sampleRate))
        packetCount += 1
        try body(AccessUnit(payload: Array(packet[..<byteCount]), presentationTime: time, duration: unitLength))
    }
}
