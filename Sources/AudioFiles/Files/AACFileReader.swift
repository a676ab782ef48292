// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
internal import MPEG4Audio

/// Reads the access units of a file, whatever its container.
///
/// What the container is follows from its first bytes. ADTS and LOAS are read as they come, from pipes too; other containers from a pipe are
/// kept in memory whole.
public final class AACFileReader {
    /// The name of the file; `standard input` for `-`.
    public let path: String

    /// The container; nil if the first bytes do not tell.
    public let format: ContainerFormat?

    /// Bytes of the file; of a pipe those that have come so far.
    public var byteCount: Int { input.byteCount }

    private let input: InputFile
    private var source: Source
    private var isStreamFinished = false

    private enum Source {
        case stream(any StreamParser, InputFile)
        case file(any ContainerReader)
        case adif(ADIFSource)
        /// While a reader is changed: a second reference would make it copy all its bytes.
        case inUse
    }

    private static let chunkSize = 65_536

    /// Opens a file; `-` is standard input.
    ///
    /// `read` is what has been read of standard input already. Throws ``InputError`` if the file can't be read and ``CodedFileError`` if
    /// it is no container of AAC.
    public init(path: String, read: [UInt8] = []) throws {
        let input = try InputFile(path: path, head: read)
        self.input = input
        self.path = input.path
        var head: [UInt8] = []
        while head.count < ContainerProbe.byteCount {
            let bytes = try input.read(ContainerProbe.byteCount - head.count)
            if bytes.isEmpty { break }
            head += bytes
        }
        let format = ContainerProbe.format(of: head, isWhole: head.count < ContainerProbe.byteCount)
        self.format = format
        do {
            source = try Self.source(format, path: path, input: input, head: head)
        } catch let error as ContainerError {
            throw CodedFileError.container(path: input.path, error)
        }
    }

    private static func source(_ format: ContainerFormat?, path: String, input: InputFile, head: [UInt8]) throws -> Source {
        switch format {
        case .adts, nil:
            var reader = ADTSParser()
            reader.append(head)
            return .stream(reader, input)
        case .loas:
            var reader = LOASParser()
            reader.append(head)
            return .stream(reader, input)
        case .m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime:
            if let file = FileByteSource(path: path) { return .file(try MP4Reader(file)) }
            return .file(try MP4Reader(MemorySource(try rest(of: input, head: head))))
        case .caf:
            if let file = FileByteSource(path: path) { return .file(try CAFReader(file)) }
            return .file(try CAFReader(MemorySource(try rest(of: input, head: head))))
        case .adif:
            if let file = FileByteSource(path: path) { return .adif(try ADIFSource(ADIFReader(file))) }
            return .adif(try ADIFSource(ADIFReader(MemorySource(try rest(of: input, head: head)))))
        default: throw CodedFileError.unsuitableFormat(path: input.path, format: format)
        }
    }

    private static func rest(of input: InputFile, head: [UInt8]) throws -> [UInt8] {
        var bytes = head
        while true {
            let more = try input.read(chunkSize)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    /// What the file says about its sound; empty for streams.
    public var description: ContainerMetadata {
        if case .file(let reader) = source { return reader.metadata }
        return ContainerMetadata()
    }

    /// The next event; nil at the end.
    public func next() throws -> ReaderEvent? {
        do {
            let current = source
            source = .inUse
            switch consume current {
            case .stream(let reader, let input): return try next(reader, input)
            case .file(var reader):
                defer { source = .file(reader) }
                return try reader.nextEvent()
            case .adif(let adif):
                source = .adif(adif)
                return try adif.next()
            case .inUse: return nil
            }
        } catch let error as ContainerError {
            throw CodedFileError.container(path: path, error)
        }
    }

    private func next(_ current: consuming any StreamParser, _ input: InputFile) throws -> ReaderEvent? {
        var reader = current
        defer { source = .stream(reader, input) }
        while true {
            if let event = reader.nextEvent() { return event }
            if isStreamFinished { return nil }
            let bytes = try input.read(Self.chunkSize)
            if bytes.isEmpty {
                reader.finish()
                isStreamFinished = true
            } else {
                reader.append(bytes)
            }
        }
    }

    /// Says how many bytes of the last unit a decoder has read, nil for damage: in ADIF the next one begins there.
    public func recordDecoded(byteCount: Int?) {
        if case .adif(let adif) = source { adif.advance(by: byteCount) }
    }

    /// Whether ``seek(toFrame:)`` works.
    public var canSeek: Bool {
        if case .file = source { return true }
        return false
    }

    /// Goes to a sample frame, only if ``canSeek``.
    ///
    /// See ``/AudioContainers/ContainerReader/seek(toFrame:)``.
    public func seek(toFrame frame: Int) throws -> Int {
        guard case .file(var reader) = source else { return frame }
        defer { source = .file(reader) }
        do {
            return try reader.seek(toFrame: frame)
        } catch {
            throw CodedFileError.container(path: path, error)
        }
    }
}
