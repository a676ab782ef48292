// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata

/// The first packet of a logical Ogg stream with audio.
package struct OggAudioHeader: Sendable {
    /// A codec with a mapping to Ogg.
    package enum Codec: Sendable {
        case vorbis
        case flac
        case opus
        case speex
        case celt
        case pcm
    }

    package let codec: Codec
    /// In hertz, or `nil` if unknown.
    let sampleRate: Int?
    let channelCount: Int?

    private static let signatures: [(bytes: [UInt8], codec: Codec)] = [
        (Array("\u{1}vorbis".utf8), .vorbis), (Array("\u{7F}FLAC".utf8), .flac), (Array("OpusHead".utf8), .opus),
        (Array("Speex   ".utf8), .speex), (Array("CELT    ".utf8), .celt), (Array("PCM     ".utf8), .pcm),
    ]
    /// The number of bytes that identify the codec.
    package static let signatureByteCount = 8

    /// Parses a packet, or returns `nil` if it does not start an audio stream.
    ///
    /// ``signatureByteCount`` bytes suffice for the codec.
    package init?(_ packet: ArraySlice<UInt8>) {
        guard let found = Self.signatures.first(where: { packet.starts(with: $0.bytes) }) else { return nil }
        codec = found.codec
        func number(at offset: Int, _ byteCount: Int) -> Int? {
            let bytes = packet.dropFirst(offset).prefix(byteCount)
            guard bytes.count == byteCount else { return nil }
            return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        switch codec {
        // Vorbis I, 4.2.2.
        case .vorbis: (channelCount, sampleRate) = (number(at: 11, 1), number(at: 12, 4))
        case .opus: (channelCount, sampleRate) = (number(at: 9, 1), 48_000)
        case .flac:
            // The stream information follows 13 bytes and the head of its block (RFC 9639, 10.1 and 8.2).
            let information = Array(packet.dropFirst(13 + FLACMetadata.headByteCount))
            guard information.count >= 13 else {
                (channelCount, sampleRate) = (nil, nil)
                break
            }
            (channelCount, sampleRate) = (1 + Int(information[12] >> 1 & 7), FLACMetadata.sampleRate(information))
        case .speex: (channelCount, sampleRate) = (number(at: 48, 4), number(at: 36, 4))
        case .celt, .pcm: (channelCount, sampleRate) = (nil, nil)
        }
    }

    var codecName: String {
        switch codec {
        case .vorbis: "Vorbis"
        case .flac: "FLAC"
        case .opus: "Opus"
        case .speex: "Speex"
        case .celt: "CELT"
        case .pcm: "PCM"
        }
    }

    /// The number of bytes before the comments in a comment header packet, or `nil` for codecs without a known one.
    var commentOffset: Int? {
        switch codec {
        case .vorbis: 7
        case .opus: 8
        case .flac: FLACMetadata.headByteCount
        case .speex: 0
        case .celt, .pcm: nil
        }
    }
}
