// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The tag that encoders put into a first frame without audio: that of Xing, with LAME's extension, or that of Fraunhofer.
package struct MPEGAudioTag: Equatable {
    /// The most bytes of a tag.
    static let byteCount = 160

    /// The number of frames after that of the tag; nil if the tag does not say.
    let frameCount: Int?
    /// The sample frames that the encoder put before and after the signal; nil if the tag does not say.
    let delay: (priming: Int, padding: Int)?

    /// The sample frames by which decoders of layer 3 are late.
    private static let decoderDelay = 529

    /// Parses the tag of a frame; nil if it has none.
    init?(_ frame: ArraySlice<UInt8>, _ header: MPEGAudioHeader) {
        // LAME writes it at the same place in frames with a checksum.
        let bodies = [header.tagOffset, header.tagOffset - (header.hasChecksum ? 2 : 0)].map { Array(frame.dropFirst($0)) }
        let body = bodies.first { $0.starts(with: "Xing".utf8) || $0.starts(with: "Info".utf8) } ?? []
        let fixed = Array(frame.dropFirst(MPEGAudioHeader.byteCount + 32))
        if fixed.starts(with: "VBRI".utf8) {
            frameCount = Self.number(fixed, at: 14)
            delay = nil
            return
        }
        guard let flags = Self.number(body, at: 4) else { return nil }
        var offset = 8
        frameCount = flags & 1 != 0 ? Self.number(body, at: offset) : nil
        // Frames, bytes, seek points and quality.
        for (bit, size) in [(1, 4), (2, 4), (4, 100), (8, 4)] where flags & bit != 0 { offset += size }
        guard body.count >= offset + 24, body[offset] != 0 else {
            delay = nil
            return
        }
        let packed = body[offset + 21..<offset + 24].reduce(0) { $0 << 8 | Int($1) }
        delay = (packed >> 12, packed & 0xFFF)
    }

    /// Returns the decoded sample frames that are the signal, counted from the first one after the frame of the tag.
    ///
    /// - Parameter samplesPerFrame: The sample frames of a frame.
    func signal(samplesPerFrame: Int) -> (start: Int, end: Int?) {
        let total = frameCount.map { $0 * samplesPerFrame }
        guard let delay else { return (0, total) }
        let start = delay.priming + Self.decoderDelay
        return (start, total.map { max(start, min($0, $0 - delay.padding + Self.decoderDelay)) })
    }

    /// Returns the decoded sample frames before, in and after the signal; nil if the tag does not say.
    func gaplessInfo(samplesPerFrame: Int) -> GaplessInfo? {
        guard delay != nil, let frameCount, case (let start, let end?) = signal(samplesPerFrame: samplesPerFrame) else { return nil }
        return GaplessInfo(primingFrames: start, validFrames: end - start, remainderFrames: max(0, frameCount * samplesPerFrame - end))
    }

    /// Whether two tags say the same.
    package static func == (left: MPEGAudioTag, right: MPEGAudioTag) -> Bool {
        left.frameCount == right.frameCount && left.delay?.priming == right.delay?.priming && left.delay?.padding == right.delay?.padding
    }

    /// Returns four bytes as a number, the highest first; nil if they are missing.
    private static func number(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard bytes.count >= offset + 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
