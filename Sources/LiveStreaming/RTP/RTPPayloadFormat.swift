// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
internal import AudioPrimitives
package import MPEG4Audio

/// The packing of a codec's access units into RTP payloads.
package enum RTPPayloadFormat: Hashable, Sendable {
    /// AAC with AU Header Sections (RFC 3640).
    case headers(AudioSpecificConfig, AUHeaderSection.Layout)
    /// AAC in LATM (RFC 6416). The `StreamMuxConfig` is in the session description, in the stream, or in both.
    case latm(StreamMuxConfig?, isConfigInStream: Bool)
    /// Opus, one Opus packet per RTP packet (RFC 7587).
    case opus(channelCount: Int)

    /// The decoder configuration; `nil` if only the stream contains it.
    package var configuration: CodecConfiguration? {
        switch self {
        case .headers(let config, _): .aac(config)
        case .latm(let config, _): config.map { .aac($0.configuration) }
        case .opus(let channelCount):
            (try? OpusChannelMapping(channelCount: channelCount)).map { .opus(OpusConfiguration(mapping: $0, preSkip: 0)) }
        }
    }

    /// Returns the duration of an access unit, in clock ticks.
    ///
    /// - Parameters:
    ///   - payload: The access unit. Opus signals its duration in the first bytes.
    ///   - clockRate: The clock rate, in hertz.
    /// - Returns: `nil` if the duration is unknown.
    static func duration(_ configuration: CodecConfiguration, _ payload: [UInt8], clockRate: Int) -> Int? {
        switch configuration {
        case .aac(let config):
            // The frame length is counted at the core sample rate, with or without SBR.
            config.frameLength.map { max(1, $0 * clockRate / max(1, config.sampleRate)) }
        case .opus: (try? OpusPacket(payload.prefix(2)))?.duration
        case .alac, .ilbc: nil
        }
    }
}
