// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension AudioConverter {
    /// Input that a callback provides to a converter on request.
    public enum Supply: Sendable {
        /// PCM in the input format: complete sample frames, fewer or more than requested.
        case bytes([UInt8])
        /// PCM with the input sample rate and channels.
        case buffer(PCMBuffer)
        /// The bytes of one packet.
        case packet([UInt8])
        /// A lost packet, which is concealed.
        case lostPacket
        /// No input is available now. The converter returns the available output and asks again in the next call.
        case noneNow
        /// The input has ended. The converter returns the remaining output and does not ask again before ``AudioConverter/reset()``.
        case end
    }

    /// The result of filling output.
    public struct Fill: Sendable {
        /// Why filling stopped.
        public enum Status: Sendable {
            /// The requested output is complete.
            case filled
            /// The callback had no input.
            case inputRanDry
            /// The stream has ended. No output follows.
            case ended
            /// The input could not be converted. Earlier output is returned. Call ``AudioConverter/reset()`` before further use.
            case failed(CodecError)
        }

        /// The number of output frames or packets.
        public var count: Int
        /// Why filling stopped.
        public var status: Status

        /// Whether the stream has ended.
        public var hasEnded: Bool {
            if case .ended = status { return true }
            return false
        }
    }
}

extension AudioConverter {
    /// Replaces `bytes` with PCM frames, requesting input until they are complete.
    ///
    /// The callback receives the minimum number of frames or packets needed. It may provide fewer and is then called again. Input is
    /// requested only as needed for the output. An error thrown by the callback is rethrown unchanged without losing output: the next call
    /// returns that output and requests input again.
    ///
    /// - Parameters:
    ///   - bytes: The array to replace with frames in the output format; one channel after another if it is not interleaved.
    ///   - frameCount: The number of frames to produce.
    ///   - source: The callback. It may call methods of the converter except those that remove output.
    /// - Returns: The number of frames, and why there are not more.
    /// - Throws: Only errors of the callback.
    public func fill<Failure: Error>(
        _ bytes: inout [UInt8], frameCount: Int, from source: (Int) throws(Failure) -> Supply
    ) throws(Failure) -> Fill {
        let status = try supply(until: { $0.availableFrameCount }, frameCount, source)
        return Fill(count: read(frameCount, into: &bytes), status: status)
    }

    /// Fills a buffer to its capacity, requesting input until it is full.
    ///
    /// - Parameters:
    ///   - buffer: A buffer with the output channel count.
    ///   - source: The callback, as in ``fill(_:frameCount:from:)``.
    /// - Returns: The number of frames, and why there are not more.
    /// - Throws: Only errors of the callback.
    public func fill<Failure: Error>(
        _ buffer: inout PCMBuffer, from source: (Int) throws(Failure) -> Supply
    ) throws(Failure) -> Fill {
        let status = try supply(until: { $0.availableFrameCount }, buffer.frameCapacity, source)
        return Fill(count: read(into: &buffer), status: status)
    }

    /// Appends packets to an array, requesting input until they are complete.
    ///
    /// - Parameters:
    ///   - packets: The array.
    ///   - packetCount: The number of packets to produce.
    ///   - source: The callback, as in ``fill(_:frameCount:from:)``.
    /// - Returns: The number of packets, and why there are not more.
    /// - Throws: Only errors of the callback.
    public func fill<Failure: Error>(
        _ packets: inout [AccessUnit], packetCount: Int, from source: (Int) throws(Failure) -> Supply
    ) throws(Failure) -> Fill {
        let status = try supply(until: { $0.availablePacketCount }, packetCount, source)
        var count = 0
        while count < packetCount, let packet = nextPacket() {
            packets.append(packet)
            count += 1
        }
        return Fill(count: count, status: status)
    }

    /// Requests input until enough output is available.
    ///
    /// - Parameters:
    ///   - available: Returns the amount of available output.
    ///   - wanted: The required amount.
    private func supply<Failure: Error>(
        until available: (AudioConverter) -> Int, _ wanted: Int, _ source: (Int) throws(Failure) -> Supply
    ) throws(Failure) -> Fill.Status {
        while available(self) < wanted {
            guard !isFinished else { return .ended }
            let supply = try source(neededInput(for: wanted - available(self)))
            if case .noneNow = supply { return .inputRanDry }
            do throws(CodecError) {
                try append(supply)
            } catch {
                return .failed(error)
            }
        }
        return .filled
    }

    /// Appends a callback's input.
    private func append(_ supply: Supply) throws(CodecError) {
        switch supply {
        case .bytes(let bytes): try bytes.withSpan { (span) throws(CodecError) in unsafe try append(span.bytes) }
        case .buffer(let buffer): try append(buffer)
        case .packet(let packet): try packet.withSpan { (span) throws(CodecError) in try append(packet: span) }
        case .lostPacket: try appendLostPacket()
        case .noneNow: break
        case .end: try finish()
        }
    }

    /// The maximum output frames or packets to request input for at a time.
    ///
    /// Keeps products with any rate and packet length far below overflow.
    private static let maximumRequest = 1 << 20

    /// Returns the minimum number of input frames or packets for some output.
    ///
    /// Does not read ahead for further packets.
    private func neededInput(for output: Int) -> Int {
        let output = min(output, Self.maximumRequest)
        var frames = output
        if let encoder {
            let length = max(1, encoder.framesPerPacket * encoder.sampleRate / encoder.timescale)
            frames = max(1, output * length - encodedFrames % length)
        }
        let rate =
            switch input {
            case .pcm(let format): format.sampleRate
            case .packets: decoder?.sampleRate ?? 0
            }
        frames = (frames * max(rate, 1) + outputSampleRate - 1) / outputSampleRate
        guard let decoder else { return max(frames, 1) }
        return max(1, (frames + decoder.framesPerPacket - 1) / max(decoder.framesPerPacket, 1))
    }
}
