// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
internal import AudioLoudness
internal import AudioMetadata
public import AudioPrimitives
internal import DABPlus
internal import MPEG4Audio
public import PCMFiles
package import SystemFiles

/// Reads the access units of a file, whatever its container.
///
/// The first bytes decide which container it is. ADTS, LOAS, MPEG-TS, DAB+ and Ogg are read forwards, from pipes too; other containers from a pipe are kept in
/// memory.
public final class AccessUnitReader {
    /// The file's path; `standard input` for `-`, `memory` for bytes in memory.
    public let path: String

    /// The container; nil if the first bytes don't identify one.
    public let format: AudioFileFormat?

    /// The size of the file in bytes; for a pipe, the bytes read so far.
    public var byteCount: Int { input.fileSize ?? input.position }

    private let input: FileInput
    private let source: Source
    private var isStreamFinished = false
    /// The check of units of DAB+ for which only their checksums speak.
    private var superframeUnits = SuperframeUnitCheck()
    /// The tags of a file that is read as it arrives; none of a pipe.
    private var streamTags = AudioTags()

    /// The reader of the container.
    private enum Source {
        case stream(Held<any StreamParser>)
        case file(Held<any ContainerReader>)
        case adif(ADIFSource)
    }

    /// A reader by reference, changed where it is: each copy of one that is changed would copy its state.
    private final class Held<Reader> {
        /// The reader.
        var reader: Reader

        /// Holds a reader.
        init(_ reader: Reader) { self.reader = reader }
    }

    /// Bytes read at a time.
    private static let chunkSize = 65_536

    /// Opens a file.
    ///
    /// - Parameter path: The file's path; `-` is standard input.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read, or is not a container of coded audio.
    public convenience init(path: String) throws(AudioFileError) {
        try self.init(try FileInput(opening: path))
    }

    /// Reads a file in memory.
    ///
    /// - Parameter bytes: All bytes of the file.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes are not a container of coded audio.
    public convenience init(bytes: [UInt8]) throws(AudioFileError) { try self.init(FileInput(bytes: bytes)) }

    /// Reads an open file from its current position on.
    ///
    /// - Parameters:
    ///   - input: The file.
    ///   - known: Its container; nil to identify it.
    package init(_ input: FileInput, _ known: AudioFileFormat? = nil) throws(AudioFileError) {
        self.input = input
        path = input.path
        let format = if let known { AudioFileFormat?.some(known) } else { try input.containerFormat() }
        self.format = format
        if format == .transportStream, try input.leadsWithMPEGAudio() {
            throw AudioFileError(.unsupportedInput(format: .mpegAudio), path: path)
        }
        source = try AudioFileError.attempt(input.path) { try Self.source(format, input) }
        // Tags before and after a stream are those of the file.
        if case .stream = source { streamTags = AudioTags(reading: input) }
    }

    /// Opens the reader of a container, or of ADTS if the container is unknown.
    private static func source(_ format: AudioFileFormat?, _ input: FileInput) throws -> Source {
        let known = format ?? .adts
        guard known.isReadable else { throw AudioFileError(.unsupportedInput(format: format), path: input.path) }
        let file = FileByteSource(input)
        // Streams are read as they arrive. Of those only Ogg has positions, by which a file can be searched.
        if let parser = known == .dab ? DABParser() : known.makeParser(), known != .oggOpus || file == nil { return .stream(Held(parser)) }
        if let file { return try source(known, of: file) }
        return try source(known, of: MemorySource(try input.readAll()))
    }

    /// Opens the reader of a container that is not read as it arrives.
    private static func source(_ format: AudioFileFormat, of bytes: some ByteSource) throws -> Source {
        if format == .adif { return .adif(try ADIFSource(RawBlockReader(adif: bytes))) }
        do {
            return .file(Held(try format.makeReader(of: bytes)))
        } catch ContainerError.missingPart where format == .caf {
            guard let blocks = try RawBlockReader(caf: bytes) else { throw ContainerError.missingPart("pakt") }
            return .adif(try ADIFSource(blocks, isCut: true))
        }
    }

    /// The information that the container holds about the stream; for ADTS and LOAS no more than the tags around it.
    public var metadata: ContainerMetadata {
        if case .file(let file) = source { return file.reader.metadata }
        var metadata = ContainerMetadata()
        metadata.tags = streamTags
        return metadata
    }

    /// The former name of ``metadata``.
    @available(*, deprecated, renamed: "metadata")
    public var description: ContainerMetadata { metadata }

    /// Returns the next event, or nil at the end.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read any more.
    public func next() throws(AudioFileError) -> ReaderEvent? {
        try AudioFileError.attempt(path) {
            switch source {
            case .stream(let stream) where format == .dab: superframeUnits.checked(try next(stream), stream.reader as? DABParser)
            case .stream(let stream): try next(stream)
            case .file(let file): try file.reader.nextEvent()
            case .adif(let adif): try adif.next()
            }
        }
    }

    /// Returns the place of the latest access unit in its superframe; nil outside of DAB+.
    func superframePlace(of unit: CodedUnit) -> SuperframePlace? {
        guard format == .dab, case .stream(let stream) = source else { return nil }
        return (stream.reader as? DABParser)?.place(of: unit)
    }

    /// Returns the next event of a stream, for which more bytes are read as needed.
    private func next(_ stream: Held<any StreamParser>) throws -> ReaderEvent? {
        while true {
            if let event = stream.reader.nextEvent() { return event }
            if isStreamFinished { return nil }
            let bytes = try input.readAvailable(Self.chunkSize)
            if bytes.isEmpty {
                stream.reader.finish()
                isStreamFinished = true
            } else {
                stream.reader.append(bytes)
            }
        }
    }

    /// Records how many bytes of the last access unit a decoder has read, or nil for damage: in ADIF the next unit begins there.
    package func recordDecoded(byteCount: Int?) {
        if case .adif(let adif) = source { adif.advance(by: byteCount) }
    }

    /// Whether ``seek(toFrame:)`` is supported.
    public var canSeek: Bool {
        if case .file = source { return true }
        return false
    }

    /// Moves to a sample frame; requires ``canSeek``.
    ///
    /// - Parameter frame: A decoded sample frame, counted from the first of the first access unit, priming included.
    /// - Returns: The sample frames that the next access units decode to before that one.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read.
    public func seek(toFrame frame: Int) throws(AudioFileError) -> Int {
        guard case .file(let file) = source else { return frame }
        return try AudioFileError.attempt(path) { try file.reader.seek(toFrame: frame) }
    }
}

extension FileInput {
    /// Opens a file for reading; `-` is standard input.
    convenience init(opening path: String) throws(AudioFileError) {
        do throws(SystemFileError) { try self.init(path: path) } catch { throw AudioFileError(reading: PathName.inputName(path), error) }
    }

    /// Returns an input of the same bytes, from the first one on; requires ``canReopen``.
    func openedAgain() throws(AudioFileError) -> FileInput {
        try AudioFileError.attempt(path) { try reopened() }
    }

    /// Returns the container that the next bytes identify, without consuming them.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``, also ``/PCMFiles/AudioFileError/Code/foreignInput(_:)`` for a format that is known, but not read.
    func containerFormat() throws(AudioFileError) -> AudioFileFormat? {
        let signature = try front(ContainerProbe.signatureByteCount)
        if let format = ContainerProbe.format(ofSignature: signature), format.isReadable { return format }
        let start = try front(AudioFileFormat.foreignSignatureByteCount)
        if let foreign = AudioFileFormat(foreignSignature: start) { throw AudioFileError(.foreignInput(foreign), path: path) }
        if let kind = NonAudioFile.kind(start) { throw AudioFileError(.noAudio(kind: kind), path: path) }
        if let format = ContainerProbe.format(ofSignature: signature) { return format }
        var tagsByteCount = 0
        for _ in 0..<Self.tagLimit {
            let head = try front(ContainerProbe.byteCount, after: tagsByteCount)
            guard let length = ContainerProbe.tagByteCount(head) else {
                if let foreign = AudioFileFormat(framesIn: head) { throw AudioFileError(.foreignInput(foreign), path: path) }
                let isWhole = head.count < ContainerProbe.byteCount
                return ContainerProbe.format(of: head, isWhole: isWhole) { DABParser.recognizes($0, isWhole: isWhole) ? .dab : nil }
            }
            tagsByteCount += length
        }
        return nil
    }

    /// Returns whether the next bytes are those of a transport stream with MPEG audio, and neither AAC nor Opus.
    func leadsWithMPEGAudio() throws(AudioFileError) -> Bool {
        var count = Self.peekLimit
        while true {
            let head = try front(count)
            if let result = TransportStreamMPEGAudio.leads(head) { return result }
            if head.count < count || count >= Self.largestProgramSearch { return false }
            count *= 2
        }
    }

    /// The bytes in which program map tables are searched.
    private static let largestProgramSearch = 1 << 22
    /// The most tags before a stream.
    private static let tagLimit = 4

    /// Returns bytes after the next `offset` ones without consuming them; fewer only at the end.
    private func front(_ count: Int, after offset: Int = 0) throws(AudioFileError) -> [UInt8] {
        try AudioFileError.attempt(path) {
            try offset + count > Self.peekLimit ? peek(count, after: offset) : Array(peek(offset + count).dropFirst(offset))
        }
    }
}
