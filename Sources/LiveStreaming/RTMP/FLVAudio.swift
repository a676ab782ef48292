// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The payloads of audio and metadata messages (Adobe, *Flash Video File Format Specification 10.1*, 2010, E.4.2 and E.5; for Opus
/// *Enhanced RTMP v2*, 2024, "Enhanced Audio").
package enum FLVAudio {
    package enum Codec: Hashable, Sendable {
        /// AAC with its `AudioSpecificConfig`.
        case aac([UInt8])
        /// Opus with its identification header.
        case opus([UInt8])
    }

    /// The tag header for AAC.
    ///
    /// Rate, size and type are always 44 kHz, 16 bits and stereo (E.4.2.1).
    private static let header: UInt8 = 0xAF
    /// The tag header for a codec named by a four-character code (`SoundFormat.ExHeader`).
    ///
    /// The lower bits are the packet type.
    private static let extendedHeader: UInt8 = 0x90
    private static let opus = FourCharCode("Opus")

    /// Returns the configuration tag, which precedes all access units.
    package static func configuration(_ codec: Codec) -> [UInt8] {
        switch codec {
        case .aac(let config): [header, 0] + config
        case .opus(let opusHead): [extendedHeader] + opus.bytes + opusHead
        }
    }

    package static func accessUnit(_ payload: [UInt8], _ codec: Codec) -> [UInt8] {
        switch codec {
        case .aac: [header, 1] + payload
        case .opus: [extendedHeader | 1] + opus.bytes + payload
        }
    }

    /// Returns the metadata that precedes the stream.
    ///
    /// - Parameters:
    ///   - sampleRate: The decoded sample rate, in hertz.
    ///   - channelCount: The decoded channel count.
    ///   - bitRate: The bit rate in bits per second, if known.
    ///   - encoder: The encoder's name.
    package static func metadata(
        _ codec: Codec, sampleRate: Int, channelCount: Int, bitRate: Int?, encoder: String
    ) -> [UInt8] {
        var codecNumber = 10.0
        if case .opus = codec { codecNumber = Double(opus.rawValue) }
        var properties: [AMF0Value.Property] = [
            .init("audiocodecid", .number(codecNumber)), .init("audiosamplerate", .number(Double(sampleRate))),
            .init("audiosamplesize", .number(16)),
            .init("stereo", .boolean(channelCount > 1)), .init("encoder", .string(encoder)),
        ]
        if let bitRate { properties.insert(.init("audiodatarate", .number(Double(bitRate) / 1000)), at: 1) }
        var bytes: [UInt8] = []
        for value in [.string("@setDataFrame"), .string("onMetaData"), .associativeArray(properties)] as [AMF0Value] {
            value.write(to: &bytes)
        }
        return bytes
    }
}
