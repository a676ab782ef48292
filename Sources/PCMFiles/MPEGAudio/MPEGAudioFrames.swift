// SPDX-License-Identifier: Apache-2.0

package import SystemFiles

/// The frames of an MPEG audio stream, located by their headers.
///
/// Skips damaged bytes in between. Parts can have different formats, as in concatenated files.
package struct MPEGAudioFrames {
    private let input: FileInput
    /// The smallest layer of accepted frames: 1 only in its own stream, because other data contains many bytes like its headers.
    private let lowestLayer: Int
    /// The format of the latest frame found.
    private var part: MPEGAudioHeader
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
        (origin, part) = (start.position, start.header)
        lowestLayer = min(start.header.layer, 2)
        byteCount = (input.byteCount ?? 0) - start.position
    }

    /// Returns the byte range of a frame, relative to the first frame, and its header, or `nil` if there are fewer frames.
    package mutating func frame(_ index: Int) throws(SystemFileError) -> (bytes: Range<Int>, header: MPEGAudioHeader)? {
        while offsets.count <= index {
            guard let next = try next() else { return nil }
            offsets.append(next.lowerBound)
            end = next.upperBound
            part = try header(at: next.lowerBound) ?? part
        }
        guard let header = try header(at: offsets[index]) else { return nil }
        return (offsets[index]..<offsets[index] + header.frameByteCount, header)
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
            guard let found = try frame(at: offset), let header = try header(at: offset) else { continue }
            if found.upperBound == byteCount { return found }
            if let next = try self.header(at: found.upperBound), next.hasFormat(of: header) { return found }
        }
        end = nil
        return nil
    }

    /// Returns the byte range of the frame at an offset, or `nil` if missing or truncated.
    private mutating func frame(at offset: Int) throws(SystemFileError) -> Range<Int>? {
        guard let header = try header(at: offset), offset + header.frameByteCount <= byteCount else { return nil }
        let range = offset..<offset + header.frameByteCount
        if header.hasFormat(of: part) { return range }
        return try isPart(header, at: offset) ? range : nil
    }

    /// Whether a part with another format starts at an offset: several of its frames, or all up to the end of the file or to a tag.
    private mutating func isPart(_ first: MPEGAudioHeader, at offset: Int) throws(SystemFileError) -> Bool {
        var next = offset
        for _ in 0..<MPEGAudioStart.leadingCount {
            guard next < byteCount else { return true }
            guard let header = try header(at: next), header.hasFormat(of: first) else {
                return MPEGAudioLength.isTag(try bytes(next..<next + 8))
            }
            next += header.frameByteCount
        }
        return true
    }

    private mutating func header(at offset: Int) throws(SystemFileError) -> MPEGAudioHeader? {
        guard let header = MPEGAudioHeader(try bytes(offset..<offset + MPEGAudioHeader.byteCount)), header.layer >= lowestLayer
        else { return nil }
        return header
    }
}
