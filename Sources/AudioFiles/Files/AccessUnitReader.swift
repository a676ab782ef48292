// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
internal import AudioLoudness
internal import AudioMetadata
public import AudioPrimitives
internal import DABPlus
internal import MPEG4Audio
public import PCMFiles
package import SystemFiles

/// Reads the access units of a file in any supported container.
///
/// The first bytes identify the container. ADTS, LOAS, MPEG-TS, DAB+ and Ogg are read sequentially, also from pipes. Other containers from
/// a pipe are read into memory.
public final class AccessUnitReader {
    /// The file's path; `standard input` for `-`, `memory` for bytes in memory.
    public let path: String

    /// The container, or `nil` if the first bytes do not identify one.
    public let format: AudioFileFormat?

    /// The file size in bytes; for a pipe, the number of bytes read so far.
    public var byteCount: Int { input.fileSize ?? input.position }

    /// Whether the end of an access unit is known before it is decoded.
    ///
    /// False for ADIF, and for CAF without a packet table.
    var delimitsUnits: Bool { if case .adif = source { false } else { true } }

    /// Throws ``/PCMFiles/AudioFileError`` if only a decoder finds the ends of access units.
    func requireDelimitedUnits() throws(AudioFileError) {
        guard !delimitsUnits else { return }
        guard format == .caf else { throw AudioFileError(.undelimitedAccessUnits, path: path) }
        throw AudioFileError(.damagedInput, path: path, underlying: MissingPacketTable())
    }

    /// A CAF file is truncated before its packet table.
    private struct MissingPacketTable: Error, DescribedError {
        var description: String { "it is cut off before its packet table; decode and re-encode it" }
    }

    private let input: FileInput
    private let source: Source
    private var isStreamFinished = false
    /// The reason why the first unsupported frame of a stream is skipped.
    private var refusal: ContainerError?
    private var hasAccessUnits = false
    /// Checks DAB+ access units that are identified only by their checksums.
    private var superframeUnits = SuperframeUnitCheck()
    /// The tags of a file that is read sequentially.
    ///
    /// Empty for a pipe.
    private var streamTags = AudioTags()
    private let selection: AudioTrackSelection

    private enum Source {
        case stream(ReaderBox<any StreamParser>)
        case file(ReaderBox<any ContainerReader>)
        case adif(ADIFSource)
    }

    /// A reference to a reader, which is mutated in place.
    ///
    /// Copying the value would copy its state.
    private final class ReaderBox<Reader> {
        var reader: Reader

        init(_ reader: Reader) { self.reader = reader }
    }

    /// The number of bytes to read at a time.
    private static let chunkSize = 65_536

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, or is not a container of encoded audio.
    public convenience init(path: String, audioTrack: AudioTrackChoice? = nil) throws(AudioFileError) {
        try self.init(try FileInput(opening: path), audioTrack: audioTrack)
    }

    /// Opens a file in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes are not a container of encoded audio.
    public convenience init(bytes: [UInt8], audioTrack: AudioTrackChoice? = nil) throws(AudioFileError) {
        try self.init(FileInput(bytes: bytes), audioTrack: audioTrack)
    }

    /// Reads an open file from its current position.
    ///
    /// - Parameters:
    ///   - known: Its container, or `nil` to identify it.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    package init(
        _ input: FileInput, _ known: AudioFileFormat? = nil, audioTrack: AudioTrackChoice? = nil
    ) throws(AudioFileError) {
        path = input.path
        let format = if let known { AudioFileFormat?.some(known) } else { try input.containerFormat() }
        self.format = format
        let input = try audioTrack == nil ? input : input.withRandomAccess()
        self.input = input
        let selection = try AudioTrackSelection(input, format, audioTrack)
        self.selection = selection
        if selection.isPCMSource {
            let found = format == .transportStream ? AudioFileFormat.mpegAudio : .ogg
            throw AudioFileError(.unsupportedInput(format: found), path: path)
        }
        source = try AudioFileError.attempt(input.path) { try Self.source(format, input, selection) }
        // Tags before and after a stream belong to the file.
        if case .stream = source { streamTags = AudioTags(reading: input) }
    }

    /// Opens the reader of a container, or of ADTS if the container is unknown.
    private static func source(_ format: AudioFileFormat?, _ input: FileInput, _ selection: AudioTrackSelection) throws -> Source {
        let known = format ?? .adts
        guard known.isReadable else { throw AudioFileError(.unsupportedInput(format: format), path: input.path) }
        let file = FileByteSource(input)
        // Streams are read sequentially. Of these, only Ogg can be seeked, by its granule positions.
        if let parser = parser(known, selection), known != .oggOpus || file == nil { return .stream(ReaderBox(parser)) }
        if let file { return try source(known, of: file, selection) }
        return try source(known, of: MemorySource(try input.readAll()), selection)
    }

    /// Creates the parser of the selected track of a stream, if the format is read sequentially.
    private static func parser(_ format: AudioFileFormat, _ selection: AudioTrackSelection) -> (any StreamParser)? {
        switch format {
        case .dab: DABParser()
        case .transportStream: TransportStreamParser(choice: selection.number == nil ? nil : selection.stream)
        case .oggOpus: OggOpusParser(audioTrack: selection.number)
        default: format.makeParser()
        }
    }

    /// Opens the reader of a container that is not read sequentially.
    private static func source(_ format: AudioFileFormat, of bytes: some ByteSource, _ selection: AudioTrackSelection) throws -> Source {
        if format == .adif { return .adif(try ADIFSource(RawBlockReader(adif: bytes))) }
        do {
            return .file(ReaderBox(try format.makeReader(of: bytes, audioTrack: selection.number)))
        } catch ContainerError.missingPart where format == .caf {
            guard let blocks = try RawBlockReader(caf: bytes) else { throw ContainerError.missingPart("pakt") }
            return .adif(try ADIFSource(blocks, isCut: true))
        }
    }

    /// The container's metadata.
    ///
    /// For ADTS and LOAS it consists of the surrounding tags.
    public var metadata: ContainerMetadata {
        var metadata = ContainerMetadata()
        if case .file(let file) = source { metadata = file.reader.metadata } else { metadata.tags = streamTags }
        if metadata.audioTracks.isEmpty { metadata.audioTracks = selection.tracks }
        return metadata
    }

    /// The former name of ``metadata``.
    @available(*, deprecated, renamed: "metadata")
    public var description: ContainerMetadata { metadata }

    /// Returns the next event, or `nil` at the end.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if a read fails, or at the end if all frames of a stream are unsupported.
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

    /// Returns the latest access unit's position in its superframe of DAB+, or `nil` for other formats.
    func superframePosition(of accessUnit: DemuxedAccessUnit) -> SuperframePosition? {
        guard format == .dab, case .stream(let stream) = source else { return nil }
        return (stream.reader as? DABParser)?.position(of: accessUnit)
    }

    /// Returns the next event of a stream, reading more bytes as needed.
    private func next(_ stream: ReaderBox<any StreamParser>) throws -> ReaderEvent? {
        while true {
            if let event = stream.reader.nextEvent() {
                if case .accessUnit = event { hasAccessUnits = true }
                refusal = refusal ?? event.refusal
                return event
            }
            if isStreamFinished, let refusal, !hasAccessUnits { throw refusal }
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

    /// Records the number of bytes that a decoder has read of the latest access unit, or `nil` for damage.
    ///
    /// In ADIF the next access unit starts there.
    package func recordDecoded(byteCount: Int?) {
        if case .adif(let adif) = source { adif.advance(by: byteCount) }
    }

    /// Whether ``seek(toFrame:)`` is supported.
    public var canSeek: Bool {
        if case .file = source { return true }
        return false
    }

    /// Moves to a sample frame.
    ///
    /// Requires ``canSeek``.
    ///
    /// - Parameter frame: A decoded sample frame, counted from the start of the first access unit, including priming.
    /// - Returns: The number of frames to discard after decoding the next access units.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
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

    /// Returns a new input of the same bytes, positioned at the start.
    ///
    /// Requires ``canReopen``.
    func openedAgain() throws(AudioFileError) -> FileInput {
        try AudioFileError.attempt(path) { try reopened() }
    }

    /// Returns the container that the next bytes identify, without consuming them.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``; ``/PCMFiles/AudioFileError/Code/foreignInput(_:)`` for a known but unsupported format.
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

    /// The maximum number of tags before a stream.
    private static let tagLimit = 4

    /// Returns `count` bytes that start `offset` bytes ahead, without consuming them; fewer only at the end.
    func front(_ count: Int, after offset: Int = 0) throws(AudioFileError) -> [UInt8] {
        try AudioFileError.attempt(path) {
            try offset + count > Self.peekLimit ? peek(count, after: offset) : Array(peek(offset + count).dropFirst(offset))
        }
    }
}
