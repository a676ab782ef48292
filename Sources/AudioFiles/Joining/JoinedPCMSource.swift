// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
package import AudioPrimitives
package import PCMFiles
internal import SystemFiles

/// Files as one without a gap, a chapter each; one of them is open at a time.
package final class JoinedPCMSource: PCMFileSource {
    package let properties: PCMFileProperties
    package let encoding: SampleEncoding
    /// The files that have been read to their end, or that reading has begun after.
    private(set) var finished: [FinishedPart] = []
    /// Problems of all files that have been read.
    package var warnings: [PCMFileWarning] { finished.flatMap(\.warnings) }
    /// Reading begins at the first frame.
    package let seeksExactly = false

    private let parts: [Part]
    /// The first files, as an earlier run has found them.
    private let known: [FinishedPart]
    private let raw: AudioFormat?
    /// The number of the next file to open.
    private var next = 0
    private var reader: PCMFileReader?
    /// Frames of the open file that its length announces and that are not read yet.
    private var missing = 0
    private var buffer: PCMBuffer?
    private var bytes: [UInt8] = []

    /// A file with its length.
    private struct Part {
        let path: String
        let frameCount: Int
    }

    /// A file that has been read to its end.
    package struct FinishedPart: Hashable {
        /// The frames that it had, which can be more than its header says.
        let frameCount: Int
        /// Its problems.
        let warnings: [PCMFileWarning]
    }

    /// The knowledge of an earlier run about the same files.
    package struct KnownParts: Hashable {
        /// The length of each file.
        var lengths: [Int]
        /// The first files, which it has read to their end.
        package var finished: [FinishedPart]
    }

    /// The lengths of all files.
    var lengths: [Int] { parts.map(\.frameCount) }

    /// Opens all files, one after the other, for their formats, lengths and tags.
    ///
    /// - Parameters:
    ///   - paths: The files' paths, at least one.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    ///   - known: What an earlier run has found out about the files.
    /// - Throws: ``/PCMFiles/AudioFileError/Code/differentFormat(sampleRate:channelCount:)`` for a file with another rate or number of channels than the first.
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
            // A book that is joined to another keeps its chapters.
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

    /// Returns the tags of the whole: those of the first file, of which the album is the title.
    private static func bookTags(_ first: AudioTags) -> AudioTags {
        var tags = first
        tags.title = tags.album ?? tags.title
        (tags.track, tags.replayGain) = (nil, nil)
        for name in ["CUESHEET", "ISRC", "MUSICBRAINZ_TRACKID", "TITLESORT"] as [AudioTags.Key] { tags[name] = [] }
        return tags
    }

    /// Returns the name of a file without its folder and its extension.
    private static func name(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        guard let type = PathName.fileExtension(name), name.count > type.count + 1 else { return name }
        return String(name.dropLast(type.count + 1))
    }

    /// Returns the length of a file: what its header says, and the frames that follow although it does not, where reading can begin there.
    private static func frameCount(_ reader: PCMFileReader) throws -> Int {
        guard let stated = reader.properties.frameCount else { return try countedFrames(reader) }
        guard reader.allowsSharedReading, stated > 0 else { return stated }
        try reader.seek(toFrame: stated - 1)
        return try max(stated, countedFrames(reader))
    }

    /// Reads a file to its end; returns its frames.
    private static func countedFrames(_ reader: PCMFileReader) throws -> Int {
        var bytes: [UInt8] = []
        repeat { try reader.read(readLength, into: &bytes) } while !bytes.isEmpty
        return reader.position
    }

    /// Frames that are read at a time to find a length.
    private static let readLength = 16_384

    /// Replaces the contents of `buffer` by the next sample frames.
    package func read(into buffer: inout PCMBuffer) throws {
        try read(buffer.frameCapacity, into: &bytes)
        bytes.withSpan { encoding.decode($0.bytes, into: &buffer) }
    }

    /// Replaces bytes by the next sample frames of as many files as it takes.
    ///
    /// A file that ends before its length is filled with silence, so that later ones keep their times.
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

    /// Replaces bytes by the next frames of a file in the encoding of all.
    private func read(_ frameCount: Int, from reader: PCMFileReader, into bytes: inout [UInt8]) throws {
        guard reader.encoding != encoding else { return try reader.read(frameCount, into: &bytes) }
        try readFloats(frameCount, by: &buffer, into: &bytes) { try reader.read(into: &$0) }
    }

    /// Returns the open file, or opens the next one; nil after the last.
    private func opened() throws -> PCMFileReader? {
        if let reader { return reader }
        guard next < parts.count else { return nil }
        let opened = try PCMFileReader.opening(parts[next].path, raw: raw)
        (reader, missing) = (opened, parts[next].frameCount)
        next += 1
        return opened
    }

    /// Moves from the first frame to another one: passes over the files before it that are known, reads and discards the rest.
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
