// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// An Opus encoder (RFC 6716), based on libopus or the system codec on Apple platforms.
///
/// libopus is loaded when the first encoder is created. The system codec supports one or two channels, and only the sample rate, frame
/// duration, bit rate and bit rate mode can be set. Other settings must keep their defaults.
///
/// ```swift
/// let encoder = try OpusEncoder(OpusEncoderConfiguration(channelCount: 2, bitRate: 96_000))
/// for unit in try encoder.encode(buffer) { try writer.append(unit) }
/// let tail = try encoder.finish()
/// for unit in tail.accessUnits { try writer.append(unit) }
/// ```
///
/// Each call takes any number of sample frames. Those that do not fill a packet are kept for the next call. Times of packets and gapless
/// information count sample frames at 48 kHz, whatever the input rate. Use an encoder on any thread, but only on one at a time.
public final class OpusEncoder {
    /// The configuration of the encoder, with the current bit rate.
    public private(set) var configuration: OpusEncoderConfiguration

    /// The identification header of the stream.
    public let opusConfiguration: OpusConfiguration

    private let library: OpusLibraryEncoder

    /// The samples of the next packet.
    private var input: OpusEncoderInput

    /// The number of input sample frames so far.
    private var framesIn = 0

    private var packetCount = 0

    /// Complete packets that were not returned because of an error.
    private var completed: [AccessUnit] = []

    /// A buffer that was not fully encoded because of a library error, and the position of the first remaining sample frame.
    private var rest: (buffer: PCMBuffer, position: Int)?

    private var isFinished = false

    /// The bytes of the latest packet, with room for the maximum size.
    private var packet: [UInt8]

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The input format and the stream parameters.
    /// - Throws: `CodecError.libraryMissing`, or the error of the first unsupported parameter.
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

    /// The maximum packet size, in bytes.
    public var maximumPacketByteCount: Int { packet.count }

    /// The number of sample frames at 48 kHz per packet.
    public var framesPerPacket: Int { configuration.frameDuration.rawValue }

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var unitLength: Int { framesPerPacket }

    /// The number of decoded sample frames at 48 kHz before the first input sample.
    ///
    /// This is 312, or 120 with low delay. On Apple platforms, it is the delay of the system encoder.
    public var delay: Int { Int(opusConfiguration.preSkip) }

    /// The bit rates for the channel count, or the range of the system encoder on Apple platforms.
    public var applicableBitRates: [ClosedRange<Int>] { library.applicableBitRates }

    /// The number of sample frames at 48 kHz per input sample frame: 1 to 6.
    private var ratio: Int { OpusConfiguration.sampleRate / configuration.sampleRate }

    /// Changes the target bit rate, starting with the next packet.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: `CodecError.unsupportedBitRate`, without changing anything.
    public func setBitRate(_ bitRate: Int) throws(CodecError) {
        var changed = configuration
        changed.bitRate = bitRate
        _ = try changed.validatedMapping()
        try library.setBitRate(bitRate)
        configuration = changed
        configuration.bitRate = library.bitRate
    }

    /// Discards all input and history and starts a new stream.
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
    /// After an error of the library or the system, complete packets and remaining sample frames are kept for the next call. That call
    /// encodes the remaining frames first, and throws again if the library still fails.
    ///
    /// - Parameter buffer: Samples with the configured sample rate and channel count, nominally from -1 to 1.
    /// - Returns: The completed packets, possibly none.
    /// - Throws: `CodecError` if the sample rate or channel count differs, a sample is invalid, the stream is finished, or the library
    ///   fails.
    public func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        try encodeRest()
        try encode(buffer, from: 0)
        return dequeuePackets()
    }

    /// Encodes samples in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames, channel after channel if `format` is not interleaved.
    ///   - format: The sample format, with the configured channel count.
    /// - Returns: The completed packets, possibly none.
    /// - Throws: `CodecError.incompleteFrame` if `bytes` is not a whole number of sample frames, or another `CodecError` if the channel
    ///   count differs, a sample is invalid or the stream is finished.
    public func encode(_ bytes: RawSpan, format: PCMFormat) throws(CodecError) -> [AccessUnit] {
        try encodeRest()
        var position = 0
        while let packet = try nextPacket(bytes, format: format, position: &position) { completed.append(packet) }
        return dequeuePackets()
    }

    /// Encodes the remaining samples, zero-padded to a whole packet, and ends the stream.
    ///
    /// - Returns: The last packets, and the priming and padding to trim from the decoded stream, in sample frames at 48 kHz.
    /// - Throws: `CodecError` if the library fails.
    public func finish() throws(CodecError) -> EncodedTail {
        try encodeRest()
        isFinished = true
        while let packet = try nextPaddedPacket() { completed.append(packet) }
        return EncodedTail(accessUnits: dequeuePackets(), gapless: gaplessInfo)
    }

    /// Encodes a buffer and passes each packet to a closure.
    ///
    /// If the closure throws, the rest of the buffer is not encoded. Errors are untyped here because they have two sources. Those of
    /// ``encode(_:)`` are typed.
    ///
    /// - Parameters:
    ///   - buffer: Samples with the configured sample rate and channel count, nominally from -1 to 1.
    ///   - body: A closure that receives each completed packet.
    /// - Throws: `CodecError` if the sample rate or channel count differs, a sample is invalid or the stream is finished, or the error of
    ///   `body`.
    public func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws {
        try encodeRest(body)
        var position = 0
        while let packet = try nextPacket(buffer, position: &position) { try body(packet) }
    }

    /// Encodes samples in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames, channel after channel if `format` is not interleaved.
    ///   - format: The sample format, with the configured channel count.
    ///   - body: A closure that receives each completed packet.
    /// - Throws: `CodecError.incompleteFrame` if `bytes` is not a whole number of sample frames, another `CodecError` if the channel count
    ///   differs, a sample is invalid or the stream is finished, or the error of `body`.
    package func encode(_ bytes: RawSpan, format: PCMFormat, _ body: (AccessUnit) throws -> Void) throws {
        try encodeRest(body)
        var position = 0
        while let packet = try nextPacket(bytes, format: format, position: &position) { try body(packet) }
    }

    /// Encodes the remaining samples, zero-padded to a whole packet, and ends the stream.
    ///
    /// - Parameter body: A closure that receives each completed packet.
    /// - Returns: The priming and padding to trim from the decoded stream, in sample frames at 48 kHz.
    /// - Throws: The error of `body`.
    package func finish(_ body: (AccessUnit) throws -> Void) throws -> GaplessInfo {
        try encodeRest(body)
        isFinished = true
        while let packet = try nextPaddedPacket() { try body(packet) }
        return gaplessInfo
    }

    // MARK: Packets

    /// Encodes the rest of a buffer that an error interrupted.
    private func encodeRest() throws(CodecError) {
        guard let (buffer, position) = rest else { return }
        try encode(buffer, from: position)
    }

    /// Encodes the rest of a buffer that an error interrupted, and passes all packets that were kept to a closure.
    private func encodeRest(_ body: (AccessUnit) throws -> Void) throws {
        try encodeRest()
        for packet in dequeuePackets() { try body(packet) }
    }

    /// Encodes a buffer starting at a position, and keeps the rest if the library fails.
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
        guard buffer.sampleRate == configuration.sampleRate else {
            throw .sampleRateMismatch(expected: configuration.sampleRate, found: buffer.sampleRate)
        }
        let format = PCMFormat(.float32, channelCount: buffer.channelCount, isInterleaved: false)
        // Reading the bytes of Floats is safe.
        return unsafe try nextPacket(
            buffer.samples.span.bytes, format: format, planeLength: buffer.frameCapacity, frameCount: buffer.frameCount, position: &position
        )
    }

    /// Encodes the next packet of samples in memory; see ``nextPacket(_:format:planeLength:frameCount:position:)``.
    private func nextPacket(_ bytes: RawSpan, format: PCMFormat, position: inout Int) throws(CodecError) -> AccessUnit? {
        try check(format)
        guard bytes.byteCount % format.bytesPerFrame == 0 else {
            throw .incompleteFrame(byteCount: bytes.byteCount, bytesPerFrame: format.bytesPerFrame)
        }
        let count = bytes.byteCount / format.bytesPerFrame
        return try nextPacket(bytes, format: format, planeLength: count, frameCount: count, position: &position)
    }

    /// Appends sample frames, starting at `position`, until a packet is complete, and encodes it.
    ///
    /// - Returns: The packet, or `nil` if the first `frameCount` sample frames of `bytes` do not complete one. Planes of `bytes` hold
    ///   `planeLength` sample frames.
    private func nextPacket(
        _ bytes: RawSpan, format: PCMFormat, planeLength: Int, frameCount: Int, position: inout Int
    ) throws(CodecError) -> AccessUnit? {
        try check(format)
        while true {
            // A packet may be left to encode after an error.
            if input.space == 0, let packet = try encodePacket() { return packet }
            let count = min(frameCount - position, input.space)
            guard count > 0 else { return nil }
            try input.append(bytes, format: format, from: position, count: count, total: planeLength, position: framesIn)
            position += count
            framesIn += count
        }
    }

    /// Throws unless the channel count matches and the stream accepts input.
    private func check(_ format: PCMFormat) throws(CodecError) {
        guard !isFinished else { throw .finished }
        guard format.channelCount == configuration.channelCount else {
            throw .channelCountMismatch(expected: configuration.channelCount, found: format.channelCount)
        }
    }

    private func dequeuePackets() -> [AccessUnit] {
        defer { completed = [] }
        return completed
    }

    /// The number of packets for all input and the delay, at least one: players refuse files without a packet.
    private var totalPacketCount: Int { max(1, (delay + framesIn * ratio + framesPerPacket - 1) / framesPerPacket) }

    private var gaplessInfo: GaplessInfo {
        let valid = framesIn * ratio
        return GaplessInfo(primingFrames: delay, validFrames: valid, remainderFrames: totalPacketCount * framesPerPacket - delay - valid)
    }

    /// Encodes the next packet after the end of the input, padded with silence, or returns `nil` after the last packet.
    private func nextPaddedPacket() throws(CodecError) -> AccessUnit? {
        guard packetCount < totalPacketCount else { return nil }
        while true {
            input.appendSilence(input.space)
            if let packet = try encodePacket() { return packet }
        }
    }

    /// Encodes the packet at the start of the window, or returns `nil` if the encoder still holds it back.
    private func encodePacket() throws(CodecError) -> AccessUnit? {
        let byteCount = try library.encode(input.samples, from: input.offset, frameCount: input.windowLength, into: &packet)
        input.removePacket()
        guard byteCount > 0 else { return nil }
        let time = MediaTime(value: Int64(packetCount * framesPerPacket), timescale: Int32(OpusConfiguration.sampleRate))
        packetCount += 1
        return AccessUnit(payload: Array(packet[..<byteCount]), presentationTime: time, duration: framesPerPacket)
    }
}
