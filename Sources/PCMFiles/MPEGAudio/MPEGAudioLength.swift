// SPDX-License-Identifier: Apache-2.0

package import SystemFiles

/// The length of a file of MPEG audio.
///
/// Files without a tag have their frames counted.
package enum MPEGAudioLength: Equatable {
    /// A tag in the first frame has the length, and perhaps the priming and padding.
    case inTag(MPEGAudioTag)
    /// The sample frames of all frames, of which each is whole.
    case counted(Int)
    /// The frames can't be followed to the end of the file.
    case unknown

    /// Finds the length of the audio that begins with a frame.
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
        self = try Self.isEnd(input, first) ? .counted(count * first.samplesPerFrame) : .unknown
    }

    /// Returns whether bytes begin a tag as it stands at the end of a file.
    static func isTag(_ bytes: ArraySlice<UInt8>) -> Bool {
        ["TAG", "APETAGEX", "LYRICS"].contains { bytes.starts(with: $0.utf8) }
    }

    /// Whether the audio ends here: at the end of the file, in a frame that is cut off, or before a tag.
    private static func isEnd(_ input: FileInput, _ first: MPEGAudioHeader) throws(SystemFileError) -> Bool {
        let rest = try input.peek(8)
        return rest.isEmpty || isTag(rest) || MPEGAudioHeader(rest)?.continues(first) == true
    }
}
