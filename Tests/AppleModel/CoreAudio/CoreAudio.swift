// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import CoreAudio
@_exported import CoreAudioTypes

/// What Swift adds to the buffers of Core Audio.
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection, MutableCollection {
    private let list: UnsafeMutablePointer<AudioBufferList>
    private let buffers: UnsafeMutablePointer<AudioBuffer>
    public init(_ list: UnsafeMutablePointer<AudioBufferList>) {
        self.list = list
        buffers = (UnsafeMutableRawPointer(list) + 8).assumingMemoryBound(to: AudioBuffer.self)
    }
    public var startIndex: Int { 0 }
    public var endIndex: Int { Int(list.pointee.mNumberBuffers) }
    public subscript(index: Int) -> AudioBuffer {
        get { buffers[index] }
        nonmutating set { buffers[index] = newValue }
    }
}
