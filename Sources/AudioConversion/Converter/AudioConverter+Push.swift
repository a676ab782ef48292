// SPDX-License-Identifier: Apache-2.0

internal import ALACCodec
public import AudioContainers
public import AudioPrimitives

extension AudioConverter {
    // MARK: Input

    /// Appends PCM in memory.
    ///
    /// - Parameter bytes: Complete sample frames in the input format; one channel after another if it is not interleaved.
    /// - Throws: `CodecError` if the input is not PCM, a frame is incomplete, or the stream has ended.
    public func append(_ bytes: RawSpan) throws(CodecError) {
        guard case .pcm(let format) = input else { throw .packetsExpected }
        guard !isFinished else { throw .finished }
        guard bytes.byteCount % format.bytesPerFrame == 0 else {
            throw .incompleteFrame(byteCount: bytes.byteCount, bytesPerFrame: format.bytesPerFrame)
        }
        try pipeline.append(bytes, format: format)
        try encodeAvailable()
    }

    /// Appends PCM from a buffer instead of bytes in the input format.
    ///
    /// - Parameter buffer: Frames with the input sample rate and channels.
    /// - Throws: `CodecError` if the input is not PCM, the sample rate or channel count differs, or the stream has ended.
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

    /// Appends a packet.
    ///
    /// A damaged packet is concealed and counted in ``damagedPacketCount``.
    ///
    /// - Parameter packet: The bytes of one packet.
    /// - Throws: `CodecError` if the input is PCM, the stream has ended, or the packet changes the format to an unsupported one.
    public func append(packet: Span<UInt8>) throws(CodecError) {
        _ = try appendBlock(packet)
    }

    /// Appends an access unit.
    ///
    /// Its timestamp is ignored: the output follows the previous access unit without a gap. Call ``appendLostPacket()`` for a missing one.
    ///
    /// - Parameter accessUnit: The access unit.
    /// - Throws: The errors of ``append(packet:)``.
    public func append(_ accessUnit: AccessUnit) throws(CodecError) {
        try accessUnit.payload.withSpan { (span) throws(CodecError) in try append(packet: span) }
    }

    /// Appends an access unit from a reader, with all its raw data blocks.
    ///
    /// Blocks after a damaged one are concealed.
    ///
    /// - Parameter unit: The access unit. Its timestamp is ignored, as in ``append(_:)-(AccessUnit)``.
    /// - Throws: The errors of ``append(packet:)``.
    public func append(_ unit: DemuxedAccessUnit) throws(CodecError) {
        try unit.accessUnit.payload.withSpan { (span) throws(CodecError) in
            var offset: Int? = 0
            for _ in 0..<unit.rawDataBlockCount {
                if let start = offset {
                    offset = try appendBlock(span.extracting(start...)).map { start + $0 }
                } else {
                    try appendLostPacket()
                }
            }
        }
    }

    /// Conceals a lost packet.
    ///
    /// - Throws: The errors of ``append(packet:)``.
    public func appendLostPacket() throws(CodecError) {
        guard let decoder else { throw .pcmExpected }
        guard !isFinished else { throw .finished }
        decoder.conceal(into: &decoded)
        try appendDecoded(decoder)
    }

    /// Ends the input.
    ///
    /// Afterwards all output is available.
    ///
    /// Repeated calls do nothing.
    ///
    /// - Throws: `CodecError` if the encoder or the sample rate conversion fails.
    public func finish() throws(CodecError) {
        guard !isFinished else { return }
        isFinished = true
        try pipeline.finish()
        try encodeAvailable()
        guard let encoder else { return }
        let tail = try encoder.finish()
        for accessUnit in tail.accessUnits { packets.append(accessUnit) }
        outputGapless = tail.gapless
    }

    /// Appends the first block of a packet, and returns its byte count; `nil` if it is damaged.
    private func appendBlock(_ packet: Span<UInt8>) throws(CodecError) -> Int? {
        guard let decoder else { throw .pcmExpected }
        guard !isFinished else { throw .finished }
        if let lossless = decoder as? ALACDecoder, lossless.needsIntegers {
            try append(packet, to: lossless)
            return packet.count
        }
        let outcome = decoder.decode(packet, into: &decoded)
        if let damage = outcome.damage {
            damagedPacketCount += 1
            firstDamage = firstDamage ?? damage
        }
        try appendDecoded(decoder)
        return outcome.damage == nil ? outcome.byteCount : nil
    }

    /// Appends the valid frames of the decoded buffer to the pipeline.
    private func appendDecoded(_ decoder: any AudioPacketDecoder) throws(CodecError) {
        guard decoded.frameCount > 0 else { return }
        let channels = ChannelMatrix.Channels(count: decoded.channelCount, layout: decoder.channelLayout)
        try pipeline.setInput(PipelineFormat(sampleRate: decoded.sampleRate, channels: channels))
        let valid = trimmer.valid(of: decoded.frameCount, factor: decoder.framesPerCountedFrame)
        guard !valid.isEmpty else { return }
        try pipeline.append(decoded, valid)
        try encodeAvailable()
    }

    /// Decodes a packet of integers that exceed single precision, and appends its valid frames to the pipeline.
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

    /// Passes all complete frames to the encoder, if any.
    private func encodeAvailable() throws(CodecError) {
        guard let encoder else { return }
        if let lossless = encoder as? ALACEncoder {
            while pipeline.count > 0 {
                let count = min(pipeline.count, encoderIntegers.stride)
                pipeline.read(count, into: &encoderIntegers)
                encodedFrames += count
                for accessUnit in try lossless.encode(encoderIntegers) { packets.append(accessUnit) }
            }
        }
        while pipeline.count > 0 {
            let count = min(pipeline.count, encoderInput.frameCapacity)
            encoderInput.frameCount = count
            pipeline.read(count, into: &encoderInput, at: 0)
            encodedFrames += count
            for accessUnit in try encoder.encode(encoderInput) { packets.append(accessUnit) }
        }
    }

    // MARK: Output

    /// The number of PCM frames that can be read without more input, or 0 if the output is encoded.
    public var availableFrameCount: Int { encoder == nil ? pipeline.count : 0 }

    /// The number of packets that can be removed without more input, or 0 if the output is PCM.
    package var availablePacketCount: Int { packets.count }

    /// Removes and returns the next packet, or `nil` if none is available and for PCM output.
    public func nextPacket() -> AccessUnit? { packets.popFirst() }

    /// Removes and returns all available frames, none if the output is encoded.
    ///
    /// Samples are 32-bit floating point, as in ``read(into:)``.
    public func drain() -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: outputSampleRate, channelCount: outputChannelCount, frameCapacity: availableFrameCount)
        read(into: &buffer)
        return buffer
    }

    /// Replaces `bytes` with the next PCM frames in the output format.
    ///
    /// The array's storage is reused, so that reading in a loop allocates once.
    ///
    /// - Parameters:
    ///   - frameCount: The maximum number of frames to read.
    ///   - bytes: The array to replace; one channel after another if the output is not interleaved.
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
        // `Array.mutableSpan` requires macOS 26.
        unsafe bytes.withUnsafeMutableBytes { all in
            var target = unsafe MutableRawSpan(_unsafeBytes: all)
            pipeline.read(count, into: &target, format: format)
        }
        return count
    }

    /// Reads the next output frames into a buffer, rounded to 32-bit floating point instead of the output encoding.
    ///
    /// - Parameter buffer: A buffer with the output channel count. Its capacity limits the number of frames.
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
