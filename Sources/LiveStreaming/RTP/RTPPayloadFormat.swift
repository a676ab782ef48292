// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
internal import AudioPrimitives
package import MPEG4Audio

/// The way in which the access units of a codec stand in the payloads of RTP packets.
package enum RTPPayloadFormat: Hashable, Sendable {
    /// AAC with a header section (RFC 3640).
    case headers(AudioSpecificConfig, AUHeaderSection.Layout)
    /// AAC in LATM (RFC 6416), with the configuration of the session description; it may be in the stream besides, or only there.
    case latm(StreamMuxConfig?, isConfigInStream: Bool)
    /// Opus, a packet in each (RFC 7587).
    case opus(channelCount: Int)

    /// The configuration for a decoder; nil while only the stream has it.
    package var configuration: CodecConfiguration? {
        switch self {
        case .headers(let config, _): .aac(config)
        case .latm(let config, _): config.map { .aac($0.configuration) }
        case .opus(let channelCount):
            (try? OpusChannelMapping(channelCount: channelCount)).map { .opus(OpusConfiguration(mapping: $0, preSkip: 0)) }
        }
    }

    /// Returns the duration of a unit in ticks of a clock.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the unit.
    ///   - payload: The unit; the first bytes of Opus tell it.
    ///   - clockRate: The ticks per second.
    /// - Returns: Nil if it is unknown.
    static func duration(_ configuration: CodecConfiguration, _ payload: [UInt8], clockRate: Int) -> Int? {
        switch configuration {
        case .aac(let config):
            // The length is counted at the rate of the core, whatever SBR makes of it.
            config.frameLength.map { max(1, $0 * clockRate / max(1, config.sampleRate)) }
        case .opus: (try? OpusPacket(payload.prefix(2)))?.duration
        case .alac, .ilbc: nil
        }
    }
}
