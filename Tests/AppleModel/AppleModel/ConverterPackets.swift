// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// Encodes packets and requests input as needed.
///
/// Zero packets without an error signal the end of the input (QA1532). The encoder then flushes until all input and priming are output.
/// Later calls return nothing and request no input until a reset. Any other input status is returned unchanged.
@_cdecl("AudioConverterFillComplexBuffer")
func converterFill(
    _ handle: OpaquePointer, _ input: AudioConverterComplexInputDataProc, _ context: UnsafeMutableRawPointer?,
    _ packets: UnsafeMutablePointer<UInt32>, _ output: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    let call = "AudioConverterFillComplexBuffer"
    #if MODEL_IOS
    if let decoder = machine.files.decoders[UInt(bitPattern: handle)] {
        return decoder.fill(ConverterSource(handle: handle, procedure: input, context: context), packets, output)
    }
    #endif
    guard let converter = machine.converters.converter(handle, call) else { return ConverterStatus.unsupportedValue }
    guard !converter.isInside else {
        machine.violate("\(call) from its own callback")
        return ConverterStatus.unsupportedValue
    }
    let isDecoder = converter.opus?.isDecoder ?? false
    guard output.pointee.mNumberBuffers == 1, let memory = output.pointee.mBuffers.mData, isDecoder || descriptions != nil,
        packets.pointee > 0
    else {
        machine.violate("\(call) without one buffer, memory or packet descriptions")
        return ConverterStatus.unsupportedValue
    }
    converter.isInside = true
    converter.hasStarted = true
    defer { converter.isInside = false }
    let source = ConverterSource(handle: handle, procedure: input, context: context)
    let capacity = Int(packets.pointee)
    let room = Int(output.pointee.mBuffers.mDataByteSize)
    packets.pointee = 0
    output.pointee.mBuffers.mDataByteSize = 0
    if let failure = machine.converters.nextFailure() {
        if failure.takesInput, !isDecoder, !converter.hasEnded { _ = converter.callForInput(source, lose: failure.losesInput) }
        return failure.status
    }
    if let opus = converter.opus, isDecoder {
        let result = opus.decode(source, capacity, room, memory.assumingMemoryBound(to: Float.self))
        packets.pointee = UInt32(result.frameCount)
        output.pointee.mBuffers.mDataByteSize = UInt32(result.frameCount * 4 * converter.channelCount)
        return result.status
    }
    var bytes = 0
    for index in 0..<capacity {
        guard room - bytes >= converter.maximumByteCount else { return index == 0 ? machine.converters.roomStatus : noErr }
        let status = converter.fill(source)
        guard status == noErr, converter.isPacketDue else { return status }
        converter.encode(min(converter.framesPerPacket, converter.availableFrames))
        let payload = converter.nextPayload()
        let size = payload.count
        (memory + bytes).copyMemory(from: payload, byteCount: size)
        descriptions?[index] = AudioStreamPacketDescription(
            mStartOffset: Int64(bytes), mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
        bytes += size
        packets.pointee = UInt32(index + 1)
        output.pointee.mBuffers.mDataByteSize = UInt32(bytes)
    }
    return noErr
}

/// The input callback of a call.
struct ConverterSource {
    var handle: OpaquePointer
    var procedure: AudioConverterComplexInputDataProc
    var context: UnsafeMutableRawPointer?
}

extension Converter {
    /// Whether there is enough input for a packet, or a packet remains to be flushed.
    var isPacketDue: Bool {
        guard hasEnded else { return availableFrames >= neededFrames }
        let frames = encodedFrames + availableFrames
        let isDue = packetCount * framesPerPacket < frames + codec.priming && (frames > 0 || machine.converters.flushesEmptyStream)
        if !isDue { hasFlushed = true }
        return isDue
    }

    /// The number of frames for the next packet, including the encoder's delay in packets.
    private var neededFrames: Int { framesPerPacket * (1 + (codec.isOpus ? machine.converters.heldOpusPackets : 0)) }

    /// The bytes of the latest packet: real for Opus, otherwise a pattern.
    fileprivate func nextPayload() -> [UInt8] {
        opus?.packet ?? Array(repeating: UInt8(truncatingIfNeeded: packetCount - 1), count: 64 + packetCount % 7)
    }

    /// Requests input until a packet can be encoded or the input has ended.
    ///
    /// - Returns: The status of the input.
    func fill(_ source: ConverterSource) -> OSStatus {
        while availableFrames < neededFrames, !hasEnded {
            let status = callForInput(source, lose: false)
            guard status == noErr else { return status }
        }
        return noErr
    }

    /// Requests input once.
    ///
    /// The caller may provide more than requested. The rest stays in its memory (`kAudioConverterPropertyMaximumInputBufferSize`), which
    /// must not change before the next request.
    func callForInput(_ source: ConverterSource, lose: Bool) -> OSStatus {
        copyBorrowed()
        var count = UInt32(machine.converters.asksForWholePackets ? framesPerPacket : max(1, neededFrames - availableFrames))
        var list = AudioBufferList(
            mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: UInt32(channelCount), mDataByteSize: 0, mData: nil))
        let status = source.procedure(source.handle, &count, &list, nil, source.context)
        guard count > 0 else {
            if status == noErr { hasEnded = true }
            return status
        }
        guard status == noErr else {
            machine.violate("input with a status other than noErr")
            return status
        }
        let size = count * UInt32(4 * channelCount)
        guard let memory = list.mBuffers.mData, list.mNumberBuffers == 1, list.mBuffers.mDataByteSize == size else {
            machine.violate("the size of the input contradicts its packet count")
            return ConverterStatus.badPropertySize
        }
        guard !lose else { return noErr }
        borrowed = UnsafePointer(memory.assumingMemoryBound(to: Float.self))
        borrowedFrames = Int(count)
        lent = Array(UnsafeBufferPointer(start: borrowed, count: borrowedFrames * channelCount))
        return noErr
    }
}
