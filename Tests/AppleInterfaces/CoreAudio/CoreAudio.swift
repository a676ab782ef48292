// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import CoreAudio
@_exported import CoreAudioTypes
public import Foundation

/// The Swift overlay's view of an `AudioBufferList`.
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection, MutableCollection {
    public init(_ list: UnsafeMutablePointer<AudioBufferList>) { fatalError() }
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public subscript(index: Int) -> AudioBuffer {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
}

// Taps, macOS 14.4

open class CATapDescription: NSObject {
    public init(stereoMixdownOfProcesses processes: [AudioObjectID]) {}
    public init(stereoGlobalTapButExcludeProcesses processes: [AudioObjectID]) {}
    open var name: String {
        get { fatalError() }
        set {}
    }
    open var uuid: UUID {
        get { fatalError() }
        set {}
    }
    open var isPrivate: Bool {
        get { fatalError() }
        set {}
    }
}

@discardableResult
public func AudioHardwareCreateProcessTap(_ description: CATapDescription!, _ tap: UnsafeMutablePointer<AudioObjectID>!) -> OSStatus {
    fatalError()
}
@discardableResult
public func AudioHardwareCreateAggregateDevice(_ description: CFDictionary, _ device: UnsafeMutablePointer<AudioObjectID>) -> OSStatus {
    fatalError()
}
