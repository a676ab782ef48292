// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import CoreAudio
@_exported import CoreAudioTypes

/// What Swift adds to the buffers of Core Audio.
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection, MutableCollection {
    public init(_ list: UnsafeMutablePointer<AudioBufferList>) { fatalError() }
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public subscript(index: Int) -> AudioBuffer {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
}
