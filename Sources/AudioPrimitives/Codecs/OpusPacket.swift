// SPDX-License-Identifier: Apache-2.0

/// The properties of an Opus packet from its first bytes (RFC 6716 3.1 and 3.2).
///
/// A packet with several streams starts with the table-of-contents byte of its first stream. All streams have the same duration.
package struct OpusPacket: Hashable, Sendable {
    package enum Mode: Hashable, Sendable {
        /// Linear prediction, with up to 8 kHz bandwidth.
        case silk
        /// Linear prediction below 8 kHz and a transform above.
        case hybrid
        /// Transform coding only.
        case celt
    }

    package let mode: Mode

    /// The audio bandwidth in hertz: 4000, 6000, 8000, 12 000 or 20 000.
    package let bandwidth: Int

    /// Whether the first stream is coded with two channels.
    package let isStereo: Bool

    /// The number of sample frames at 48 kHz per coded frame: 120 to 2880 (2.5 to 60 ms).
    package let frameLength: Int

    /// The number of coded frames, 1 to 48.
    package let frameCount: Int

    /// The maximum packet duration in sample frames at 48 kHz: 120 ms.
    package static let maximumDuration = 5760

    /// The duration in sample frames at 48 kHz, at most ``maximumDuration``.
    package var duration: Int { frameLength * frameCount }

    /// Parses the start of a packet.
    ///
    /// - Parameter bytes: The packet, or at least its first two bytes.
    /// - Throws: ``CodecError/truncated(byteCount:)``, ``CodecError/invalidOpusFrameCount(_:)``.
    package init(_ bytes: some Collection<UInt8>) throws(CodecError) {
        guard let contents = bytes.first else { throw .truncated(byteCount: 0) }
        let configuration = Int(contents >> 3)
        switch configuration {
        case 0..<12:
            mode = .silk
            bandwidth = [4000, 6000, 8000][configuration / 4]
            frameLength = [480, 960, 1920, 2880][configuration % 4]
        case 12..<16:
            mode = .hybrid
            bandwidth = [12_000, 20_000][(configuration - 12) / 2]
            frameLength = [480, 960][configuration % 2]
        default:
            mode = .celt
            bandwidth = [4000, 8000, 12_000, 20_000][(configuration - 16) / 4]
            frameLength = 120 << (configuration % 4)
        }
        isStereo = contents & 4 != 0
        switch contents & 3 {
        case 0: frameCount = 1
        case 1, 2: frameCount = 2
        default:
            guard let second = bytes.dropFirst().first else { throw .truncated(byteCount: 1) }
            frameCount = Int(second & 0x3F)
        }
        guard frameCount > 0, frameLength * frameCount <= Self.maximumDuration else { throw .invalidOpusFrameCount(frameCount) }
    }
}
