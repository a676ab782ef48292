// SPDX-License-Identifier: Apache-2.0

package import SystemFiles

/// The length of an MPEG audio file.
///
/// Without a tag, the frames are counted.
package enum MPEGAudioLength: Equatable {
    /// The tag in the first frame, with the length and possibly priming and padding.
    case inTag(MPEGAudioTag)
    /// The number of sample frames in all frames, all of them complete.
    case counted(Int)
    /// The number of sample frames before frames of another format or an ID3v2 tag.
    case counting(Int)
    /// The frames could not be followed to the end of the file.
    case unknown

    /// Finds the length of the audio that starts at a frame.
    ///
    /// The position of the input is undefined afterwards.
    package init(_ input: FileInput, _ start: MPEGAudioStart) throws(SystemFileError) {
        try input.seek(to: start.position)
        let first = start.header
        if first.layer == 3, let tag = MPEGAudioTag(try input.peek(first.tagOffset + MPEGAudioTag.byteCount), first) {
            self = .inTag(tag)
            return
        }
        guard first.frameByteCount > 0 else {
            self = .unknown
            return
        }
        var count = 0
        while let header = MPEGAudioHeader(try input.peek(MPEGAudioHeader.byteCount)), header.continues(first) {
            guard input.bytesRemaining ?? 0 >= header.frameByteCount, try input.skip(header.frameByteCount) else { break }
            count += 1
        }
        let rest = try input.peek(8)
        if Self.isEnd(rest, first) {
            self = .counted(count * first.samplesPerFrame)
        } else {
            self = rest.starts(with: "ID3".utf8) || MPEGAudioHeader(rest) != nil ? .counting(count * first.samplesPerFrame) : .unknown
        }
    }

    /// Whether the bytes start a tag of the kinds found at the end of files.
    static func isTag(_ bytes: ArraySlice<UInt8>) -> Bool {
        ["TAG", "APETAGEX", "LYRICS"].contains { bytes.starts(with: $0.utf8) }
    }

    /// Whether the audio ends here: at the end of the file, in a truncated frame, or before a tag.
    private static func isEnd(_ rest: ArraySlice<UInt8>, _ first: MPEGAudioHeader) -> Bool {
        rest.isEmpty || isTag(rest) || MPEGAudioHeader(rest)?.continues(first) == true
    }
}
