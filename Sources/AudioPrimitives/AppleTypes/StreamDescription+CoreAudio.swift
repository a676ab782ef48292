// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import CoreAudioTypes

extension StreamDescription {
    /// Creates a description from the fields of a Core Audio description.
    ///
    /// Tested only with a model of Core Audio; see Documentation/Internals/Apple.md.
    public init(_ description: AudioStreamBasicDescription) {
        self.init(
            sampleRate: description.mSampleRate, formatID: FourCharCode(rawValue: description.mFormatID),
            formatFlags: StreamFormatFlags(rawValue: description.mFormatFlags), channelsPerFrame: Int(description.mChannelsPerFrame),
            bitsPerChannel: Int(description.mBitsPerChannel))
        bytesPerPacket = Int(description.mBytesPerPacket)
        framesPerPacket = Int(description.mFramesPerPacket)
        bytesPerFrame = Int(description.mBytesPerFrame)
        reserved = description.mReserved
    }

    /// The equivalent Core Audio description, with sizes clamped to 32 bits.
    public var audioStreamBasicDescription: AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: formatID.rawValue, mFormatFlags: formatFlags.rawValue,
            mBytesPerPacket: UInt32(clamping: bytesPerPacket), mFramesPerPacket: UInt32(clamping: framesPerPacket),
            mBytesPerFrame: UInt32(clamping: bytesPerFrame), mChannelsPerFrame: UInt32(clamping: channelsPerFrame),
            mBitsPerChannel: UInt32(clamping: bitsPerChannel), mReserved: reserved)
    }
}
#endif
