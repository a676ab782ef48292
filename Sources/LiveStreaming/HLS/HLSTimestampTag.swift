// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata

/// The ID3 tag with the timestamp of a packed audio segment (RFC 8216, 3.4).
enum HLSTimestampTag {
    private static let owner = "com.apple.streaming.transportStreamTimestamp"

    /// Returns the tag (ID3 2.4, 3.1, 4 and 4.27).
    ///
    /// - Parameters:
    ///   - frames: The time of the first sample, in sample frames.
    ///   - sampleRate: The rate of these frames, in hertz.
    static func bytes(frames: Int, sampleRate: Int) -> [UInt8] {
        // 33 bits, as in MPEG transport streams.
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
        let time = (seconds % (1 << 33) * 90_000 + rest * 90_000 / sampleRate) % (1 << 33)
        var content: [UInt8] = []
        content.append(bigEndian: time, byteCount: 8)
        return ID3v2Tag.serialized(owner: owner, content)
    }
}
