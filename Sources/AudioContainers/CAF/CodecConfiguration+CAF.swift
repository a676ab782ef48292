// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

extension CodecConfiguration {
    /// The magic cookie in CAF (`kuki`), if the codec has one there.
    ///
    /// AAC has an `ES_Descriptor` (ISO/IEC 14496-1, 7.2.6.5), Apple Lossless an `ALACSpecificConfig`, Opus and iLBC none. Outside of CAF,
    /// the cookie of Opus is its identification header, ``/AudioPrimitives/OpusConfiguration/opusHead``.
    public var magicCookie: [UInt8]? {
        switch self {
        case .aac(let config):
            var writer = BoxWriter()
            ESDescriptorBox(audioSpecificConfig: config.serialized()).writeDescriptors(to: &writer)
            return writer.bytes
        case .alac(let config): return config.serialized()
        case .opus, .ilbc: return nil
        }
    }

    /// Core Audio's `kAudioChannelLayoutTag_…` for the layout, if any.
    var layoutTag: Int? {
        switch self {
        case .aac(let config) where !config.hasStereoParameters: config.channelConfiguration?.layoutTag
        case .alac(let config): config.channelLayoutTag.map(Int.init)
        case .opus(let config): config.channelCount <= 2 ? ChannelConfiguration(channelCount: config.channelCount)?.layoutTag : nil
        case .aac, .ilbc: nil
        }
    }
}
