// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AudioToolbox

/// Reads frames: sometimes fewer than requested, none at the end. [A]
@_cdecl("ExtAudioFileRead")
func extendedRead(_ handle: OpaquePointer, _ frames: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
{
    guard let extended = machine.files.extended(handle, "ExtAudioFileRead"), let reader = extended.file.reader else {
        return kAudio_ParamError
    }
    let wanted = Int(frames.pointee)
    frames.pointee = 0
    guard let client = extended.client else {
        machine.violate("ExtAudioFileRead without a client format")
        return FileStatus.order
    }
    let buffer = list.pointee.mBuffers
    guard list.pointee.mNumberBuffers == 1, buffer.mNumberChannels == client.mChannelsPerFrame, let memory = buffer.mData else {
        machine.violate("ExtAudioFileRead with buffers that do not match the client format")
        return kAudio_ParamError
    }
    if wanted == 0 { machine.violate("ExtAudioFileRead of no frames") }
    var count = min(wanted, machine.files.framesPerRead, Int(buffer.mDataByteSize / client.mBytesPerFrame))
    if let failure = machine.files.readFailure {
        count = min(count, failure.frame - extended.position)
        if count <= 0 { return failure.status }
    }
    let samples = reader.frames(count)
    let width = Int(client.mBitsPerChannel / 8)
    for (index, sample) in samples.enumerated() {
        store(sample, width: width, isFloat: client.mFormatFlags & kAudioFormatFlagIsFloat != 0, to: memory + index * width)
    }
    frames.pointee = UInt32(samples.count / Int(client.mChannelsPerFrame))
    extended.position += Int(frames.pointee)
    list.pointee.mBuffers.mDataByteSize = UInt32(samples.count * width)
    return noErr
}

/// Stores a sample in little-endian order.
private func store(_ sample: Int32, width: Int, isFloat: Bool, to target: UnsafeMutableRawPointer) {
    if isFloat {
        target.storeBytes(of: Float(sample) / 2_147_483_648, as: Float.self)
    } else {
        for byte in 0..<width {
            target.storeBytes(of: UInt8(truncatingIfNeeded: sample >> Int32(32 - 8 * (width - byte))), toByteOffset: byte, as: UInt8.self)
        }
    }
}

/// Accepts frames for later encoding.
@_cdecl("ExtAudioFileWrite")
func extendedWrite(_ handle: OpaquePointer, _ frames: UInt32, _ list: UnsafePointer<AudioBufferList>) -> OSStatus {
    guard let extended = machine.files.extended(handle, "ExtAudioFileWrite"), extended.file.reader == nil else { return kAudio_ParamError }
    defer { machine.files.writeCount += 1 }
    if let failure = machine.files.writeFailure, failure.call == machine.files.writeCount { return failure.status }
    guard let client = extended.client else {
        machine.violate("ExtAudioFileWrite without a client format")
        return FileStatus.order
    }
    let buffer = list.pointee.mBuffers
    let (width, channelCount) = (Int(client.mBitsPerChannel / 8), Int(client.mChannelsPerFrame))
    guard list.pointee.mNumberBuffers == 1, buffer.mNumberChannels == client.mChannelsPerFrame, let memory = buffer.mData,
        Int(buffer.mDataByteSize) == Int(frames) * width * channelCount
    else {
        machine.violate("ExtAudioFileWrite with a byte count that does not match the frames")
        return kAudio_ParamError
    }
    for index in 0..<Int(frames) * channelCount {
        let bits = (0..<width).reduce(UInt32(0)) { value, byte in
            value | UInt32(memory.load(fromByteOffset: index * width + byte, as: UInt8.self)) << UInt32(32 - 8 * (width - byte))
        }
        extended.written.append(Int32(bitPattern: bits))
    }
    return noErr
}
#endif
