// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported public import CoreAudioTypes
public import Foundation

/// A Core Media time.
public struct CMTime: Sendable {
    public var value: Int64
    public var timescale: Int32

    /// Creates a time, which is not numeric if the timescale is 0.
    public init(value: Int64, timescale: Int32) {
        self.value = value
        self.timescale = timescale
    }

    public var isNumeric: Bool { timescale > 0 }
}

public typealias CMItemCount = Int
public typealias CMBlockBufferFlags = UInt32
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1

public final class CFAllocator {}
public struct CMBlockBufferCustomBlockSource {}

/// Status codes that the model returns.
private enum Status {
    static let allocationFailed: OSStatus = -12730
    static let badLength: OSStatus = -12708
    static let invalidFormat: OSStatus = -12743
    static let requiredParameterMissing: OSStatus = -12731
    static let arrayTooSmall: OSStatus = -12737
    static let dataNotReady: OSStatus = -12735
    static let notFound: OSStatus = -12738
}

// MARK: Block buffers

/// A block of bytes; without the flag its memory is allocated at the first access.
public final class CMBlockBuffer {
    let memory: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
        memory = .allocate(byteCount: byteCount, alignment: 16)
        // Not zeros, to reveal unwritten bytes.
        memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
    }

    deinit { memory.deallocate() }
}

public func CMBlockBufferCreateWithMemoryBlock(
    allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int, blockAllocator: CFAllocator?,
    customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    // The model does not support memory owned by the caller.
    guard memoryBlock == nil, blockLength > 0, offsetToData >= 0, dataLength > 0, offsetToData + dataLength <= blockLength else {
        return Status.badLength
    }
    blockBufferOut.pointee = CMBlockBuffer(byteCount: dataLength)
    return noErr
}

public func CMBlockBufferReplaceDataBytes(
    with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
    guard offsetIntoDestination >= 0, dataLength >= 0, offsetIntoDestination + dataLength <= destinationBuffer.memory.count else {
        return Status.badLength
    }
    destinationBuffer.memory.baseAddress.map { ($0 + offsetIntoDestination).copyMemory(from: sourceBytes, byteCount: dataLength) }
    return noErr
}

public func CMBlockBufferCopyDataBytes(
    _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int, destination: UnsafeMutableRawPointer
) -> OSStatus {
    guard offsetToData >= 0, dataLength >= 0, offsetToData + dataLength <= theSourceBuffer.memory.count else { return Status.badLength }
    theSourceBuffer.memory.baseAddress.map { destination.copyMemory(from: $0 + offsetToData, byteCount: dataLength) }
    return noErr
}

public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.memory.count }

// MARK: Format descriptions

/// An audio stream's description.
public final class CMFormatDescription {
    /// Heap memory, because the API returns pointers to it.
    let stream: UnsafeMutablePointer<AudioStreamBasicDescription>
    let cookie: UnsafeMutableRawBufferPointer

    init(_ description: AudioStreamBasicDescription, cookie: UnsafeRawBufferPointer) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: description)
        self.cookie = .allocate(byteCount: cookie.count, alignment: 1)
        self.cookie.copyMemory(from: cookie)
    }

    deinit {
        stream.deallocate()
        cookie.deallocate()
    }
}
public typealias CMAudioFormatDescription = CMFormatDescription

public func CMAudioFormatDescriptionCreate(
    allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int, layout: UnsafePointer<AudioChannelLayout>?,
    magicCookieSize: Int, magicCookie: UnsafeRawPointer?, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
    let stream = asbd.pointee
    guard stream.mSampleRate > 0, stream.mChannelsPerFrame > 0, (magicCookie == nil) == (magicCookieSize == 0) else {
        return Status.invalidFormat
    }
    if stream.mFormatID == kAudioFormatLinearPCM {
        let channels = stream.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 ? stream.mChannelsPerFrame : 1
        guard stream.mFramesPerPacket == 1, stream.mBytesPerFrame == stream.mBytesPerPacket,
            stream.mBytesPerFrame >= channels * stream.mBitsPerChannel / 8, stream.mBitsPerChannel > 0
        else { return Status.invalidFormat }
    }
    formatDescriptionOut.pointee = CMFormatDescription(
        stream, cookie: UnsafeRawBufferPointer(start: magicCookie, count: magicCookieSize))
    return noErr
}

public func CMAudioFormatDescriptionGetStreamBasicDescription(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? { UnsafePointer(desc.stream) }

public func CMAudioFormatDescriptionGetMagicCookie(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    sizeOut?.pointee = desc.cookie.count
    return desc.cookie.isEmpty ? nil : desc.cookie.baseAddress.map { UnsafeRawPointer($0) }
}

// MARK: Sample buffers

/// Audio with its format and time.
public final class CMSampleBuffer {
    let data: CMBlockBuffer?
    let format: CMFormatDescription
    let sampleCount: Int
    let time: CMTime
    let packets: [AudioStreamPacketDescription]

    init(
        data: CMBlockBuffer?, format: CMFormatDescription, sampleCount: Int, time: CMTime, packets: [AudioStreamPacketDescription] = []
    ) {
        self.data = data
        self.format = format
        self.sampleCount = sampleCount
        self.time = time
        self.packets = packets
    }

    /// Creates a sample buffer without data, like AVFoundation's before its data is ready.
    public static func withoutData(_ format: CMFormatDescription, time: CMTime) -> CMSampleBuffer {
        CMSampleBuffer(data: nil, format: format, sampleCount: 0, time: time)
    }
}

public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount,
    presentationTimeStamp: CMTime, packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard numSamples > 0 else { return Status.requiredParameterMissing }
    let stream = formatDescription.stream.pointee
    let length = dataBuffer.memory.count
    var packets: [AudioStreamPacketDescription] = []
    if stream.mBytesPerPacket > 0 {
        // Non-interleaved channels are consecutive planes.
        let planes = stream.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 ? 1 : Int(stream.mChannelsPerFrame)
        guard length == numSamples * Int(stream.mBytesPerPacket) * planes else { return Status.badLength }
    } else {
        guard let packetDescriptions else { return Status.requiredParameterMissing }
        packets = Array(UnsafeBufferPointer(start: packetDescriptions, count: numSamples))
        var end = 0
        for packet in packets {
            guard packet.mStartOffset == Int64(end), packet.mDataByteSize > 0,
                (stream.mFramesPerPacket == 0) == (packet.mVariableFramesInPacket > 0)
            else { return Status.invalidFormat }
            end += Int(packet.mDataByteSize)
        }
        guard end == length else { return Status.badLength }
    }
    sampleBufferOut.pointee = CMSampleBuffer(
        data: dataBuffer, format: formatDescription, sampleCount: numSamples, time: presentationTimeStamp, packets: packets)
    return noErr
}

public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? { sbuf.format }
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.sampleCount }
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.time }
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.data }

public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?, bufferListOut: UnsafeMutablePointer<AudioBufferList>?,
    bufferListSize: Int, blockBufferAllocator blockBufferStructureAllocator: CFAllocator?,
    blockBufferMemoryAllocator blockBufferBlockAllocator: CFAllocator?, flags: UInt32, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
    let stream = sbuf.format.stream.pointee
    let isPlanar = stream.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 && stream.mFormatID == kAudioFormatLinearPCM
    let count = isPlanar ? Int(stream.mChannelsPerFrame) : 1
    let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 0
    let needed = offset + count * MemoryLayout<AudioBuffer>.stride
    bufferListSizeNeededOut?.pointee = needed
    guard let list = bufferListOut else { return noErr }
    guard bufferListSize >= needed else { return Status.arrayTooSmall }
    // The memory belongs to the sample buffer, which the block buffer retains.
    guard let data = sbuf.data, let base = data.memory.baseAddress, let block = blockBufferOut else { return Status.dataNotReady }
    list.pointee.mNumberBuffers = UInt32(count)
    let buffers = (UnsafeMutableRawPointer(list) + offset).assumingMemoryBound(to: AudioBuffer.self)
    let size = data.memory.count / count
    for index in 0..<count {
        buffers[index] = AudioBuffer(
            mNumberChannels: isPlanar ? 1 : stream.mChannelsPerFrame, mDataByteSize: UInt32(size), mData: base + index * size)
    }
    block.pointee = data
    return noErr
}

public func CMSampleBufferGetAudioStreamPacketDescriptions(
    _ sbuf: CMSampleBuffer, packetDescriptionsSize: Int, packetDescriptionsOut: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    packetDescriptionsSizeNeededOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
    let needed = sbuf.packets.count * MemoryLayout<AudioStreamPacketDescription>.stride
    packetDescriptionsSizeNeededOut?.pointee = needed
    guard let target = packetDescriptionsOut else { return noErr }
    guard packetDescriptionsSize >= needed else { return Status.arrayTooSmall }
    for (index, packet) in sbuf.packets.enumerated() { target[index] = packet }
    return noErr
}
