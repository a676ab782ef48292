// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
package import AudioPrimitives
package import PCMFiles
internal import SystemFiles

/// Several files as one source without gaps, with a chapter per file.
///
/// Only one file is open at a time.
package final class JoinedPCMSource: PCMFileSource {
    package let properties: PCMFileProperties
    package let encoding: SampleEncoding
    /// The files that were read or skipped completely.
    private(set) var finished: [FinishedPart] = []
    /// The warnings of all finished files.
    package var warnings: [PCMFileWarning] { finished.flatMap(\.warnings) }
    /// False, because reading always starts at the first frame.
    package let seeksExactly = false

    private let parts: [Part]
    /// The first files, as an earlier run has recorded them.
    private let known: [FinishedPart]
    private let raw: AudioFormat?
    /// The index of the next file to open.
    private var next = 0
    private var reader: PCMFileReader?
    /// The number of unread frames of the open file according to its known length.
    private var missing = 0
    private var buffer: PCMBuffer?
    private var bytes: [UInt8] = []

    private struct Part {
        let path: String
        let frameCount: Int
    }

    /// A file that was read to its end.
    package struct FinishedPart: Hashable {
        /// The actual number of frames, which can exceed the header's.
        let frameCount: Int
        let warnings: [PCMFileWarning]
    }

    /// Properties of the same files that an earlier run has recorded.
    package struct KnownParts: Hashable {
        /// The length of each file, in sample frames.
        var lengths: [Int]
        /// The first files, which were read to their end.
        package var finished: [FinishedPart]
    }

    /// The length of each file, in sample frames.
    var lengths: [Int] { parts.map(\.frameCount) }

    /// Opens the files one at a time to read formats, lengths and tags.
    ///
    /// - Parameters:
    ///   - paths: The files' paths, at least one.
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - known: Properties of the files that an earlier run has recorded.
    /// - Throws: ``/PCMFiles/AudioFileError/Code/differentFormat(sampleRate:channelCount:)`` if a file's sample rate or channel count
    ///   differs from the first.
    init(_ paths: [String], raw: AudioFormat?, known: KnownParts? = nil) throws {
        var first: PCMFileReader?
        var encodings: [SampleEncoding] = []
        var parts: [Part] = []
        var chapters: [AudioTags.Chapter] = []
        var total = 0
        var isLossy = false
        for (index, path) in paths.enumerated() {
            let reader = try PCMFileReader.opening(path, raw: raw)
            let properties = reader.properties
            if let expected = first?.properties {
                guard properties.sampleRate == expected.sampleRate, properties.channelCount == expected.channelCount else {
                    throw AudioFileError(
                        .differentFormat(sampleRate: expected.sampleRate, channelCount: expected.channelCount), path: path)
                }
            } else {
                first = reader
            }
            let frameCount = try known?.lengths[index] ?? Self.frameCount(reader)
            encodings.append(reader.encoding)
            isLossy = isLossy || properties.isLossy
            parts.append(Part(path: path, frameCount: frameCount))
            // A joined book keeps its own chapters.
            let inner =
                properties.tags.chapters.isEmpty
                ? [AudioTags.Chapter(start: 0, timescale: 1, title: properties.tags.title ?? Self.name(path))] : properties.tags.chapters
            chapters += inner.map {
                $0.moved(to: total + min($0.start(in: properties.sampleRate), frameCount), timescale: properties.sampleRate)
            }
            total += frameCount
        }
        guard let first else { preconditionFailure("there is a file to read") }
        var properties = first.properties
        encoding = encodings.allSatisfy { $0 == encodings[0] } ? encodings[0] : .float32
        properties.streamDescription = encoding.streamDescription(
            sampleRate: properties.sampleRate, channelCount: properties.channelCount)
        properties.isLossy = isLossy
        properties.frameCount = total
        properties.tags = Self.bookTags(properties.tags)
        properties.tags.setChapters(chapters)
        self.properties = properties
        self.parts = parts
        self.known = known?.finished ?? []
        self.raw = raw
    }

    /// Returns the tags of the joined file: the first file's, with its album as the title.
    private static func bookTags(_ first: AudioTags) -> AudioTags {
        var tags = first
        tags.title = tags.album ?? tags.title
        (tags.track, tags.replayGain) = (nil, nil)
        for name in ["CUESHEET", "ISRC", "MUSICBRAINZ_TRACKID", "TITLESORT"] as [AudioTags.Key] { tags[name] = [] }
        return tags
    }

    /// Returns a file's name without folder and extension.
    private static func name(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        guard let type = PathName.fileExtension(name), name.count > type.count + 1 else { return name }
        return String(name.dropLast(type.count + 1))
    }

    /// Returns a file's length: the header's, plus any frames after it if the file is seekable.
    private static func frameCount(_ reader: PCMFileReader) throws -> Int {
        guard let stated = reader.properties.frameCount else { return try countedFrames(reader) }
        guard reader.allowsSharedReading, stated > 0 else { return stated }
        try reader.seek(toFrame: stated - 1)
        return try max(stated, countedFrames(reader))
    }

    /// Reads a file to its end and returns its length.
    private static func countedFrames(_ reader: PCMFileReader) throws -> Int {
        var bytes: [UInt8] = []
        repeat { try reader.read(readLength, into: &bytes) } while !bytes.isEmpty
        return reader.position
    }

    /// The number of frames to read at a time when measuring a length.
    private static let readLength = 16_384

    package func read(into buffer: inout PCMBuffer) throws {
        try read(buffer.frameCapacity, into: &bytes)
        bytes.withSpan { encoding.decode($0.bytes, into: &buffer) }
    }

    /// Reads the next sample frames as bytes, across file boundaries.
    ///
    /// A file that ends early is padded with silence, so that later files keep their times.
    package func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        bytes.removeAll(keepingCapacity: true)
        let bytesPerFrame = encoding.byteCount * properties.channelCount
        var piece: [UInt8] = []
        while bytes.count < frameCount * bytesPerFrame {
            guard let reader = try opened() else { return }
            let wanted = frameCount - bytes.count / bytesPerFrame
            try read(wanted, from: reader, into: &piece)
            missing -= piece.count / bytesPerFrame
            bytes += piece
            guard piece.isEmpty else { continue }
            let silent = min(max(0, missing), wanted)
            let zero: UInt8 = encoding == .unsigned8 ? 0x80 : 0
            bytes.append(contentsOf: repeatElement(zero, count: silent * bytesPerFrame))
            missing -= silent
            if missing <= 0 {
                finished.append(FinishedPart(frameCount: parts[next - 1].frameCount - missing, warnings: reader.warnings))
                self.reader = nil
            }
        }
    }

    /// Reads the next frames of one file in the common encoding.
    private func read(_ frameCount: Int, from reader: PCMFileReader, into bytes: inout [UInt8]) throws {
        guard reader.encoding != encoding else { return try reader.read(frameCount, into: &bytes) }
        try readFloats(frameCount, by: &buffer, into: &bytes) { try reader.read(into: &$0) }
    }

    /// Returns the open file, otherwise opens the next one, or returns `nil` after the last.
    private func opened() throws -> PCMFileReader? {
        if let reader { return reader }
        guard next < parts.count else { return nil }
        let opened = try PCMFileReader.opening(parts[next].path, raw: raw)
        (reader, missing) = (opened, parts[next].frameCount)
        next += 1
        return opened
    }

    /// Moves from the first frame to another one.
    ///
    /// Skips known files before it, then reads and discards the remaining frames.
    package func seek(toFrame frame: Int) throws {
        guard next == 0 else { throw SystemFileError.notSeekable }
        var position = 0
        for part in known.prefix(parts.count) {
            guard part.frameCount <= frame - position else { break }
            finished.append(part)
            position += part.frameCount
            next += 1
        }
        let bytesPerFrame = encoding.byteCount * properties.channelCount
        var discarded: [UInt8] = []
        while position < frame {
            try read(min(Self.readLength, frame - position), into: &discarded)
            if discarded.isEmpty { return }
            position += discarded.count / bytesPerFrame
        }
    }
}
