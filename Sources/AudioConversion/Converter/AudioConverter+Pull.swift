// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension AudioConverter {
    /// The input that a callback gives to a converter which asks for it.
    public enum Supply: Sendable {
        /// PCM in the format of the input: whole sample frames, fewer or more than asked for.
        case bytes([UInt8])
        /// PCM with the rate and the channels of the input.
        case buffer(PCMBuffer)
        /// The bytes of one packet.
        case packet([UInt8])
        /// A packet that did not arrive, which is concealed.
        case lostPacket
        /// There is no input now; the converter returns what it has, and asks again at the next call.
        case noneNow
        /// There is no more input; the converter gives the rest, and does not ask again before ``AudioConverter/reset()``.
        case end
    }

    /// The outcome of filling output.
    public struct Fill: Sendable {
        /// The reason for which filling stopped.
        public enum Status: Sendable {
            /// All that was asked for is there.
            case filled
            /// The callback had no input now.
            case inputRanDry
            /// The stream has ended; there is nothing after this output.
            case ended
            /// The input could not be converted; the output before it is there. Only ``AudioConverter/reset()`` makes the rest defined again.
            case failed(CodecError)
        }

        /// The frames or packets of the output.
        public var count: Int
        /// The reason for which filling stopped.
        public var status: Status

        /// Whether the stream has ended.
        public var hasEnded: Bool {
            if case .ended = status { return true }
            return false
        }
    }
}

extension AudioConverter {
    /// Replaces bytes by frames of PCM, and calls for input as long as they are not complete.
    ///
    /// The callback is told how many frames or packets are needed at least; it may give fewer, and is then called again. No more is asked for
    /// than the output needs. An error that it throws is thrown on unchanged; no output is lost then: the next call gives it, and asks for
    /// input again.
    ///
    /// - Parameters:
    ///   - bytes: The array that is replaced by frames in the format of the output; channel after channel if it is not interleaved.
    ///   - frameCount: The frames to make.
    ///   - source: The callback, which may call other methods of the converter but none that takes output.
    /// - Returns: The frames made, and the reason for which there are not more.
    /// - Throws: Errors of the callback only.
    public func fill<Failure: Error>(
        _ bytes: inout [UInt8], frameCount: Int, from source: (Int) throws(Failure) -> Supply
    ) throws(Failure) -> Fill {
        let status = try supply(until: { $0.availableFrameCount }, frameCount, source)
        return Fill(count: read(frameCount, into: &bytes), status: status)
    }

    /// Replaces the frames of a buffer, up to its capacity, and calls for input as long as they are not complete.
    ///
    /// - Parameters:
    ///   - buffer: The buffer, with the channel count of the output.
    ///   - source: The callback; ``fill(_:frameCount:from:)`` has its rules.
    /// - Returns: The frames made, and the reason for which there are not more.
    /// - Throws: Errors of the callback only.
    public func fill<Failure: Error>(
        _ buffer: inout PCMBuffer, from source: (Int) throws(Failure) -> Supply
    ) throws(Failure) -> Fill {
        let status = try supply(until: { $0.availableFrameCount }, buffer.frameCapacity, source)
        return Fill(count: read(into: &buffer), status: status)
    }

    /// Appends packets to an array, and calls for input as long as they are not complete.
    ///
    /// - Parameters:
    ///   - packets: The array.
    ///   - packetCount: The packets to make.
    ///   - source: The callback; ``fill(_:frameCount:from:)`` has its rules.
    /// - Returns: The packets made, and the reason for which there are not more.
    /// - Throws: Errors of the callback only.
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

    /// Calls for input until enough output waits.
    ///
    /// - Parameters:
    ///   - available: Returns the output that waits.
    ///   - wanted: The output to wait for.
    ///   - source: The callback.
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

    /// Adds the answer of a callback.
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

    /// The most frames or packets of output that input is asked for at a time: with all rates and packets, the products of these are far from
    /// the limit of the type.
    private static let largestRequest = 1 << 20

    /// Returns the frames or packets of input that some output needs at least: those of a packet are not read ahead.
    private func neededInput(for output: Int) -> Int {
        let output = min(output, Self.largestRequest)
        var frames = output
        if let encoder {
            let length = max(1, encoder.framesPerPacket * encoder.sampleRate / encoder.timescale)
            frames = max(1, output * length - encodedFrames % length)
        }
        let rate = decoder?.sampleRate ?? Int(inputDescription.sampleRate)
        frames = (frames * max(rate, 1) + outputSampleRate - 1) / outputSampleRate
        guard let decoder else { return max(frames, 1) }
        return max(1, (frames + decoder.framesPerPacket - 1) / max(decoder.framesPerPacket, 1))
    }
}
