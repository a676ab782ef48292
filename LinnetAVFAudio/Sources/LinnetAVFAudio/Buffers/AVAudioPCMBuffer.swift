// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
internal import Foundation

/// PCM in memory.
///
/// New memory is silent.
open class AVAudioPCMBuffer: AVAudioBuffer {
    /// The maximum number of sample frames.
    public let frameCapacity: AVAudioFrameCount

    private let release: () -> Void
    /// The first sample of each channel.
    private let channelPointers: UnsafeMutablePointer<UnsafeMutableRawPointer>

    /// Creates an empty buffer; `nil` for a format other than linear PCM or without channels, and for sizes beyond 32 bits.
    ///
    /// - Parameters:
    ///   - format: A linear PCM format.
    ///   - frameCapacity: The maximum number of sample frames.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let description = format.streamDescription.pointee
        guard description.isLinearPCM, description.mBytesPerFrame > 0, format.channelCount > 0 else { return nil }
        let byteCount = Int(description.mBytesPerFrame) * Int(frameCapacity)
        guard UInt32(exactly: byteCount) != nil else { return nil }
        let bufferCount = format.isInterleaved ? 1 : Int(format.channelCount)
        guard let memory = calloc(bufferCount, max(byteCount, 16)) else { return nil }
        self.frameCapacity = frameCapacity
        release = { free(memory) }
        channelPointers = .allocate(capacity: Int(format.channelCount))
        super.init(format: format, bufferCount: bufferCount)
        for index in 0..<bufferCount {
            setMemory(
                index, memory + index * max(byteCount, 16), byteCount: byteCount,
                channelCount: format.isInterleaved ? format.channelCount : 1)
        }
        setChannelPointers()
    }

    /// Creates a buffer over the caller's memory, with all frames valid; `nil` for a list that does not match the format.
    ///
    /// - Parameters:
    ///   - format: A linear PCM format.
    ///   - bufferList: The memory, with its sizes in bytes.
    ///   - deallocator: Called with the list when the buffer is released.
    public init?(
        pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let description = format.streamDescription.pointee
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        guard description.isLinearPCM, description.mBytesPerFrame > 0, format.channelCount > 0,
            source.count == (format.isInterleaved ? 1 : Int(format.channelCount)), source.allSatisfy({ $0.mData != nil })
        else { return nil }
        let byteCount = source.map(\.mDataByteSize).min() ?? 0
        frameCapacity = byteCount / description.mBytesPerFrame
        release = { deallocator?(bufferList) }
        channelPointers = .allocate(capacity: Int(format.channelCount))
        super.init(format: format, bufferCount: source.count)
        for (index, buffer) in source.enumerated() {
            setMemory(index, buffer.mData, byteCount: Int(byteCount), channelCount: buffer.mNumberChannels)
        }
        setChannelPointers()
        frameLength = frameCapacity
    }

    deinit {
        channelPointers.deallocate()
        release()
    }

    /// The number of valid sample frames, at most ``frameCapacity``.
    public var frameLength: AVAudioFrameCount = 0 {
        didSet {
            precondition(frameLength <= frameCapacity, "frameLength \(frameLength) exceeds the capacity, \(frameCapacity)")
            let byteCount = frameLength * format.streamDescription.pointee.mBytesPerFrame
            for index in filledList.indices { filledList[index].mDataByteSize = byteCount }
        }
    }

    /// The distance between samples of the same channel: the channel count if interleaved, otherwise 1.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    /// The channels' samples, ``stride`` apart; `nil` unless the format is 32-bit floating point.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { channelData(.pcmFormatFloat32) }

    /// The channels' samples, ``stride`` apart; `nil` unless the format is 16-bit integers.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { channelData(.pcmFormatInt16) }

    /// The channels' samples, ``stride`` apart; `nil` unless the format is 32-bit integers.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { channelData(.pcmFormatInt32) }

    /// Returns pointers to the channels; `nil` for another format.
    private func channelData<Sample>(_ wanted: AVAudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == wanted else { return nil }
        return UnsafeRawPointer(channelPointers).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    /// Computes the address of each channel's first sample.
    private func setChannelPointers() {
        let description = format.streamDescription.pointee
        let sampleByteCount = Int(description.mBytesPerFrame) / (format.isInterleaved ? Int(format.channelCount) : 1)
        for channel in 0..<Int(format.channelCount) {
            let buffer = wholeList[format.isInterleaved ? 0 : channel]
            guard let data = buffer.mData else { preconditionFailure("the memory was checked") }
            channelPointers[channel] = format.isInterleaved ? data + channel * sampleByteCount : data
        }
    }

    /// Returns a copy with its own memory and the same capacity and length.
    open override func copy() -> Any {
        guard let result = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
            preconditionFailure("out of memory for a copy of \(frameCapacity) frames")
        }
        for (target, source) in zip(result.wholeList, wholeList) {
            guard let to = target.mData, let from = source.mData else { continue }
            to.copyMemory(from: from, byteCount: Int(source.mDataByteSize))
        }
        result.frameLength = frameLength
        return result
    }
}
#endif
