// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import SystemFiles

/// The length of a file of MPEG audio.
///
/// Files without a tag have their frames counted.
enum MPEGAudioLength: Equatable {
    /// A tag in the first frame has the length, and perhaps the priming and padding.
    case inTag(MPEGAudioTag)
    /// The sample frames of all frames, of which each is whole.
    case counted(Int)
    /// The frames can't be followed to the end of the file.
    case unknown

    /// The most bytes before the first frame, tags excepted, and those after which more than two frames have to follow each other.
    private static let (searchLimit, nearLimit) = (FileInput.peekLimit, 4096)

    /// Finds the length; nil if the file is not MPEG audio.
    ///
    /// The position of the input is undefined afterwards.
    init?(_ input: FileInput) throws(SystemFileError) {
        try input.seek(to: 0)
        guard try Self.skipTags(input), let first = try Self.findFrame(input) else { return nil }
        if first.layer == 3, let tag = MPEGAudioTag(try input.peek(first.tagOffset + MPEGAudioTag.byteCount), first) {
            self = .inTag(tag)
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
    static func skipTags(_ input: FileInput) throws(SystemFileError) -> Bool {
        while true {
            let front = Array(try input.peek(10))
            guard front.count == 10, front.starts(with: "ID3".utf8), front[6...].allSatisfy({ $0 < 0x80 }) else { return true }
            let size = front[6...].reduce(0) { $0 << 7 | Int($1) }
            guard try input.skip(10 + size + (front[5] & 0x10 != 0 ? 10 : 0)) else { return false }
        }
    }

    /// Returns whether the bits of a frame's sync word follow the ID3v2 tags, by which libsndfile recognizes MPEG audio.
    static func beginsWithSync(_ input: FileInput) throws(SystemFileError) -> Bool {
        try input.seek(to: 0)
        guard try skipTags(input) else { return false }
        let front = Array(try input.peek(2))
        return front.count == 2 && front[0] == 0xFF && front[1] & 0xE0 == 0xE0
    }

    /// Creates an unknown length for a file that begins with a valid header, whose frames don't follow each other as in an intact file; nil
    /// for others.
    init?(damaged input: FileInput) throws(SystemFileError) {
        guard try Self.beginsWithSync(input), MPEGAudioHeader(try input.peek(MPEGAudioHeader.byteCount)) != nil else { return nil }
        self = .unknown
    }

    /// Moves to the first frame, which others follow, unless it is the only one.
    private static func findFrame(_ input: FileInput) throws(SystemFileError) -> MPEGAudioHeader? {
        let window = Array(try input.peek(searchLimit))
        for offset in window.indices where window[offset] == 0xFF {
            guard let header = MPEGAudioHeader(window[offset...]) else { continue }
            var next = offset
            var following = header
            var count = 0
            while next < window.count, let frame = MPEGAudioHeader(window[next...]), frame.continues(header), count < 4 {
                (next, following, count) = (next + frame.frameByteCount, frame, count + 1)
            }
            let isLast = next == window.count && window.count == input.bytesRemaining
            guard isLast || count >= (offset < nearLimit ? 2 : 4), following.continues(header) else { continue }
            return try input.skip(offset) ? header : nil
        }
        return nil
    }

    /// Finds the length of a file that begins with frames of a free bit rate, of which three follow each other at the same distance
    /// (ISO/IEC 11172-3, 2.4.2.3); nil if it is none.
    init?(free input: FileInput) throws(SystemFileError) {
        try input.seek(to: 0)
        guard try Self.skipTags(input) else { return nil }
        let window = Array(try input.peek(FileInput.peekLimit))
        guard let start = window.prefix(Self.nearLimit).firstIndex(of: 0xFF),
            let first = MPEGAudioHeader(window[start...], allowsFreeBitRate: true), first.frameByteCount == 0
        else { return nil }
        /// Returns whether a header with the same settings is at an offset.
        func continues(_ offset: Int) -> Bool {
            offset + 3 <= window.count && window[offset] == 0xFF && window[offset + 1] == window[start + 1]
                && window[offset + 2] & 0xFC == window[start + 2] & 0xFC
        }
        let isFree = (24..<Self.nearLimit).contains { distance in
            continues(start + distance) && (-1...1).contains { continues(start + 2 * distance + $0) }
        }
        guard isFree else { return nil }
        let tag = first.layer == 3 ? MPEGAudioTag(window[start...].prefix(first.tagOffset + MPEGAudioTag.byteCount), first) : nil
        self = tag.map { .inTag($0) } ?? .unknown
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
