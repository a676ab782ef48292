// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio

extension pa_channel_map {
    /// Creates a map from a layout, or the usual map for a channel count.
    ///
    /// The server mixes a channel whose position the device lacks, and drops it if it has no counterpart. Maps of more than eight channels
    /// use the first positions of extensible WAV headers.
    ///
    /// - Parameter layout: The speakers. `nil`, or a layout with another channel count, selects the usual map.
    init(_ layout: ChannelLayout?, channelCount: Int, _ pulse: UnsafePointer<LinnetPulseFunctions>) {
        self.init()
        let named = layout.flatMap { $0.channelCount == channelCount ? $0 : nil }
        guard channelCount > 2, let speakers = (named ?? ChannelLayout(usualChannelCount: channelCount))?.speakers,
            speakers.count <= Int(PA_CHANNELS_MAX)
        else {
            _ = pulse.pointee.pa_channel_map_init_extend(&self, UInt32(channelCount), PA_CHANNEL_MAP_WAVEEX)
            return
        }
        channels = UInt8(speakers.count)
        withUnsafeMutableBytes(of: &map) { bytes in
            let positions = bytes.bindMemory(to: pa_channel_position_t.self)
            for (index, speaker) in speakers.enumerated() { positions[index] = speaker.pulse }
        }
    }

    /// The speakers; `nil` if some positions are not speakers.
    var layout: ChannelLayout? {
        let speakers = withUnsafeBytes(of: map) { bytes in
            bytes.bindMemory(to: pa_channel_position_t.self).prefix(Int(channels)).map { position in
                Speaker.allCases.first { $0.pulse == position }
            }
        }
        return ChannelLayout(known: speakers)
    }
}

extension Speaker {
    fileprivate var pulse: pa_channel_position_t {
        switch self {
        case .left: PA_CHANNEL_POSITION_FRONT_LEFT
        case .right: PA_CHANNEL_POSITION_FRONT_RIGHT
        case .center: PA_CHANNEL_POSITION_FRONT_CENTER
        case .lowFrequency: PA_CHANNEL_POSITION_LFE
        case .backLeft: PA_CHANNEL_POSITION_REAR_LEFT
        case .backRight: PA_CHANNEL_POSITION_REAR_RIGHT
        case .leftOfCenter: PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER
        case .rightOfCenter: PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER
        case .backCenter: PA_CHANNEL_POSITION_REAR_CENTER
        case .sideLeft: PA_CHANNEL_POSITION_SIDE_LEFT
        case .sideRight: PA_CHANNEL_POSITION_SIDE_RIGHT
        case .topLeft: PA_CHANNEL_POSITION_TOP_FRONT_LEFT
        case .topRight: PA_CHANNEL_POSITION_TOP_FRONT_RIGHT
        }
    }
}
#endif
