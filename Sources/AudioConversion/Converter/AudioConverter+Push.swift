// SPDX-License-Identifier: Apache-2.0

internal import ALACCodec
internal import AudioContainers
public import AudioPrimitives

extension AudioConverter {
    // MARK: Input

    /// Adds PCM in memory.
    ///
    /// - Parameter bytes: Whole sample frames in the format of the input; channel after channel if it is not interleaved.
    /// - Throws: `CodecError` if the input is of a codec, the bytes are not whole frames, or the stream has ended.
    public func append(_ bytes: RawSpan) throws(CodecError) {
        guard case .pcm(let format) = input else { throw .packetsExpected }
        guard !isFinished else { throw .finished }
        guard bytes.byteCount % format.bytesPerFrame == 0 else {
            throw .incompleteFrame(byteCount: bytes.byteCount, bytesPerFrame: format.bytesPerFrame)
        }
        try pipeline.append(bytes, format: format)
        try encodeAvailable()
    }

    /// Adds PCM of a buffer, which replaces bytes in the format of the input.
    ///
    /// - Parameter buffer: Frames with the rate and the channels of the input.
    /// - Throws: `CodecError` if the input is of a codec, the rate or the channels differ, or the stream has ended.
    public func append(_ buffer: PCMBuffer) throws(CodecError) {
        guard case .pcm(let format) = input else { throw .packetsExpected }
        guard !isFinished else { throw .finished }
        guard buffer.channelCount == format.channelCount else {
            throw .channelCountMismatch(expected: format.channelCount, found: buffer.channelCount)
        }
        guard buffer.sampleRate == format.sampleRate else {
            throw .sampleRateMismatch(expected: format.sampleRate, found: buffer.sampleRate)
        }
        try pipeline.append(buffer, 0..<buffer.frameCount)
        try encodeAvailable()
    }

    /// Adds a packet.
    ///
    /// A damaged one is concealed, and counted in ``damagedPacketCount``.
    ///
    /// - Parameter packet: The bytes of one packet.
    /// - Throws: `CodecError` if the input is PCM, the stream has ended, or the packet changes the format to one that can't be
    ///   converted.
    public func append(packet: Span<UInt8>) throws(CodecError) {
        guard let decoder else { throw .pcmExpected }
        guard !isFinished else { throw .finished }
        if let lossless = decoder as? ALACDecoder, lossless.needsIntegers { return try append(packet, to: lossless) }
        let outcome = decoder.decode(packet, into: &decoded)
        if let damage = outcome.damage {
            damagedPacketCount += 1
            firstDamage = firstDamage ?? damage
        }
        try appendDecoded(decoder)
    }

    /// Adds an access unit, as readers and encoders make them.
    ///
    /// Its time is not used: the output follows that of the units before without a gap, and ``appendLostPacket()`` stands for a missing one.
    ///
    /// - Parameter unit: The access unit.
    /// - Throws: `CodecError` as ``append(packet:)`` does.
    public func append(_ unit: AccessUnit) throws(CodecError) {
        try unit.payload.withSpan { (span) throws(CodecError) in try append(packet: span) }
    }

    /// Adds the substitute of a packet that did not arrive.
    ///
    /// - Throws: `CodecError` as ``append(packet:)`` does.
    public func appendLostPacket() throws(CodecError) {
        guard let decoder else { throw .pcmExpected }
        guard !isFinished else { throw .finished }
        decoder.conceal(into: &decoded)
        try appendDecoded(decoder)
    }

    /// Ends the input; all output can be taken afterwards.
    ///
    /// Further calls do nothing.
    ///
    /// - Throws: `CodecError` if the encoder or the rate conversion fails.
    public func finish() throws(CodecError) {
        guard !isFinished else { return }
        isFinished = true
        try pipeline.finish()
        try encodeAvailable()
        guard let encoder else { return }
        let tail = try encoder.finish()
        for unit in tail.units { packets.append(unit) }
        outputGapless = tail.gapless
    }

    /// Passes the valid frames of the decoded buffer on.
    private func appendDecoded(_ decoder: any AudioPacketDecoder) throws(CodecError) {
        guard decoded.frameCount > 0 else { return }
        let channels = ChannelMatrix.Channels(count: decoded.channelCount, layout: decoder.channelLayout)
        try pipeline.setInput(PipelineFormat(sampleRate: decoded.sampleRate, channels: channels))
        let valid = trimmer.valid(of: decoded.frameCount, factor: decoder.framesPerCountedFrame)
        guard !valid.isEmpty else { return }
        try pipeline.append(decoded, valid)
        try encodeAvailable()
    }

    /// Decodes a packet of integers that single precision does not hold, and passes its valid frames on.
    private func append(_ packet: Span<UInt8>, to decoder: ALACDecoder) throws(CodecError) {
        do throws(CodecError) {
            try decoder.decode(packet, into: &decodedIntegers)
        } catch {
            damagedPacketCount += 1
            firstDamage = firstDamage ?? error
            decoder.conceal(into: &decoded)
            return try appendDecoded(decoder)
        }
        let valid = trimmer.valid(of: decodedIntegers.frameCount, factor: 1)
        guard !valid.isEmpty else { return }
        try pipeline.append(decodedIntegers, valid)
        try encodeAvailable()
    }

    /// Passes all complete frames to the encoder, if there is one.
    private func encodeAvailable() throws(CodecError) {
        guard let encoder else { return }
        while pipeline.count > 0 {
            let count = min(pipeline.count, encoderInput.frameCapacity)
            encoderInput.frameCount = count
            pipeline.read(count, into: &encoderInput, at: 0)
            encodedFrames += count
            for unit in try encoder.encode(encoderInput) { packets.append(unit) }
        }
    }

    // MARK: Output

    /// The frames of PCM that can be read without more input; 0 if the output is of a codec.
    public var availableFrameCount: Int { encoder == nil ? pipeline.count : 0 }

    /// The packets that can be taken without more input; 0 if the output is PCM.
    package var availablePacketCount: Int { packets.count }

    /// Removes and returns the next packet; nil if there is none, or the output is PCM.
    public func nextPacket() -> AccessUnit? { packets.popFirst() }

    /// Removes and returns all frames that can be read without more input; none if the output is of a codec.
    ///
    /// Samples are those of 32-bit floating point, as ``read(into:)`` reads them.
    public func drain() -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: outputSampleRate, channelCount: outputChannelCount, frameCapacity: availableFrameCount)
        read(into: &buffer)
        return buffer
    }

    /// Replaces bytes by the next frames of PCM in the format of the output.
    ///
    /// An array keeps its storage from call to call, so that reading in a loop allocates once.
    ///
    /// - Parameters:
    ///   - frameCount: The most frames to read.
    ///   - bytes: The array that is replaced, with its storage kept; channel after channel if the output is not interleaved.
    /// - Returns: The number of frames.
    @discardableResult
    public func read(_ frameCount: Int, into bytes: inout [UInt8]) -> Int {
        guard case .pcm(let format) = output else {
            bytes.removeAll(keepingCapacity: true)
            return 0
        }
        let count = max(0, min(frameCount, pipeline.count))
        let byteCount = count * format.bytesPerFrame
        if bytes.count > byteCount { bytes.removeLast(bytes.count - byteCount) }
        if bytes.count < byteCount { bytes.append(contentsOf: repeatElement(0, count: byteCount - bytes.count)) }
        guard count > 0 else { return 0 }
        // A mutable span of an array needs macOS 26.
        unsafe bytes.withUnsafeMutableBytes { all in
            var target = unsafe MutableRawSpan(_unsafeBytes: all)
            pipeline.read(count, into: &target, format: format)
        }
        return count
    }

    /// Replaces the frames of a buffer by the next ones of the output; samples are rounded to 32-bit floating point and not to the encoding
    /// of the output.
    ///
    /// - Parameter buffer: The buffer, with the channel count of the output; as many frames as its capacity are read at most.
    /// - Returns: The number of frames.
    @discardableResult
    public func read(into buffer: inout PCMBuffer) -> Int {
        precondition(buffer.channelCount == outputChannelCount, "the buffer has the output's channels")
        let count = min(buffer.frameCapacity, availableFrameCount)
        buffer.frameCount = count
        if count > 0 { pipeline.read(count, into: &buffer, at: 0) }
        return count
    }
}
