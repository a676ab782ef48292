// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AACCodec
internal import AudioPrimitives
internal import AudioToolbox
internal import MPEG4Audio

/// The channel layouts of the system's encoder for more than two channels.
struct SystemChannels {
    /// The input layout as an `AudioChannelLayout` with one description per channel, in 32-bit words.
    let inputLayout: [UInt32]
    /// The stream's layout as an `AudioChannelLayout` with a tag, in 32-bit words.
    let outputLayout: [UInt32]

    /// Creates the layouts of an encoder's input and stream.
    ///
    /// - Throws: `CodecError.unsupportedChannelLayout` if no AAC channel configuration has these speakers.
    init(_ configuration: AACEncoderConfiguration) throws(CodecError) {
        guard let order = AudioEncoderConfiguration.aac(configuration).channelLayout, order.channelCount == configuration.channelCount,
            let stream = ChannelConfiguration.all.first(where: { $0.layout.permutation(from: order) != nil }), let tag = stream.layoutTag
        else {
            let allowed = ChannelConfiguration(channelCount: configuration.channelCount)?.layout.inWAVOrder ?? ChannelLayout([])
            throw .unsupportedChannelLayout(configuration.inputLayout ?? allowed, allowed: allowed)
        }
        let hasRearSurround = order.speakers.contains(.backLeft) && order.speakers.contains(.sideLeft)
        let labels = order.speakers.map { Self.label($0, hasRearSurround: hasRearSurround) }
        // A description consists of a label, flags and three coordinates.
        inputLayout = [kAudioChannelLayoutTag_UseChannelDescriptions, 0, UInt32(labels.count)] + labels.flatMap { [$0, 0, 0, 0, 0] }
        // The type includes one description, which is present but not counted.
        outputLayout = [UInt32(tag), 0, 0, 0, 0, 0, 0, 0]
    }

    /// Returns the Core Audio label of a speaker, as in AAC layouts.
    ///
    /// - Parameter hasRearSurround: Whether the layout has side and back speakers. A single pair is the surround, whatever its position.
    private static func label(_ speaker: Speaker, hasRearSurround: Bool) -> AudioChannelLabel {
        switch speaker {
        case .left: kAudioChannelLabel_Left
        case .right: kAudioChannelLabel_Right
        case .center: kAudioChannelLabel_Center
        case .lowFrequency: kAudioChannelLabel_LFEScreen
        case .sideLeft: kAudioChannelLabel_LeftSurround
        case .sideRight: kAudioChannelLabel_RightSurround
        case .backLeft: hasRearSurround ? kAudioChannelLabel_RearSurroundLeft : kAudioChannelLabel_LeftSurround
        case .backRight: hasRearSurround ? kAudioChannelLabel_RearSurroundRight : kAudioChannelLabel_RightSurround
        case .leftOfCenter: kAudioChannelLabel_LeftCenter
        case .rightOfCenter: kAudioChannelLabel_RightCenter
        case .backCenter: kAudioChannelLabel_CenterSurround
        case .topLeft: kAudioChannelLabel_VerticalHeightLeft
        case .topRight: kAudioChannelLabel_VerticalHeightRight
        }
    }
}
#endif
