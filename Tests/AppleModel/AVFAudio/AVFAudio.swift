// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

import AppleModel
@_exported public import CoreAudioTypes
@_exported public import Foundation

public typealias AVAudioChannelCount = UInt32
public typealias AVAudioFrameCount = UInt32

public enum AVAudioCommonFormat: UInt, Sendable {
    case otherFormat = 0, pcmFormatFloat32, pcmFormatFloat64, pcmFormatInt16, pcmFormatInt32
}

open class AVAudioFormat: NSObject, @unchecked Sendable {
    public let commonFormat: AVAudioCommonFormat
    public let sampleRate: Double
    public let channelCount: AVAudioChannelCount
    public let isInterleaved: Bool
    public init?(commonFormat: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool) {
        // [A] More than two channels need a layout.
        guard (1...2).contains(channels), sampleRate > 0 else { return nil }
        self.commonFormat = commonFormat
        self.sampleRate = sampleRate
        channelCount = channels
        isInterleaved = interleaved
    }
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }
}

/// An empty buffer, because no scenario passes one.
open class AVAudioPCMBuffer: NSObject {
    public let format: AVAudioFormat
    public var frameLength: AVAudioFrameCount = 0
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) { self.format = format }
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { nil }
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { nil }
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { nil }
}

open class AVAudioApplication: NSObject {
    /// The raw values are four-character codes. [A]
    public enum recordPermission: Int, Sendable { case undetermined = 0x756E_6474, denied = 0x6465_6E79, granted = 0x6772_6E74 }
    nonisolated(unsafe) public static let shared = AVAudioApplication()
    open var recordPermission: recordPermission {
        switch machine.permission {
        case .undetermined: .undetermined
        case .denied: .denied
        case .granted: .granted
        }
    }
    open class func requestRecordPermission(completionHandler: @escaping @Sendable (Bool) -> Void) {
        machine.requestPermission(completionHandler)
    }
}
