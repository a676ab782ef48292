// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import CLinnetAudioTypes

extension AudioStreamBasicDescription {
    /// Creates the description of PCM in memory.
    init(_ format: AVAudioCommonFormat, sampleRate: Double, channelCount: UInt32, isInterleaved: Bool) {
        self.init()
        mSampleRate = sampleRate
        mFormatID = kAudioFormatLinearPCM
        mChannelsPerFrame = channelCount
        let bits: UInt32 =
            switch format {
            case .pcmFormatInt16: 16
            case .pcmFormatFloat64: 64
            default: 32
            }
        let isFloat = format == .pcmFormatFloat32 || format == .pcmFormatFloat64
        fillLinearPCM(bitsPerChannel: bits, isFloat: isFloat, isBigEndian: false, isInterleaved: isInterleaved)
    }

    /// Sets the fields of linear PCM.
    ///
    /// The channel count must be set.
    mutating func fillLinearPCM(bitsPerChannel: UInt32, isFloat: Bool, isBigEndian: Bool, isInterleaved: Bool) {
        mFormatFlags = kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
        if isBigEndian { mFormatFlags |= kAudioFormatFlagIsBigEndian }
        if !isInterleaved { mFormatFlags |= kAudioFormatFlagIsNonInterleaved }
        mBitsPerChannel = bitsPerChannel
        mBytesPerFrame = (bitsPerChannel + 7) / 8 &* (isInterleaved ? mChannelsPerFrame : 1)
        mFramesPerPacket = 1
        mBytesPerPacket = mBytesPerFrame
    }

    /// Sets the packet length, if the codec determines it.
    mutating func fillPacketLength() {
        guard mFramesPerPacket == 0 else { return }
        switch mFormatID {
        case kAudioFormatMPEG4AAC: mFramesPerPacket = 1024
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: mFramesPerPacket = 2048
        case kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD: mFramesPerPacket = 512
        case kAudioFormatMPEG4AAC_ELD_SBR, kAudioFormatMPEG4AAC_ELD_V2: mFramesPerPacket = 1024
        case kAudioFormatAppleLossless: mFramesPerPacket = 4096
        case kAudioFormatMPEGLayer3: mFramesPerPacket = 1152
        case kAudioFormatAppleIMA4: mFramesPerPacket = 64
        case kAudioFormatULaw, kAudioFormatALaw: mFramesPerPacket = 1
        default: break
        }
    }

    /// Whether all relevant fields are equal.
    ///
    /// An unset length or depth equals any value.
    func isSame(as other: AudioStreamBasicDescription) -> Bool {
        let pairs = [(mFramesPerPacket, other.mFramesPerPacket), (mBitsPerChannel, other.mBitsPerChannel)]
        guard mSampleRate == other.mSampleRate, mFormatID == other.mFormatID, mChannelsPerFrame == other.mChannelsPerFrame,
            pairs.allSatisfy({ $0 == $1 || $0 == 0 || $1 == 0 })
        else { return false }
        return mFormatID != kAudioFormatLinearPCM || mFormatFlags == other.mFormatFlags && mBytesPerFrame == other.mBytesPerFrame
    }

    var isLinearPCM: Bool { mFormatID == kAudioFormatLinearPCM }

    /// The format ID as four characters.
    var formatName: String {
        String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: mFormatID >> $0) }, as: UTF8.self)
    }
}

extension AVAudioCommonFormat {
    init(_ description: AudioStreamBasicDescription) {
        let layout = description.mFormatFlags & ~kAudioFormatFlagIsNonInterleaved & ~kAudioFormatFlagIsAlignedHigh
        let float = kAudioFormatFlagsNativeFloatPacked
        let integer = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | kAudioFormatFlagsNativeEndian
        switch (description.mFormatID, layout & ~(layout & 1 != 0 ? kAudioFormatFlagIsSignedInteger : 0), description.mBitsPerChannel) {
        case (kAudioFormatLinearPCM, float, 32): self = .pcmFormatFloat32
        case (kAudioFormatLinearPCM, float, 64): self = .pcmFormatFloat64
        case (kAudioFormatLinearPCM, integer, 16): self = .pcmFormatInt16
        case (kAudioFormatLinearPCM, integer, 32): self = .pcmFormatInt32
        default: self = .otherFormat
        }
    }
}
#endif
