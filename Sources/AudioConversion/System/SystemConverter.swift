// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox

/// A converter of the system that encodes 32-bit floating point.
@safe
final class SystemConverter {
    private let reference: AudioConverterRef

    /// Creates a converter by an encoder in software or hardware.
    ///
    /// - Parameters:
    ///   - formatID: The code of the codec.
    ///   - sampleRate: The sample rate in hertz.
    ///   - channelCount: The number of channels.
    ///   - isHardware: Whether the encoder is in hardware.
    init(_ formatID: FourCharCode, sampleRate: Int, channelCount: Int, isHardware: Bool) throws(AudioConversionError) {
        var input = StreamDescription(PCMFormat(.float32, channelCount: channelCount), sampleRate: sampleRate).audioStreamBasicDescription
        var output = StreamDescription(formatID: formatID, sampleRate: sampleRate, channelCount: channelCount).audioStreamBasicDescription
        var description = AudioClassDescription(
            mType: kAudioEncoderComponentType, mSubType: formatID.rawValue,
            mManufacturer: isHardware ? kAppleHardwareAudioCodecManufacturer : kAppleSoftwareAudioCodecManufacturer)
        var created: AudioConverterRef?
        let status = unsafe AudioConverterNewSpecific(&input, &output, 1, &description, &created)
        guard status == 0, let created = unsafe created else {
            throw AudioConversionError(.systemCodec(step: "AudioConverterNewSpecific", status: status))
        }
        unsafe reference = created
    }

    deinit { unsafe AudioConverterDispose(reference) }

    /// Discards all input and history.
    func reset() { unsafe AudioConverterReset(reference) }

    /// Sets the bit rate in bits per second.
    func setBitRate(_ bitRate: Int) throws(AudioConversionError) {
        var value = UInt32(clamping: bitRate)
        let status = unsafe AudioConverterSetProperty(reference, kAudioConverterEncodeBitRate, UInt32(MemoryLayout<UInt32>.size), &value)
        guard status == 0 else { throw AudioConversionError(.systemCodec(step: "bit rate", status: status)) }
    }

    /// Returns a property that is a number of 32 bits.
    func number(_ property: AudioConverterPropertyID, _ step: String) throws(AudioConversionError) -> Int {
        var value: UInt32 = 0
        var size = UInt32(MemoryLayout<UInt32>.size)
        let status = unsafe AudioConverterGetProperty(reference, property, &size, &value)
        guard status == 0 else { throw AudioConversionError(.systemCodec(step: step, status: status)) }
        return Int(value)
    }

    /// Returns the bytes of a property.
    func bytes(_ property: AudioConverterPropertyID, _ step: String) throws(AudioConversionError) -> [UInt8] {
        var size: UInt32 = 0
        var status = unsafe AudioConverterGetPropertyInfo(reference, property, &size, nil)
        guard status == 0 else { throw AudioConversionError(.systemCodec(step: step, status: status)) }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        status = unsafe bytes.withUnsafeMutableBytes { all in
            guard let base = all.baseAddress else { return 0 }
            return unsafe AudioConverterGetProperty(reference, property, &size, base)
        }
        guard status == 0 else { throw AudioConversionError(.systemCodec(step: step, status: status)) }
        return Array(bytes.prefix(Int(size)))
    }

    /// Returns the number of sample frames of a packet.
    func framesPerPacket() throws(AudioConversionError) -> Int {
        var description = AudioStreamBasicDescription()
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let status = unsafe AudioConverterGetProperty(reference, kAudioConverterCurrentOutputStreamDescription, &size, &description)
        guard status == 0 else { throw AudioConversionError(.systemCodec(step: "output format", status: status)) }
        return Int(description.mFramesPerPacket)
    }

    /// Returns the number of frames before the first input frame.
    func primingFrames() throws(AudioConversionError) -> Int {
        var info = AudioConverterPrimeInfo()
        var size = UInt32(MemoryLayout<AudioConverterPrimeInfo>.size)
        let status = unsafe AudioConverterGetProperty(reference, kAudioConverterPrimeInfo, &size, &info)
        guard status == 0 else { throw AudioConversionError(.systemCodec(step: "priming", status: status)) }
        return Int(info.leadingFrames)
    }

    /// Returns the bit rates that are applicable, in bits per second.
    func applicableBitRates() throws(AudioConversionError) -> [ClosedRange<Int>] {
        let bytes = try bytes(kAudioConverterApplicableEncodeBitRates, "bit rates")
        return unsafe bytes.withUnsafeBytes { all in
            stride(from: 0, to: all.count - MemoryLayout<AudioValueRange>.size + 1, by: MemoryLayout<AudioValueRange>.stride).map {
                let range = unsafe all.loadUnaligned(fromByteOffset: $0, as: AudioValueRange.self)
                return Int(range.mMinimum)...max(Int(range.mMinimum), Int(range.mMaximum))
            }
        }
    }

    /// Returns the next packet; nil if there is no input now, or the stream has ended.
    ///
    /// - Parameters:
    ///   - input: The input, which the system calls for.
    ///   - byteCount: The number of bytes that no packet exceeds.
    func nextPacket(from input: SystemEncoderInput, byteCount: Int) throws(AudioConversionError) -> [UInt8]? {
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
        guard status == 0 || status == SystemEncoderInput.noInputNow else {
            throw AudioConversionError(.systemCodec(step: "AudioConverterFillComplexBuffer", status: status))
        }
        return packetCount > 0 && written > 0 ? Array(payload.prefix(written)) : nil
    }
}
#endif
