// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
public import Foundation

/// Audio in memory: samples, or packets of a coding.
///
/// A buffer belongs to one thread at a time.
open class AVAudioBuffer: NSObject {
    /// The format of the audio.
    public let format: AVAudioFormat

    /// The list whose sizes are those of the audio in the buffer.
    let filledList: UnsafeMutableAudioBufferListPointer
    /// The list whose sizes are those of the memory.
    let wholeList: UnsafeMutableAudioBufferListPointer

    /// Creates a buffer whose lists have `count` buffers without memory.
    init(format: AVAudioFormat, bufferCount: Int) {
        self.format = format
        filledList = AudioBufferList.allocate(maximumBuffers: bufferCount)
        wholeList = AudioBufferList.allocate(maximumBuffers: bufferCount)
    }

    /// Creates a buffer without a format and without memory, as a placeholder.
    public convenience override init() { self.init(format: .absent, bufferCount: 1) }

    deinit {
        free(filledList.unsafeMutablePointer)
        free(wholeList.unsafeMutablePointer)
    }

    /// The memory of the buffer; the sizes in bytes are those of the audio in it.
    ///
    /// Valid as long as this object.
    public var audioBufferList: UnsafePointer<AudioBufferList> { filledList.unsafePointer }

    /// The memory of the buffer; the sizes in bytes are those of the memory.
    ///
    /// Valid as long as this object. After writing, set the length of the buffer.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { wholeList.unsafeMutablePointer }

    /// Sets a buffer of both lists.
    func setMemory(_ index: Int, _ data: UnsafeMutableRawPointer?, byteCount: Int, channelCount: UInt32) {
        wholeList[index] = AudioBuffer(mNumberChannels: channelCount, mDataByteSize: UInt32(clamping: byteCount), mData: data)
        filledList[index] = AudioBuffer(mNumberChannels: channelCount, mDataByteSize: 0, mData: data)
    }
}
#endif
