// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
public import Foundation

/// Audio in memory: samples or encoded packets.
///
/// A buffer belongs to one thread at a time.
open class AVAudioBuffer: NSObject {
    /// The format of the buffer.
    public let format: AVAudioFormat

    /// The buffer list with the sizes of the contained audio.
    let filledList: UnsafeMutableAudioBufferListPointer
    /// The buffer list with the sizes of the memory.
    let wholeList: UnsafeMutableAudioBufferListPointer

    /// Creates a buffer whose lists have `count` buffers without memory.
    init(format: AVAudioFormat, bufferCount: Int) {
        self.format = format
        filledList = AudioBufferList.allocate(maximumBuffers: bufferCount)
        wholeList = AudioBufferList.allocate(maximumBuffers: bufferCount)
    }

    /// Creates a placeholder without format and memory.
    public convenience override init() { self.init(format: .absent, bufferCount: 1) }

    deinit {
        free(filledList.unsafeMutablePointer)
        free(wholeList.unsafeMutablePointer)
    }

    /// The memory of the buffer, with the sizes of the contained audio in bytes.
    ///
    /// Valid as long as this object exists.
    public var audioBufferList: UnsafePointer<AudioBufferList> { filledList.unsafePointer }

    /// The memory of the buffer, with its full sizes in bytes.
    ///
    /// Valid as long as this object exists. Set the buffer's length after writing.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { wholeList.unsafeMutablePointer }

    /// Sets a buffer in both lists.
    func setMemory(_ index: Int, _ data: UnsafeMutableRawPointer?, byteCount: Int, channelCount: UInt32) {
        wholeList[index] = AudioBuffer(mNumberChannels: channelCount, mDataByteSize: UInt32(clamping: byteCount), mData: data)
        filledList[index] = AudioBuffer(mNumberChannels: channelCount, mDataByteSize: 0, mData: data)
    }
}
#endif
