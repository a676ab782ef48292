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
    package var warnings: [PCMFileWarning] { finished.flatMap(\.warnings) }
    /// False, because reading always starts at the first frame.
    package let seeksExactly = false

    private let parts: [Part]
    /// The first files, as an earlier run has recorded them.
    private let known: [FinishedPart]
    private let raw: AudioFormat?
    /// Converts the files to one format, or `nil` if they have one.
    private let conversion: JoinConversion?
    private let audioTrack: AudioTrackChoice?
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
    ///   - configuration: The format of headerless PCM, the audio track of each file, and the common format of different files.
    ///   - known: Properties of the files that an earlier run has recorded.
    /// - Throws: ``/PCMFiles/AudioFileError/Code/differentFormat(sampleRate:channelCount:)`` if the files' sample rates or channel counts
    ///   differ and the configuration does not specify them.
    init(_ paths: [String], _ configuration: FileConverterConfiguration, known: KnownParts? = nil) throws {
        var files: [(properties: PCMFileProperties, path: String)] = []
        var encodings: [SampleEncoding] = []
        var parts: [Part] = []
        for (index, path) in paths.enumerated() {
            let reader = try PCMFileReader.opening(path, raw: configuration.raw, audioTrack: configuration.decoding.audioTrack)
            files.append((reader.properties, path))
            // Refuses different formats before other files are measured.
            if index > 0 { _ = try JoinConversion([files[0], files[index]], configuration) }
            encodings.append(reader.encoding)
            parts.append(Part(path: path, frameCount: try known?.lengths[index] ?? Self.frameCount(reader)))
        }
        let conversion = try JoinConversion(files, configuration)
        var properties = files[0].properties
        encoding = conversion == nil && encodings.allSatisfy { $0 == encodings[0] } ? encodings[0] : .float32
        if let conversion {
            (properties.sampleRate, properties.channelCount) = (conversion.sampleRate, conversion.channelCount)
            properties.channelLayout = conversion.layout
        }
        properties.streamDescription = encoding.streamDescription(
            sampleRate: properties.sampleRate, channelCount: properties.channelCount)
        properties.isLossy = files.contains { $0.properties.isLossy }
        let lengths = zip(files, parts).map { ($0.properties.sampleRate, $0.properties.channelCount, $1.frameCount) }
        let positions = conversion?.positions(lengths) ?? parts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.frameCount) }
        properties.frameCount = positions.last
        properties.tags = properties.tags.titledAsBook
        properties.tags.setChapters(
            files.indices.flatMap { index in
                files[index].properties.tags.chapters(
                    ofPart: files[index].path, in: positions[index]..<positions[index + 1], sampleRate: properties.sampleRate)
            })
        self.properties = properties
        self.parts = parts
        self.known = known?.finished ?? []
        self.conversion = conversion
        raw = configuration.raw
        audioTrack = configuration.decoding.audioTrack
    }

    /// Returns a file's length: the header's, plus any frames after it if the file is seekable.
    static func frameCount(_ reader: PCMFileReader) throws -> Int {
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
        if let conversion {
            return try readFloats(frameCount, by: &buffer, into: &bytes) { try conversion.read(into: &$0, from: self.nextFrames) }
        }
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
            if missing <= 0 { finish(reader) }
        }
    }

    /// Records that the open file was read to its end.
    private func finish(_ reader: PCMFileReader) {
        finished.append(FinishedPart(frameCount: parts[next - 1].frameCount - missing, warnings: reader.warnings))
        self.reader = nil
    }

    /// Returns the next frames of one file in its own format, or `nil` after the last file.
    ///
    /// A file that ends early is padded with silence.
    private func nextFrames() throws -> (frames: PCMBuffer, layout: ChannelLayout?)? {
        while let reader = try opened() {
            let properties = reader.properties
            var frames = PCMBuffer(
                sampleRate: properties.sampleRate, channelCount: properties.channelCount, frameCapacity: Self.readLength)
            try reader.read(into: &frames)
            let isAtEnd = frames.frameCount == 0
            if isAtEnd { frames.frameCount = min(max(0, missing), Self.readLength) }
            missing -= frames.frameCount
            if isAtEnd, missing <= 0 { finish(reader) }
            if frames.frameCount > 0 { return (frames, properties.channelLayout) }
        }
        return nil
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
        let opened = try PCMFileReader.opening(parts[next].path, raw: raw, audioTrack: audioTrack)
        (reader, missing) = (opened, parts[next].frameCount)
        next += 1
        return opened
    }

    /// Moves from the first frame to another one.
    ///
    /// Skips known files before it, then reads and discards the remaining frames. A conversion depends on all frames.
    package func seek(toFrame frame: Int) throws {
        guard next == 0 else { throw SystemFileError.notSeekable }
        var position = 0
        for part in known.prefix(conversion == nil ? parts.count : 0) {
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
