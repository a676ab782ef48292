// SPDX-License-Identifier: Apache-2.0

package import SystemFiles

/// The frames of an MPEG audio stream, located by their headers.
///
/// Skips damaged bytes in between.
package struct MPEGAudioFrames {
    private let input: FileInput
    private let first: MPEGAudioHeader
    /// The input position of the first frame.
    private let origin: Int
    private let byteCount: Int
    /// The offsets of the frames found so far, relative to the first.
    private var offsets: [Int] = []
    /// The offset after the last frame found, or `nil` if there are no more.
    private var end: Int? = 0
    /// Buffered bytes of the file, and the offset of the first one.
    private var window: (start: Int, bytes: [UInt8]) = (0, [])

    /// Creates the frames of a file without searching yet.
    package init(_ input: FileInput, _ start: MPEGAudioStart) {
        self.input = input
        (origin, first) = (start.position, start.header)
        byteCount = (input.byteCount ?? 0) - start.position
    }

    /// Returns the byte range of a frame, relative to the first frame, or `nil` if there are fewer frames.
    package mutating func range(of index: Int) throws(SystemFileError) -> Range<Int>? {
        while offsets.count <= index {
            guard let next = try next() else { return nil }
            offsets.append(next.lowerBound)
            end = next.upperBound
        }
        guard let length = try header(at: offsets[index])?.frameByteCount else { return nil }
        return offsets[index]..<offsets[index] + length
    }

    /// Returns a byte range of the file, shorter at its end.
    package mutating func bytes(_ range: Range<Int>) throws(SystemFileError) -> ArraySlice<UInt8> {
        let range = range.lowerBound..<max(range.lowerBound, min(range.upperBound, byteCount))
        if range.lowerBound < window.start || range.upperBound > window.start + window.bytes.count {
            let length = max(FileInput.peekLimit, range.count)
            window = (range.lowerBound, try input.bytes(at: origin + range.lowerBound..<origin + range.lowerBound + length))
        }
        return window.bytes[range.lowerBound - window.start..<min(range.upperBound - window.start, window.bytes.count)]
    }

    /// Finds the next complete frame.
    private mutating func next() throws(SystemFileError) -> Range<Int>? {
        guard var offset = end else { return nil }
        if let found = try frame(at: offset) { return found }
        while offset < byteCount {
            offset += 1
            let rest = try bytes(offset..<offset + FileInput.peekLimit / 2)
            guard let sync = rest.firstIndex(of: 0xFF) else {
                offset += rest.count
                continue
            }
            offset += sync - rest.startIndex
            // After skipped bytes, the next header must follow the frame, or the end of the file.
            guard let found = try frame(at: offset) else { continue }
            if found.upperBound == byteCount { return found }
            if try header(at: found.upperBound) != nil { return found }
        }
        end = nil
        return nil
    }

    /// Returns the byte range of the frame at an offset, or `nil` if missing or truncated.
    private mutating func frame(at offset: Int) throws(SystemFileError) -> Range<Int>? {
        guard let header = try header(at: offset), offset + header.frameByteCount <= byteCount else { return nil }
        return offset..<offset + header.frameByteCount
    }

    /// Returns the header at an offset if it belongs to this stream.
    private mutating func header(at offset: Int) throws(SystemFileError) -> MPEGAudioHeader? {
        guard let header = MPEGAudioHeader(try bytes(offset..<offset + MPEGAudioHeader.byteCount)), header.continues(first),
            header.isMono == first.isMono
        else { return nil }
        return header
    }
}
