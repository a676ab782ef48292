// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
public import CLinnet
internal import MPEG4Audio

/// A source of access units.
///
/// A class with subclasses, because Embedded Swift has no existential values.
class UnitSource {
    /// The configuration of the current access unit, for files also before the first one.
    var configuration: AudioSpecificConfig? { nil }

    #if LINNET_FILES
    /// The configuration of the current access unit for any codec, or `nil` for a stream.
    var codecConfiguration: CodecConfiguration? { nil }

    /// Whether ``seek(toFrame:)`` is supported.
    var canSeek: Bool { false }

    /// The positions of skipped parts in the file and the number of their bytes, not counting tags.
    final var skipped = (positions: PositionSet(), byteCount: 0)

    /// Determines the number of access units missing before the next one.
    final var loss = UnitLoss()
    #endif

    /// The metadata that a file stores; `nil` for a stream.
    var metadata: ContainerMetadata? { nil }

    /// Appends bytes to a stream, or ends it.
    ///
    /// Returns whether the source is a stream.
    func append(_ bytes: [UInt8]) -> Bool { false }

    /// Reads the next access unit; `nil` at the end, or if a stream needs more bytes.
    func nextUnit() throws(ContainerError) -> DemuxedAccessUnit? { nil }

    /// Seeks to a decoded sample frame.
    ///
    /// Returns how many frames to discard after it.
    func seek(toFrame frame: Int) throws(ContainerError) -> Int { throw .notSeekable }

    /// Opens a reader for a format.
    ///
    /// - Throws: ``ContainerError``. Formats without a reader throw the error for missing AAC audio.
    static func open(_ source: LibrarySource, format: AudioFileFormat) throws(ContainerError) -> UnitSource {
        switch format {
        case .adts: return FileUnits(try ADTSReader(source))
        case .loas: return FileUnits(try LOASReader(source))
        case .transportStream: return FileUnits(try TransportStreamReader(source))
        case .caf: return FileUnits(try CAFReader(source))
        #if LINNET_FILES
        case .matroska: return FileUnits(try MatroskaReader(source))
        #endif
        case _ where format.isMP4: return FileUnits(try MP4Reader(source))
        default: throw .unsupportedCodec(nil)
        }
    }

    /// Creates a stream parser; `nil` for formats that cannot be streamed.
    static func stream(format: Int) -> UnitSource? {
        switch format {
        case LINNET_FORMAT_ADTS: StreamUnits<ADTSParser>()
        case LINNET_FORMAT_LOAS: StreamUnits<LOASParser>()
        case LINNET_FORMAT_TRANSPORT_STREAM: StreamUnits<TransportStreamParser>()
        default: nil
        }
    }
}

/// The access units of a file or of bytes in memory.
final class FileUnits<Reader: ContainerReader>: UnitSource {
    private var reader: Reader

    init(_ reader: Reader) { self.reader = reader }

    override var configuration: AudioSpecificConfig? { reader.configuration.audioSpecificConfig }

    override var metadata: ContainerMetadata? { reader.metadata }

    #if LINNET_FILES
    override var codecConfiguration: CodecConfiguration? { reader.configuration }

    override var canSeek: Bool { reader.canSeek }

    override func nextUnit() throws(ContainerError) -> DemuxedAccessUnit? {
        while let event = try reader.nextEvent() {
            switch event {
            case .accessUnit(let unit): return unit
            case .skipped(let part):
                loss.record(part)
                guard part.isDamage, part.missingUnitCount == 0, skipped.positions.insert(part.byteRange.lowerBound) else { continue }
                skipped.byteCount += max(1, part.byteRange.count)
            case .configuration: loss = UnitLoss()
            }
        }
        return nil
    }
    #else
    override func nextUnit() throws(ContainerError) -> DemuxedAccessUnit? { try reader.nextUnit() }
    #endif

    override func seek(toFrame frame: Int) throws(ContainerError) -> Int { try reader.seek(toFrame: frame) }
}

/// The access units of a stream whose bytes are appended later.
final class StreamUnits<Parser: StreamParser>: UnitSource {
    private var parser = Parser()

    override var configuration: AudioSpecificConfig? { parser.configuration?.audioSpecificConfig }

    override func append(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { parser.finish() } else { parser.append(bytes) }
        return true
    }

    override func nextUnit() throws(ContainerError) -> DemuxedAccessUnit? {
        while let event = parser.nextEvent() {
            if case .accessUnit(let unit) = event { return unit }
        }
        return nil
    }
}
