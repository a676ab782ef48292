// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Encodes PCM to Opus (RFC 6716) by means of libopus, which is loaded when the first encoder is created, or of Apple's systems.
///
/// Their encoder has one or two channels, and no settings but the sample rate, the frame duration, the bit rate and its mode; another value of
/// any other is an error.
///
/// ```swift
/// let encoder = try OpusEncoder(OpusEncoderConfiguration(channelCount: 2, bitRate: 96_000))
/// for unit in try encoder.encode(buffer) { try writer.append(unit) }
/// let tail = try encoder.finish()
/// for unit in tail.units { try writer.append(unit) }
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

    /// The packets that an error has left for the next call.
    private var completed: [AccessUnit] = []

    /// The buffer of which an error of the library has left sample frames for the next call, from a position on.
    private var rest: (buffer: PCMBuffer, position: Int)?

    /// Whether ``finish(_:)`` has been called.
    private var isFinished = false

    /// The bytes of the latest packet, and room after them.
    private var packet: [UInt8]

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The format of the input and the parameters of the stream.
    /// - Throws: `CodecError.libraryMissing`, or the error of the parameter that is unsupported.
    public init(_ configuration: OpusEncoderConfiguration) throws(CodecError) {
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
        self.configuration.bitRate = library.bitRate
        let ratio = OpusConfiguration.sampleRate / configuration.sampleRate
        input = OpusEncoderInput(
            inputChannels: inputChannels, policy: configuration.invalidSamples,
            blockLength: configuration.frameDuration.rawValue / ratio,
            lookAhead: configuration.looksAhead && OpusLibraryEncoder.looksAhead ? OpusEncoderConfiguration.analysisLookAhead / ratio : 0)
        packet = [UInt8](repeating: 0, count: library.maximumPacketByteCount)
    }

    /// The largest number of bytes of a packet.
    public var maximumPacketByteCount: Int { packet.count }

    /// The number of sample frames at 48 kHz in a packet.
    public var framesPerPacket: Int { configuration.frameDuration.rawValue }

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var unitLength: Int { framesPerPacket }

    /// The number of decoded sample frames at 48 kHz before the first input sample: 312, or 120 with low delay; on Apple's systems that of the
    /// system's encoder.
    public var delay: Int { Int(opusConfiguration.preSkip) }

    /// The bit rates for the channels; on Apple's systems those of the system's encoder.
    public var applicableBitRates: [ClosedRange<Int>] { library.applicableBitRates }

    /// The number of sample frames at 48 kHz for one of the input: 1 to 6.
    private var ratio: Int { OpusConfiguration.sampleRate / configuration.sampleRate }

    /// Changes the target bit rate from the next packet on.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: `CodecError.unsupportedBitRate`. Nothing has changed then.
    public func setBitRate(_ bitRate: Int) throws(CodecError) {
        var changed = configuration
        changed.bitRate = bitRate
        _ = try changed.validatedMapping()
        try library.setBitRate(bitRate)
        configuration = changed
        configuration.bitRate = library.bitRate
    }

    /// Discards all input and history, and returns to the first packet.
    public func reset() {
        library.reset()
        input.removeAll()
        framesIn = 0
        packetCount = 0
        completed = []
        rest = nil
        isFinished = false
    }

    /// Encodes a buffer.
    ///
    /// After an error of the library or the system the packets that are complete and the sample frames that are not encoded are kept for the
    /// next call, which fails without a new buffer as long as the library does.
    ///
    /// - Parameter buffer: Samples with the channel count of the configuration, nominally from -1 to 1.
    /// - Returns: The packets that are complete; there may be none.
    /// - Throws: `CodecError` if the channel count differs, a sample is invalid, the stream is finished, or the library fails.
    public func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        try encodeRest()
        try encode(buffer, from: 0)
        return takePackets()
    }

    /// Encodes samples in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames; channel after channel if `format` is not interleaved.
    ///   - format: The format of the samples, with the channel count of the configuration.
    /// - Returns: The packets that are complete; there may be none.
    /// - Throws: `CodecError.incompleteFrame` if `bytes` is not a whole number of sample frames; `CodecError` if
    ///   the channel count differs, a sample is invalid or the stream is finished.
    public func encode(_ bytes: RawSpan, format: PCMFormat) throws(CodecError) -> [AccessUnit] {
        try encodeRest()
        var position = 0
        while let packet = try nextPacket(bytes, format: format, position: &position) { completed.append(packet) }
        return takePackets()
    }

    /// Encodes the remaining samples, zero-padded to a whole packet, and ends the stream.
    ///
    /// - Returns: The last packets, and the priming and padding to trim from the decoded stream, in sample frames at 48 kHz.
    /// - Throws: `CodecError` if the library fails.
    public func finish() throws(CodecError) -> EncodedTail {
        try encodeRest()
        isFinished = true
        while let packet = try nextPaddedPacket() { completed.append(packet) }
        return EncodedTail(units: takePackets(), gapless: gaplessInfo)
    }

    /// Encodes a buffer with a closure that may throw; nothing is encoded after its error.
    ///
    /// The errors are of two types, so that they are not typed here; those of ``encode(_:)`` are.
    ///
    /// - Parameters:
    ///   - buffer: Samples with the channel count of the configuration, nominally from -1 to 1.
    ///   - body: A closure that receives each packet as it is completed.
    /// - Throws: `CodecError` if the channel count differs, a sample is invalid or the stream is finished; errors of `body`.
    public func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws {
        var position = 0
        while let packet = try nextPacket(buffer, position: &position) { try body(packet) }
    }

    /// Encodes samples in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames; channel after channel if `format` is not interleaved.
    ///   - format: The format of the samples, with the channel count of the configuration.
    ///   - body: A closure that receives each packet as it is completed.
    /// - Throws: `CodecError.incompleteFrame` if `bytes` is not a whole number of sample frames; `CodecError` if
    ///   the channel count differs, a sample is invalid or the stream is finished; errors of `body`.
    package func encode(_ bytes: RawSpan, format: PCMFormat, _ body: (AccessUnit) throws -> Void) throws {
        var position = 0
        while let packet = try nextPacket(bytes, format: format, position: &position) { try body(packet) }
    }

    /// Encodes the remaining samples, zero-padded to a whole packet, and ends the stream.
    ///
    /// - Parameter body: A closure that receives each packet as it is completed.
    /// - Returns: The priming and padding to trim from the decoded stream, in sample frames at 48 kHz.
    /// - Throws: Errors of `body`.
    package func finish(_ body: (AccessUnit) throws -> Void) throws -> GaplessInfo {
        isFinished = true
        while let packet = try nextPaddedPacket() { try body(packet) }
        return gaplessInfo
    }

    // MARK: Packets

    /// Encodes what an error has left of a buffer.
    private func encodeRest() throws(CodecError) {
        guard let (buffer, position) = rest else { return }
        try encode(buffer, from: position)
    }

    /// Encodes a buffer from a position on, and keeps what an error of the library leaves of it.
    private func encode(_ buffer: PCMBuffer, from start: Int) throws(CodecError) {
        var position = start
        rest = nil
        do throws(CodecError) {
            while let packet = try nextPacket(buffer, position: &position) { completed.append(packet) }
        } catch {
            if input.space == 0 { rest = (buffer, position) }
            throw error
        }
    }

    /// Encodes the next packet of a buffer; see ``nextPacket(_:format:planeLength:frameCount:position:)``.
    private func nextPacket(_ buffer: PCMBuffer, position: inout Int) throws(CodecError) -> AccessUnit? {
        let format = PCMFormat(.float32, channelCount: buffer.channelCount, isInterleaved: false)
        // The bytes of Floats are only read.
        return unsafe try nextPacket(
            buffer.samples.span.bytes, format: format, planeLength: buffer.frameCapacity, frameCount: buffer.frameCount, position: &position
        )
    }

    /// Encodes the next packet of samples in memory; see ``nextPacket(_:format:planeLength:frameCount:position:)``.
    private func nextPacket(_ bytes: RawSpan, format: PCMFormat, position: inout Int) throws(CodecError) -> AccessUnit? {
        guard bytes.byteCount % format.bytesPerFrame == 0 else {
            throw .incompleteFrame(byteCount: bytes.byteCount, bytesPerFrame: format.bytesPerFrame)
        }
        let count = bytes.byteCount / format.bytesPerFrame
        return try nextPacket(bytes, format: format, planeLength: count, frameCount: count, position: &position)
    }

    /// Appends sample frames from `position` on until a packet is complete, and encodes it.
    ///
    /// - Returns: The packet; nil if the first `frameCount` sample frames of `bytes`, whose planes have room for `planeLength`, do not complete
    ///   one.
    private func nextPacket(
        _ bytes: RawSpan, format: PCMFormat, planeLength: Int, frameCount: Int, position: inout Int
    ) throws(CodecError) -> AccessUnit? {
        guard !isFinished else { throw .finished }
        guard format.channelCount == configuration.channelCount else {
            throw .channelCountMismatch(expected: configuration.channelCount, found: format.channelCount)
        }
        while true {
            // An error has left a packet to encode.
            if input.space == 0, let packet = try encodePacket() { return packet }
            let count = min(frameCount - position, input.space)
            guard count > 0 else { return nil }
            try input.append(bytes, format: format, from: position, count: count, total: planeLength, position: framesIn)
            position += count
            framesIn += count
        }
    }

    /// Removes and returns the packets that are complete.
    private func takePackets() -> [AccessUnit] {
        defer { completed = [] }
        return completed
    }

    /// The number of packets that hold all input and its delay.
    private var totalPacketCount: Int { framesIn == 0 ? 0 : (delay + framesIn * ratio + framesPerPacket - 1) / framesPerPacket }

    /// The frames to trim after the end of the input.
    private var gaplessInfo: GaplessInfo {
        guard framesIn > 0 else { return GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0) }
        let valid = framesIn * ratio
        return GaplessInfo(primingFrames: delay, validFrames: valid, remainderFrames: totalPacketCount * framesPerPacket - delay - valid)
    }

    /// Encodes the next packet after the end of the input, padded with silence; nil after the last one.
    private func nextPaddedPacket() throws(CodecError) -> AccessUnit? {
        guard packetCount < totalPacketCount else { return nil }
        while true {
            input.appendSilence(input.space)
            if let packet = try encodePacket() { return packet }
        }
    }

    /// Encodes the packet at the start of the window; nil if the encoder returns it later.
    private func encodePacket() throws(CodecError) -> AccessUnit? {
        let byteCount = try library.encode(input.samples, from: input.offset, frameCount: input.windowLength, into: &packet)
        input.removePacket()
        guard byteCount > 0 else { return nil }
        let time = MediaTime(value: Int64(packetCount * framesPerPacket), timescale: Int32(OpusConfiguration.sampleRate))
        packetCount += 1
        return AccessUnit(payload: Array(packet[..<byteCount]), presentationTime: time, duration: framesPerPacket)
    }
}
