// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

/// The contents of audio and metadata messages for AAC (Adobe, *Flash Video File Format Specification 10.1*, 2010, E.4.2 and E.5).
package enum FLVAudio {
    /// The format AAC, for which the rate, size and type are always 44 kHz, 16 bits and stereo (E.4.2.1).
    private static let header: UInt8 = 0xAF

    /// Returns the tag with the AudioSpecificConfig, which precedes all access units.
    package static func configuration(_ configuration: [UInt8]) -> [UInt8] { [header, 0] + configuration }

    /// Returns the tag of an access unit.
    package static func accessUnit(_ payload: [UInt8]) -> [UInt8] { [header, 1] + payload }

    /// Returns the metadata that precede the stream.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the decoded audio in hertz.
    ///   - channelCount: The number of channels of the decoded audio.
    ///   - bitRate: The bit rate in bits per second; nil if unknown.
    ///   - encoder: The name of the encoder.
    package static func metadata(sampleRate: Int, channelCount: Int, bitRate: Int?, encoder: String) -> [UInt8] {
        var properties: [AMF0Value.Property] = [
            .init("audiocodecid", .number(10)), .init("audiosamplerate", .number(Double(sampleRate))),
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
