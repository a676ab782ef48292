// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioPrimitives
internal import CLinnetAudioTypes

extension ChannelLayout {
    private static let speakersByTag: [AudioChannelLayoutTag: [Speaker]] = [
        kAudioChannelLayoutTag_Mono: [.center],
        kAudioChannelLayoutTag_Stereo: [.left, .right],
        kAudioChannelLayoutTag_StereoHeadphones: [.left, .right],
        kAudioChannelLayoutTag_Quadraphonic: [.left, .right, .sideLeft, .sideRight],
        kAudioChannelLayoutTag_MPEG_3_0_A: [.left, .right, .center],
        kAudioChannelLayoutTag_MPEG_3_0_B: [.center, .left, .right],
        kAudioChannelLayoutTag_MPEG_4_0_A: [.left, .right, .center, .backCenter],
        kAudioChannelLayoutTag_MPEG_4_0_B: [.center, .left, .right, .backCenter],
        kAudioChannelLayoutTag_MPEG_5_0_A: [.left, .right, .center, .sideLeft, .sideRight],
        kAudioChannelLayoutTag_MPEG_5_0_B: [.left, .right, .sideLeft, .sideRight, .center],
        kAudioChannelLayoutTag_MPEG_5_0_C: [.left, .center, .right, .sideLeft, .sideRight],
        kAudioChannelLayoutTag_MPEG_5_0_D: [.center, .left, .right, .sideLeft, .sideRight],
        kAudioChannelLayoutTag_MPEG_5_1_A: [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight],
        kAudioChannelLayoutTag_MPEG_5_1_B: [.left, .right, .sideLeft, .sideRight, .center, .lowFrequency],
        kAudioChannelLayoutTag_MPEG_5_1_C: [.left, .center, .right, .sideLeft, .sideRight, .lowFrequency],
        kAudioChannelLayoutTag_MPEG_5_1_D: [.center, .left, .right, .sideLeft, .sideRight, .lowFrequency],
        kAudioChannelLayoutTag_MPEG_6_1_A: [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight, .backCenter],
        kAudioChannelLayoutTag_MPEG_7_1_A: [
            .left, .right, .center, .lowFrequency, .sideLeft, .sideRight, .leftOfCenter, .rightOfCenter,
        ],
        kAudioChannelLayoutTag_MPEG_7_1_B: [
            .center, .leftOfCenter, .rightOfCenter, .left, .right, .sideLeft, .sideRight, .lowFrequency,
        ],
        kAudioChannelLayoutTag_MPEG_7_1_C: [
            .left, .right, .center, .lowFrequency, .sideLeft, .sideRight, .backLeft, .backRight,
        ],
        kAudioChannelLayoutTag_ITU_2_1: [.left, .right, .backCenter],
        kAudioChannelLayoutTag_ITU_2_2: [.left, .right, .sideLeft, .sideRight],
        kAudioChannelLayoutTag_DVD_4: [.left, .right, .lowFrequency],
        kAudioChannelLayoutTag_WAVE_4_0_B: [.left, .right, .backLeft, .backRight],
        kAudioChannelLayoutTag_WAVE_5_0_B: [.left, .right, .center, .backLeft, .backRight],
        kAudioChannelLayoutTag_WAVE_5_1_B: [.left, .right, .center, .lowFrequency, .backLeft, .backRight],
        kAudioChannelLayoutTag_WAVE_6_1: [.left, .right, .center, .lowFrequency, .backCenter, .sideLeft, .sideRight],
        kAudioChannelLayoutTag_WAVE_7_1: [
            .left, .right, .center, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight,
        ],
    ]

    /// Tags by preference, for layouts that several tags describe.
    private static let preferredTags: [AudioChannelLayoutTag] = [
        kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Quadraphonic,
    ]

    /// Creates the speakers of a layout; `nil` for layouts without speakers or with unknown speakers.
    init?(_ layout: AVAudioChannelLayout?) {
        guard let layout else { return nil }
        if let speakers = Self.speakersByTag[layout.layoutTag] {
            self.init(speakers)
            return
        }
        var speakers: [Speaker?] = []
        if layout.layoutTag == kAudioChannelLayoutTag_UseChannelBitmap {
            let bits = layout.layout.pointee.mChannelBitmap.rawValue
            speakers = (0..<32).filter { bits >> $0 & 1 == 1 }.map { Self.speaker(label: UInt32($0) + 1) }
        } else if layout.layoutTag == kAudioChannelLayoutTag_UseChannelDescriptions {
            speakers = layout.layout.withDescriptions { $0.map { Self.speaker(label: $0.mChannelLabel) } }
        }
        guard !speakers.isEmpty, !speakers.contains(nil) else { return nil }
        self.init(speakers.compactMap { $0 })
    }

    /// The layout as Apple's type, with a tag that describes the speakers, or else with unknown order.
    var avAudioChannelLayout: AVAudioChannelLayout? {
        let match =
            Self.preferredTags.first { Self.speakersByTag[$0] == speakers }
            ?? Self.speakersByTag.filter { $0.value == speakers }.map(\.key).min()
        return AVAudioChannelLayout(layoutTag: match ?? kAudioChannelLayoutTag_Unknown | UInt32(channelCount))
    }

    /// Returns the speaker of a channel label; `nil` for others.
    private static func speaker(label: AudioChannelLabel) -> Speaker? {
        switch label {
        case kAudioChannelLabel_Left: .left
        case kAudioChannelLabel_Right: .right
        case kAudioChannelLabel_Center, kAudioChannelLabel_Mono: .center
        case kAudioChannelLabel_LFEScreen: .lowFrequency
        case kAudioChannelLabel_LeftSurround: .sideLeft
        case kAudioChannelLabel_RightSurround: .sideRight
        case kAudioChannelLabel_LeftCenter: .leftOfCenter
        case kAudioChannelLabel_RightCenter: .rightOfCenter
        case kAudioChannelLabel_CenterSurround: .backCenter
        case kAudioChannelLabel_RearSurroundLeft: .backLeft
        case kAudioChannelLabel_RearSurroundRight: .backRight
        case kAudioChannelLabel_VerticalHeightLeft: .topLeft
        case kAudioChannelLabel_VerticalHeightRight: .topRight
        default: nil
        }
    }
}

extension UnsafePointer<AudioChannelLayout> {
    /// Calls a closure with the layout's descriptions.
    fileprivate func withDescriptions<Result>(_ body: (UnsafeBufferPointer<AudioChannelDescription>) -> Result) -> Result {
        let offset = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 0
        let first = (UnsafeRawPointer(self) + offset).assumingMemoryBound(to: AudioChannelDescription.self)
        return body(UnsafeBufferPointer(start: first, count: Int(pointee.mNumberChannelDescriptions)))
    }
}
#endif
