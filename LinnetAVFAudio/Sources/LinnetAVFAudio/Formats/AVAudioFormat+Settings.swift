// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import CLinnetAudioTypes

extension AVAudioFormat {
    /// Creates the format of a settings dictionary; `nil` without a codec, sample rate or channels, or if the bit depth exceeds 64.
    ///
    /// - Parameter settings: A dictionary with ``AVFormatIDKey``, ``AVSampleRateKey`` and ``AVNumberOfChannelsKey`` or a layout.
    public convenience init?(settings: [String: Any]) {
        let values = SettingsDictionary(settings)
        let layout = values.data(AVChannelLayoutKey).flatMap { AVAudioChannelLayout(data: $0) }
        guard let formatID = values.integer(AVFormatIDKey).flatMap({ AudioFormatID(exactly: $0) }),
            let sampleRate = values.number(AVSampleRateKey), sampleRate > 0,
            let channels = values.integer(AVNumberOfChannelsKey).flatMap({ AVAudioChannelCount(exactly: $0) }) ?? layout?.channelCount
        else { return nil }
        var description = AudioStreamBasicDescription()
        description.mSampleRate = sampleRate
        description.mFormatID = formatID
        description.mChannelsPerFrame = channels
        if formatID == kAudioFormatLinearPCM {
            let isFloat = values.flag(AVLinearPCMIsFloatKey) ?? false
            let bits = values.integer(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
            guard (1...64).contains(bits) else { return nil }
            description.fillLinearPCM(
                bitsPerChannel: UInt32(bits), isFloat: isFloat, isBigEndian: values.flag(AVLinearPCMIsBigEndianKey) ?? false,
                isInterleaved: !(values.flag(AVLinearPCMIsNonInterleaved) ?? false))
        } else {
            description.fillPacketLength()
        }
        self.init(streamDescription: &description, channelLayout: layout ?? .usual(channelCount: channels))
    }
}

extension AVAudioChannelLayout {
    /// Returns the default layout for a channel count; `nil` for mono, stereo, and counts without a default.
    static func usual(channelCount: AVAudioChannelCount) -> AVAudioChannelLayout? {
        switch channelCount {
        case 0...2: nil
        case 3: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_WAVE_3_0)
        case 4: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_WAVE_4_0_B)
        case 5: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_WAVE_5_0_A)
        case 6: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_WAVE_5_1_A)
        case 7: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_WAVE_6_1)
        case 8: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_WAVE_7_1)
        default: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channelCount)
        }
    }
}
#endif
