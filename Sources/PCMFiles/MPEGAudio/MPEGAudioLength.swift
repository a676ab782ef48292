// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import SystemFiles

/// The length of a file of MPEG audio.
///
/// libsndfile estimates it from the size and the first frame of files without a tag, and is off by a frame or more. Such files have their frames
/// counted here.
enum MPEGAudioLength: Equatable {
    /// A tag in the first frame has the length, and the priming and padding that libsndfile removes.
    case inTag
    /// The sample frames of all frames, of which each is whole.
    case counted(Int)
    /// The frames can't be followed to the end of the file.
    case unknown

    /// The most bytes before the first frame, tags excepted.
    private static let searchLimit = 4096

    /// Finds the length; nil if the file is not MPEG audio.
    ///
    /// The position of the input is undefined afterwards.
    init?(_ input: FileInput) throws(SystemFileError) {
        try input.seek(to: 0)
        guard try Self.skipTags(input), let first = try Self.findFrame(input) else { return nil }
        if first.layer == 3, Self.hasTag(try input.peek(first.tagOffset + 160), first) {
            self = .inTag
            return
        }
        var count = 0
        while let header = MPEGAudioHeader(try input.peek(MPEGAudioHeader.byteCount)), header.continues(first) {
            guard input.bytesRemaining ?? 0 >= header.frameByteCount, try input.skip(header.frameByteCount) else { break }
            count += 1
        }
        self = try Self.isEnd(input, first) ? .counted(count * first.samplesPerFrame) : .unknown
    }

    /// Skips ID3v2 tags at the start; returns false if the file ends in one.
    private static func skipTags(_ input: FileInput) throws(SystemFileError) -> Bool {
        while true {
            let front = Array(try input.peek(10))
            guard front.count == 10, front.starts(with: "ID3".utf8), front[6...].allSatisfy({ $0 < 0x80 }) else { return true }
            let size = front[6...].reduce(0) { $0 << 7 | Int($1) }
            guard try input.skip(10 + size + (front[5] & 0x10 != 0 ? 10 : 0)) else { return false }
        }
    }

    /// Moves to the first frame, which another one follows, unless it is the only one.
    private static func findFrame(_ input: FileInput) throws(SystemFileError) -> MPEGAudioHeader? {
        let window = Array(try input.peek(FileInput.peekLimit))
        for offset in 0..<min(window.count, searchLimit) where window[offset] == 0xFF {
            guard let header = MPEGAudioHeader(window[offset...]) else { continue }
            let next = offset + header.frameByteCount
            let isLast = next == window.count && window.count == input.bytesRemaining
            guard isLast || next < window.count && MPEGAudioHeader(window[next...])?.continues(header) == true else { continue }
            return try input.skip(offset) ? header : nil
        }
        return nil
    }

    /// Whether a frame has the tag of Xing, LAME and FFmpeg or that of Fraunhofer, and no audio.
    private static func hasTag(_ frame: ArraySlice<UInt8>, _ header: MPEGAudioHeader) -> Bool {
        let body = frame.dropFirst(header.tagOffset)
        return body.starts(with: "Xing".utf8) || body.starts(with: "Info".utf8)
            || frame.dropFirst(MPEGAudioHeader.byteCount + 32).starts(with: "VBRI".utf8)
    }

    /// Whether the audio ends here: at the end of the file, in a frame that is cut off, or before a tag.
    private static func isEnd(_ input: FileInput, _ first: MPEGAudioHeader) throws(SystemFileError) -> Bool {
        let rest = Array(try input.peek(8))
        if rest.isEmpty || rest.starts(with: "TAG".utf8) || rest.starts(with: "APETAGEX".utf8) || rest.starts(with: "LYRICS".utf8) {
            return true
        }
        return MPEGAudioHeader(rest)?.continues(first) == true
    }
}
