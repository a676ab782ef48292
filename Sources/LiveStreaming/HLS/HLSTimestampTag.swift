// SPDX-License-Identifier: Apache-2.0

/// The ID3 tag with the timestamp of a packed audio segment (RFC 8216, 3.4).
enum HLSTimestampTag {
    private static let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8)

    /// Returns the tag (ID3 2.4, 3.1, 4 and 4.27).
    ///
    /// - Parameters:
    ///   - frames: The time of the first sample, in sample frames.
    ///   - sampleRate: The rate of these frames, in hertz.
    static func bytes(frames: Int, sampleRate: Int) -> [UInt8] {
        // 33 bits, as in MPEG transport streams.
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
        let time = (seconds % (1 << 33) * 90_000 + rest * 90_000 / sampleRate) % (1 << 33)
        var content = owner + [0]
        content.append(bigEndian: time, byteCount: 8)
        let frame = Array("PRIV".utf8) + sevenBits(content.count) + [0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0] + sevenBits(frame.count) + frame
    }

    /// Encodes a size in four bytes of seven bits (ID3 2.4, 6.2).
    private static func sevenBits(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (7 * (3 - $0)) & 0x7F) } }
}
