// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
public import Foundation

/// The status for success.
public let noErr: OSStatus = 0

/// A 32-bit floating-point number.
public typealias Float32 = Float
/// A 64-bit floating-point number.
public typealias Float64 = Double
/// A signed 16-bit number.
public typealias SInt16 = Int16
/// A signed 32-bit number.
public typealias SInt32 = Int32
/// A signed 64-bit number.
public typealias SInt64 = Int64

/// A pointer for an error, in addition to the function's result.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// A number of sample frames.
public typealias AVAudioFrameCount = UInt32
/// The index of a sample frame in a file or stream.
public typealias AVAudioFramePosition = Int64
/// A number of packets.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// The index of a bus of a node.
public typealias AVAudioNodeBus = Int

/// The sample format in memory.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// Any other format.
    case otherFormat = 0
    /// 32-bit floating point in native byte order.
    case pcmFormatFloat32 = 1
    /// 64-bit floating point in native byte order.
    case pcmFormatFloat64 = 2
    /// Signed 16-bit integers in native byte order.
    case pcmFormatInt16 = 3
    /// Signed 32-bit integers in native byte order.
    case pcmFormatInt32 = 4
}

/// An encoding or conversion quality.
public enum AVAudioQuality: Int, Sendable {
    /// The lowest quality.
    case min = 0
    /// Low quality.
    case low = 0x20
    /// Medium quality.
    case medium = 0x40
    /// High quality.
    case high = 0x60
    /// The highest quality.
    case max = 0x7F
}
#endif
