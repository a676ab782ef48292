// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AudioToolbox

/// A converter that decodes MPEG Layer III audio.
///
/// A frame's last two bytes carry its number, which its samples encode: sample j of the first channel is the number + j / 2048, and the
/// second channel is the negative. Another output sample rate repeats or omits samples.
final class ModelPacketDecoder {
    let channelCount: Int
    let framesPerPacket: Int
    private let rates: (input: Int, output: Int)
    private var output: [Float] = []
    /// The decoded frames before the next packet, and the frames output for them.
    private var (decodedCount, producedCount) = (0, 0)
    private var waiting: [UInt8]?
    private var hasEnded = false
    /// The caller's memory of the latest packet and a copy of its contents.
    private var lent: (memory: UnsafeRawPointer, bytes: [UInt8])?

    /// The number of a packet that cannot be decoded.
    static let damagedNumber = 0xFFFF

    init(_ input: AudioStreamBasicDescription, outputRate: Double) {
        (channelCount, framesPerPacket) = (Int(input.mChannelsPerFrame), Int(input.mFramesPerPacket))
        rates = (Int(input.mSampleRate), Int(outputRate))
    }

    func reset() {
        (output, waiting, hasEnded, lent) = ([], nil, false, nil)
        (decodedCount, producedCount) = (0, 0)
    }

    /// Decodes as many frames as requested or available.
    func fill(_ source: ConverterSource, _ frames: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus
    {
        let wanted = Int(frames.pointee) * channelCount
        let buffer = list.pointee.mBuffers
        guard let memory = buffer.mData, list.pointee.mNumberBuffers == 1, buffer.mNumberChannels == channelCount,
            Int(buffer.mDataByteSize) >= wanted * 4
        else {
            machine.violate("a decoder without space for its frames")
            return kAudio_ParamError
        }
        var status = noErr
        while output.count < wanted, !hasEnded, status == noErr { status = callForInput(source) }
        let count = min(wanted, output.count)
        memory.copyMemory(from: output, byteCount: count * 4)
        output.removeFirst(count)
        frames.pointee = UInt32(count / channelCount)
        list.pointee.mBuffers.mDataByteSize = UInt32(count * 4)
        return status
    }

    private func callForInput(_ source: ConverterSource) -> OSStatus {
        if let lent, Array(UnsafeRawBufferPointer(start: lent.memory, count: lent.bytes.count)) != lent.bytes {
            machine.violate("the memory of a packet changed before the next call for input")
        }
        lent = nil
        var count: UInt32 = 1
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 0, mDataByteSize: 0, mData: nil))
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let status = source.procedure(source.handle, &count, &list, &descriptions, source.context)
        guard status == noErr else {
            if count > 0 { machine.violate("input with a status other than noErr") }
            return status
        }
        guard count > 0 else {
            hasEnded = true
            return waiting.map { decode($0) } ?? noErr
        }
        guard count == 1, let description = descriptions?.pointee, let memory = list.mBuffers.mData, description.mStartOffset == 0,
            description.mDataByteSize == list.mBuffers.mDataByteSize
        else {
            machine.violate("a packet without its description")
            return kAudio_ParamError
        }
        let bytes = Array(UnsafeRawBufferPointer(start: memory, count: Int(description.mDataByteSize)))
        guard isFrame(bytes) else {
            machine.violate("a packet of \(bytes.count) bytes is not a complete Layer III frame in the decoder's format")
            return FileStatus.badData
        }
        lent = (UnsafeRawPointer(memory), bytes)
        guard machine.files.decodersLookAhead else { return decode(bytes) }
        defer { waiting = bytes }
        return waiting.map { decode($0) } ?? noErr
    }

    /// Whether a packet is one complete frame in the decoder's format, with 128 kbit/s as all frames of the scenarios.
    private func isFrame(_ packet: [UInt8]) -> Bool {
        guard packet.count >= 4, packet[0] == 0xFF, packet[1] & 0xE6 == 0xE2 else { return false }
        let rate = [44_100, 48_000, 32_000, 1][Int(packet[2] >> 2 & 3)]
        return rate == rates.input && (packet[3] >> 6 == 3 ? 1 : 2) == channelCount
            && packet.count == 144 * 128_000 / rate + Int(packet[2] >> 1 & 1)
    }

    private func decode(_ packet: [UInt8]) -> OSStatus {
        let number = Int(packet[packet.count - 2]) << 8 | Int(packet[packet.count - 1])
        guard number != Self.damagedNumber else { return FileStatus.badData }
        while producedCount * rates.input / rates.output < decodedCount + framesPerPacket {
            let frame = producedCount * rates.input / rates.output - decodedCount
            for channel in 0..<channelCount { output.append((Float(number) + Float(frame) / 2048) * (channel == 0 ? 1 : -1)) }
            producedCount += 1
        }
        decodedCount += framesPerPacket
        return noErr
    }
}

extension ModelPacketDecoder {
    /// Creates a Layer III decoder.
    static func create(
        _ input: AudioStreamBasicDescription, _ output: AudioStreamBasicDescription, _ result: UnsafeMutablePointer<OpaquePointer?>
    ) -> OSStatus {
        guard output.mSampleRate > 0, input.mChannelsPerFrame == output.mChannelsPerFrame,
            [576, 1152].contains(input.mFramesPerPacket)
        else {
            machine.violate("the formats of a decoder are inconsistent")
            return ConverterStatus.format
        }
        result.pointee = machine.files.handle()
        machine.files.decoders[UInt(bitPattern: result.pointee)] = ModelPacketDecoder(input, outputRate: output.mSampleRate)
        return noErr
    }
}
#endif
