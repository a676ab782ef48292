// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import AudioToolbox

/// A system converter that encodes 32-bit floating-point samples, or decodes to them.
@safe
package final class SystemConverter {
    private let reference: AudioConverterRef

    /// Creates a converter with an encoder in software or hardware.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the input and of the decoded stream, in hertz.
    ///   - framesPerPacket: The number of sample frames per packet, or `nil` for the codec's default.
    package init(
        _ formatID: FourCharCode, sampleRate: Int, channelCount: Int, framesPerPacket: Int? = nil, isHardware: Bool
    ) throws(CodecError) {
        var input = StreamDescription(PCMFormat(.float32, channelCount: channelCount), sampleRate: sampleRate).audioStreamBasicDescription
        var stream = StreamDescription(sampleRate: Double(sampleRate), formatID: formatID, channelsPerFrame: channelCount)
        if let framesPerPacket { stream.framesPerPacket = framesPerPacket }
        stream.fillOut()
        var output = stream.audioStreamBasicDescription
        var description = AudioClassDescription(
            mType: kAudioEncoderComponentType, mSubType: formatID.rawValue,
            mManufacturer: isHardware ? kAppleHardwareAudioCodecManufacturer : kAppleSoftwareAudioCodecManufacturer)
        var created: AudioConverterRef?
        let status = unsafe AudioConverterNewSpecific(&input, &output, 1, &description, &created)
        guard status == 0, let created = unsafe created else {
            throw .systemCodec(step: "AudioConverterNewSpecific", status: status)
        }
        unsafe reference = created
    }

    /// Creates a converter with a software decoder.
    ///
    /// - Parameter sampleRate: The sample rate of the stream and of the output, in hertz.
    package init(decoding formatID: FourCharCode, sampleRate: Int, channelCount: Int, framesPerPacket: Int) throws(CodecError) {
        var stream = StreamDescription(sampleRate: Double(sampleRate), formatID: formatID, channelsPerFrame: channelCount)
        stream.framesPerPacket = framesPerPacket
        var input = stream.audioStreamBasicDescription
        var output = StreamDescription(PCMFormat(.float32, channelCount: channelCount), sampleRate: sampleRate).audioStreamBasicDescription
        var created: AudioConverterRef?
        let status = unsafe AudioConverterNew(&input, &output, &created)
        guard status == 0, let created = unsafe created else { throw .systemCodec(step: "AudioConverterNew", status: status) }
        unsafe reference = created
    }

    deinit { unsafe AudioConverterDispose(reference) }

    /// Discards all input and history.
    package func reset() { unsafe AudioConverterReset(reference) }

    // MARK: Settings

    /// Sets a property that is a list of 32-bit numbers.
    ///
    /// - Returns: The system's status.
    package func set(_ property: AudioConverterPropertyID, _ words: [UInt32]) -> OSStatus {
        unsafe words.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return 0 }
            return unsafe AudioConverterSetProperty(reference, property, UInt32(all.count), base)
        }
    }

    /// Sets the bit rate, in bits per second.
    ///
    /// - Throws: `CodecError.unsupportedBitRate` if the system supports only other bit rates for this format.
    package func setBitRate(_ bitRate: Int) throws(CodecError) {
        let status = set(kAudioConverterEncodeBitRate, [UInt32(clamping: bitRate)])
        guard status != 0 else { return }
        let error = CodecError.systemCodec(step: "bit rate", status: status)
        let applicable = (try? applicableBitRates()) ?? []
        guard let lowest = applicable.first?.lowerBound, let highest = applicable.last?.upperBound,
            !applicable.contains(where: { $0.contains(bitRate) })
        else { throw error }
        throw .unsupportedBitRate(bitRate, allowed: lowest...highest)
    }

    // MARK: Properties

    /// Reads a fixed-size property.
    ///
    /// - Parameters:
    ///   - value: Receives the value, with the type of the property.
    ///   - step: The name of the property in errors.
    private func read<Value: BitwiseCopyable>(
        _ property: AudioConverterPropertyID, into value: inout Value, _ step: String
    ) throws(CodecError) {
        var size = UInt32(MemoryLayout<Value>.size)
        let status = unsafe AudioConverterGetProperty(reference, property, &size, &value)
        guard status == 0 else { throw .systemCodec(step: step, status: status) }
    }

    /// Returns a 32-bit property.
    package func number(_ property: AudioConverterPropertyID, _ step: String) throws(CodecError) -> Int {
        var value: UInt32 = 0
        try read(property, into: &value, step)
        return Int(value)
    }

    package func bytes(_ property: AudioConverterPropertyID, _ step: String) throws(CodecError) -> [UInt8] {
        var size: UInt32 = 0
        var status = unsafe AudioConverterGetPropertyInfo(reference, property, &size, nil)
        guard status == 0 else { throw .systemCodec(step: step, status: status) }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        status = unsafe bytes.withUnsafeMutableBytes { all in
            guard let base = all.baseAddress else { return 0 }
            return unsafe AudioConverterGetProperty(reference, property, &size, base)
        }
        guard status == 0 else { throw .systemCodec(step: step, status: status) }
        return Array(bytes.prefix(Int(size)))
    }

    package func framesPerPacket() throws(CodecError) -> Int {
        var description = AudioStreamBasicDescription()
        try read(kAudioConverterCurrentOutputStreamDescription, into: &description, "output format")
        return Int(description.mFramesPerPacket)
    }

    /// Returns the numbers of decoded frames before the first and after the last input frame.
    ///
    /// The latter is known at the end of the stream.
    package func primeInfo() throws(CodecError) -> (leading: Int, trailing: Int) {
        var info = AudioConverterPrimeInfo()
        try read(kAudioConverterPrimeInfo, into: &info, "priming")
        return (Int(info.leadingFrames), Int(info.trailingFrames))
    }

    package func applicableBitRates() throws(CodecError) -> [ClosedRange<Int>] {
        let bytes = try bytes(kAudioConverterApplicableEncodeBitRates, "bit rates")
        return unsafe bytes.withUnsafeBytes { all in
            stride(from: 0, to: all.count - MemoryLayout<AudioValueRange>.size + 1, by: MemoryLayout<AudioValueRange>.stride).compactMap {
                let range = unsafe all.loadUnaligned(fromByteOffset: $0, as: AudioValueRange.self)
                guard let minimum = Int(exactly: range.mMinimum.rounded(.up)), let maximum = Int(exactly: range.mMaximum.rounded(.down)),
                    0 < minimum, minimum <= maximum
                else { return nil }
                return minimum...maximum
            }
        }
    }

    // MARK: Packets

    /// Returns the next packet, or `nil` if there is no input now, or the stream has ended.
    ///
    /// - Parameters:
    ///   - input: The input, which the system requests in a callback.
    ///   - byteCount: The maximum packet size, in bytes.
    package func nextPacket(from input: SystemEncoderInput, byteCount: Int) throws(CodecError) -> [UInt8]? {
        var payload = [UInt8](repeating: 0, count: byteCount)
        var packetCount: UInt32 = 1
        var written = 0
        var packet = AudioStreamPacketDescription()
        let status = unsafe payload.withUnsafeMutableBytes { all -> OSStatus in
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 0, mDataByteSize: UInt32(byteCount), mData: all.baseAddress))
            let status = unsafe AudioConverterFillComplexBuffer(
                reference,
                { _, packetCount, list, _, context in
                    guard let context = unsafe context else { return SystemEncoderInput.noInputNow }
                    let input = unsafe Unmanaged<SystemEncoderInput>.fromOpaque(context).takeUnretainedValue()
                    return unsafe input.take(packetCount, list)
                }, Unmanaged.passUnretained(input).toOpaque(), &packetCount, &list, &packet)
            written = unsafe Int(list.mBuffers.mDataByteSize)
            return status
        }
        // A packet is kept whatever the status: the next call also returns a persistent error.
        if packetCount > 0, written > 0 { return Array(payload.prefix(written)) }
        guard status == 0 || status == SystemEncoderInput.noInputNow else {
            throw .systemCodec(step: "AudioConverterFillComplexBuffer", status: status)
        }
        return nil
    }

    /// Decodes a packet.
    ///
    /// - Parameters:
    ///   - input: The packet, which the system requests in a callback.
    ///   - samples: Receives the interleaved output, with room for `frameCount` frames.
    package func decode(_ input: SystemDecoderInput, frameCount: Int, into samples: inout [Float]) throws(CodecError) -> Int {
        var frames = UInt32(frameCount)
        let status = unsafe samples.withUnsafeMutableBytes { all -> OSStatus in
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(
                    mNumberChannels: UInt32(input.channelCount), mDataByteSize: UInt32(frameCount * input.channelCount * 4),
                    mData: all.baseAddress))
            return unsafe AudioConverterFillComplexBuffer(
                reference,
                { _, packetCount, list, descriptions, context in
                    guard let context = unsafe context else { return SystemEncoderInput.noInputNow }
                    let input = unsafe Unmanaged<SystemDecoderInput>.fromOpaque(context).takeUnretainedValue()
                    return unsafe input.take(packetCount, list, descriptions)
                }, Unmanaged.passUnretained(input).toOpaque(), &frames, &list, nil)
        }
        guard status == 0 || status == SystemEncoderInput.noInputNow else {
            throw .systemCodec(step: "AudioConverterFillComplexBuffer", status: status)
        }
        return Int(frames)
    }
}
#endif
