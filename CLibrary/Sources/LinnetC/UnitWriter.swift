// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// The destination of a handle's units, in memory.
///
/// A class with subclasses, since Embedded Swift has no values of protocol type.
class UnitWriter {
    /// Adds a unit.
    func append(_ unit: AccessUnit) throws(ContainerError) {}

    /// Writes the end.
    func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {}

    /// Removes and returns the bytes written so far.
    func removeBytes() -> [UInt8] { [] }

    /// The number of access units in a fragment of M4A: about a second.
    private static let unitsPerFragment = 43

    /// Makes the writer of a format, as ``AudioFileFormat/makeWriter(to:_:options:)`` does.
    ///
    /// - Parameter priming: The decoded sample frames before the first valid one; fragmented M4A stores it.
    static func make(
        _ format: AudioFileFormat, _ configuration: AudioSpecificConfig, priming: Int
    ) throws(ContainerError) -> UnitWriter {
        let sink = MemorySink()
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

/// Units that are written into a container.
final class ContainerUnits<Writer: ContainerWriter>: UnitWriter where Writer.Sink == MemorySink {
    private var writer: Writer

    /// Makes the units of a writer.
    init(_ writer: Writer) { self.writer = writer }

    /// Adds a unit.
    override func append(_ unit: AccessUnit) throws(ContainerError) { try writer.append(unit) }

    /// Writes the end.
    override func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) { try writer.finish(gaplessInfo) }

    /// Removes and returns the bytes written so far.
    override func removeBytes() -> [UInt8] { writer.sink.removeBytes() }
}
