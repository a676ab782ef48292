// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
public import CLinnet
internal import MPEG4Audio

/// Where the access units of a handle come from.
///
/// A class with subclasses, since Embedded Swift has no values of protocol type.
class UnitSource {
    /// The configuration of the latest unit; of a file also before the first one.
    var configuration: AudioSpecificConfig? { nil }

    /// The properties that a file stores beside the units; `nil` for a stream.
    var metadata: ContainerMetadata? { nil }

    /// Appends the bytes of a stream, or ends it; returns whether it is a stream.
    func append(_ bytes: [UInt8]) -> Bool { false }

    /// Reads the next unit; `nil` at the end, or if a stream needs more bytes.
    func nextUnit() throws(ContainerError) -> CodedUnit? { nil }

    /// Goes to a decoded sample frame; returns how many to drop.
    func seek(toFrame frame: Int) throws(ContainerError) -> Int { throw .notSeekable }

    /// Opens the reader of a format.
    ///
    /// - Throws: ``ContainerError``; for formats without a reader it is that there is no AAC.
    static func open(_ source: LibrarySource, format: AudioFileFormat) throws(ContainerError) -> UnitSource {
        switch format {
        case .adts: return FileUnits(try ADTSReader(source))
        case .loas: return FileUnits(try LOASReader(source))
        case .transportStream: return FileUnits(try TransportStreamReader(source))
        case .caf: return FileUnits(try CAFReader(source))
        case _ where format.isMP4: return FileUnits(try MP4Reader(source))
        default: throw .unsupportedCodec(nil)
        }
    }

    /// Makes the parser of a stream; `nil` for formats that are no streams.
    static func stream(format: Int) -> UnitSource? {
        switch format {
        case LINNET_FORMAT_ADTS: StreamUnits<ADTSParser>()
        case LINNET_FORMAT_LOAS: StreamUnits<LOASParser>()
        case LINNET_FORMAT_TRANSPORT_STREAM: StreamUnits<TransportStreamParser>()
        default: nil
        }
    }
}

/// The units of a file, or of bytes in memory.
final class FileUnits<Reader: ContainerReader>: UnitSource {
    private var reader: Reader

    /// Makes the units of a reader.
    init(_ reader: Reader) { self.reader = reader }

    /// The configuration of the latest unit, or the first.
    override var configuration: AudioSpecificConfig? { reader.configuration.audioSpecificConfig }

    /// The properties beside the units.
    override var metadata: ContainerMetadata? { reader.metadata }

    /// Reads the next unit; `nil` at the end.
    override func nextUnit() throws(ContainerError) -> CodedUnit? { try reader.nextUnit() }

    /// Goes to a decoded sample frame; returns how many to drop.
    override func seek(toFrame frame: Int) throws(ContainerError) -> Int { try reader.seek(toFrame: frame) }
}

/// The units of a stream whose bytes come later.
final class StreamUnits<Parser: StreamParser>: UnitSource {
    private var parser = Parser()

    /// The configuration of the latest unit; `nil` before the first one.
    override var configuration: AudioSpecificConfig? { parser.configuration?.audioSpecificConfig }

    /// Appends the bytes of the stream; none end it.
    override func append(_ bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { parser.finish() } else { parser.append(bytes) }
        return true
    }

    /// Returns the next unit; `nil` if more bytes are needed or at the end.
    override func nextUnit() throws(ContainerError) -> CodedUnit? {
        while let event = parser.nextEvent() {
            if case .accessUnit(let unit) = event { return unit }
        }
        return nil
    }
}
