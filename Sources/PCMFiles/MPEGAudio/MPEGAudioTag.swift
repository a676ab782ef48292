// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The tag that encoders write into a first frame without audio: Xing's, optionally with LAME's extension, or Fraunhofer's.
package struct MPEGAudioTag: Equatable {
    /// The maximum size of a tag, in bytes.
    static let byteCount = 160

    /// The number of frames after the tag's, or `nil` if unknown.
    let frameCount: Int?
    /// The encoder's priming and padding in sample frames, or `nil` if unknown.
    let delay: (priming: Int, padding: Int)?

    /// The delay of layer 3 decoders, in sample frames.
    private static let decoderDelay = 529

    /// Parses the tag of a frame, or returns `nil` if absent.
    init?(_ frame: ArraySlice<UInt8>, _ header: MPEGAudioHeader) {
        // LAME uses the same offset in frames with a checksum.
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

    /// Returns the range of decoded sample frames that is the signal, relative to the end of the tag's frame.
    func signal(samplesPerFrame: Int) -> (start: Int, end: Int?) {
        let total = frameCount.map { $0 * samplesPerFrame }
        guard let delay else { return (0, total) }
        let start = delay.priming + Self.decoderDelay
        return (start, total.map { max(start, min($0, $0 - delay.padding + Self.decoderDelay)) })
    }

    /// Returns priming, signal and padding in decoded sample frames, or `nil` if unknown.
    func gaplessInfo(samplesPerFrame: Int) -> GaplessInfo? {
        guard delay != nil, let frameCount, case (let start, let end?) = signal(samplesPerFrame: samplesPerFrame) else { return nil }
        return GaplessInfo(primingFrames: start, validFrames: end - start, remainderFrames: max(0, frameCount * samplesPerFrame - end))
    }

    package static func == (left: MPEGAudioTag, right: MPEGAudioTag) -> Bool {
        left.frameCount == right.frameCount && left.delay?.priming == right.delay?.priming && left.delay?.padding == right.delay?.padding
    }

    /// Returns a 32-bit big-endian number, or `nil` if bytes are missing.
    private static func number(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard bytes.count >= offset + 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
