// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@_exported import CoreAudio
@_exported import CoreAudioTypes
public import Foundation

/// The Swift overlay's view of an `AudioBufferList`.
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

// Taps, macOS 14.4

open class CATapDescription: NSObject {
    public let processes: [AudioObjectID]
    /// Whether the listed processes are excluded instead of captured.
    public let isExclusive: Bool
    open var name = ""
    open var uuid = UUID()
    open var isPrivate = false
    public init(stereoMixdownOfProcesses processes: [AudioObjectID]) {
        self.processes = processes
        isExclusive = false
    }
    public init(stereoGlobalTapButExcludeProcesses processes: [AudioObjectID]) {
        self.processes = processes
        isExclusive = true
    }
}

@_silgen_name("AudioHardwareCreateProcessTap")
public func AudioHardwareCreateProcessTap(_ description: CATapDescription!, _ tap: UnsafeMutablePointer<AudioObjectID>!) -> OSStatus
@_silgen_name("AudioHardwareCreateAggregateDevice")
public func AudioHardwareCreateAggregateDevice(_ description: CFDictionary, _ device: UnsafeMutablePointer<AudioObjectID>) -> OSStatus
