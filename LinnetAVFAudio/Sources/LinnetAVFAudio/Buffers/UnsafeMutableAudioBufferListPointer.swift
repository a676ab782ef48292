// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
internal import Foundation

extension AudioBufferList {
    /// Returns the size, in bytes, of a list with `maximumBuffers` buffers.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        precondition(maximumBuffers > 0, "a list must have at least one buffer")
        return MemoryLayout<AudioBufferList>.size + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// Allocates a list of buffers without memory.
    ///
    /// `free` releases its `unsafeMutablePointer`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        guard let memory = calloc(1, sizeInBytes(maximumBuffers: maximumBuffers)) else { preconditionFailure("out of memory for a list") }
        let list = UnsafeMutableAudioBufferListPointer(memory.bindMemory(to: AudioBufferList.self, capacity: 1))
        list.count = maximumBuffers
        return list
    }
}

/// A collection of the buffers in an `AudioBufferList`.
public struct UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// A pointer to the list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// A read-only pointer to the list.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// Creates a collection over a list.
    public init(_ list: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = list }

    /// Creates a collection over a list; `nil` for `nil`.
    public init?(_ list: UnsafeMutablePointer<AudioBufferList>?) {
        guard let list else { return nil }
        unsafeMutablePointer = list
    }

    /// The number of buffers.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
    }

    /// The index of the first buffer, 0.
    public var startIndex: Int { 0 }

    /// The index after the last buffer.
    public var endIndex: Int { count }

    /// The buffer at an index.
    public subscript(index: Int) -> AudioBuffer {
        get { buffer(index).pointee }
        nonmutating set { buffer(index).pointee = newValue }
        nonmutating _modify { yield &buffer(index).pointee }
    }

    private func buffer(_ index: Int) -> UnsafeMutablePointer<AudioBuffer> {
        precondition(index >= 0 && index < count, "index \(index) is out of range; the list has \(count) buffers")
        let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 0
        return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self) + index
    }
}

extension AudioBuffer {
    /// Creates a buffer over typed memory.
    public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        self.init(
            mNumberChannels: UInt32(numberOfChannels), mDataByteSize: UInt32(typedBuffer.count * MemoryLayout<Element>.stride),
            mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
    }
}

extension UnsafeBufferPointer {
    /// Creates a view of a buffer's bytes as elements.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        self.init(start: audioBuffer.mData.map { UnsafePointer($0.assumingMemoryBound(to: Element.self)) }, count: count)
    }
}

extension UnsafeMutableBufferPointer {
    /// Creates a view of a buffer's bytes as elements.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        self.init(start: audioBuffer.mData?.assumingMemoryBound(to: Element.self), count: count)
    }
}
#endif
