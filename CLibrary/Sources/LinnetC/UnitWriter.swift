// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// A writer of access units.
///
/// A class with subclasses, because Embedded Swift has no existential values.
class UnitWriter {
    func append(_ unit: AccessUnit) throws(ContainerError) {}

    /// Finishes the output.
    func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {}

    /// Removes and returns the bytes written so far.
    func removeBytes() -> [UInt8] { [] }

    /// Access units per fragment of fragmented M4A: about one second.
    private static let unitsPerFragment = 43

    /// Creates a writer for a format, as ``AudioFileFormat/makeWriter(to:_:options:)`` does.
    ///
    /// - Parameter priming: The number of decoded sample frames before the first valid one. Fragmented M4A stores it.
    static func make(
        _ format: AudioFileFormat, to sink: LibrarySink, _ configuration: AudioSpecificConfig, priming: Int
    ) throws(ContainerError) -> UnitWriter {
        let layout: MP4WriterOptions.Layout
        switch format {
        case .adts: return ContainerUnits(try ADTSWriter(to: sink, configuration))
        case .loas: return ContainerUnits(try LOASWriter(to: sink, configuration))
        case .transportStream: return ContainerUnits(try TransportStreamWriter(to: sink, .aac(configuration)))
        case .caf: return ContainerUnits(try CAFWriter(to: sink, .aac(configuration)))
        case .m4a: layout = .indexAtEnd
        case .fragmentedM4A: layout = .fragmented(unitsPerFragment: unitsPerFragment, priming: priming)
        default: throw .formatNotWritable(format)
        }
        return ContainerUnits(
            try MP4Writer(to: sink, .aac(configuration), options: MP4WriterOptions(layout: layout, usesCoreTimescale: true)))
    }
}

final class ContainerUnits<Writer: ContainerWriter>: UnitWriter where Writer.Sink == LibrarySink {
    private var writer: Writer

    init(_ writer: Writer) { self.writer = writer }

    override func append(_ unit: AccessUnit) throws(ContainerError) { try writer.append(unit) }

    override func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        try writer.finish(gaplessInfo)
        try writer.sink.finish()
    }

    override func removeBytes() -> [UInt8] { writer.sink.removeBytes() }
}
