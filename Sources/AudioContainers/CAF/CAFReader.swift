// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// Reads the access units of a Core Audio Format file.
package struct CAFReader<Source: ByteSource>: ContainerReader {
    /// The configuration of all access units.
    package let configuration: CodecConfiguration
    /// Gapless information, number of access units, tags.
    package let metadata: ContainerMetadata

    private var cursor: UnitCursor<Source>

    /// Opens a file and reads its index.
    ///
    /// - Parameter source: The bytes of the file.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` for other codecs, and other ``ContainerError``s for damaged files.
    package init(_ source: Source) throws(ContainerError) {
        let index = try CAFIndex(source)
        configuration = try index.configuration()
        guard let audioData = index.audioData else { throw .missingPart(CAFIndex.data) }
        var packets = try index.packets(framesPerUnit: configuration.framesPerUnit)
        if case .alac(let config) = configuration { try packets.measureLast(source, audioData, config) }
        if case .opus = configuration, !index.hasOpusDurations { try packets.measureOpus(source, audioData) }
        var table = SampleTable()
        table.append(offset: audioData.lowerBound, sizes: packets.sizes, durations: packets.durations, startTime: nil)
        cursor = UnitCursor(source, configuration: configuration, table: table, timescale: configuration.sampleRate)
        var metadata = ContainerMetadata()
        metadata.accessUnitCount = table.count
        metadata.tags = index.tags
        metadata.loudness = configuration.audioSpecificConfig?.usac?.loudness
        metadata.gaplessInfo = packets.gaplessInfo(totalFrames: cursor.frameCount)
        self.metadata = metadata
    }

    /// Reads the next event; an access unit outside the file is reported as skipped.
    package mutating func nextEvent() throws(ContainerError) -> ReaderEvent? { try cursor.nextEvent() }

    /// True: the index has the offset of every access unit.
    package var canSeek: Bool { true }

    /// Moves to the access unit that holds a decoded sample frame of the output rate.
    package mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int { cursor.seek(toFrame: frame) }
}

extension CAFReader: Sequence, IteratorProtocol where Source == MemorySource {
    /// Returns the next access unit; nil at the end.
    package mutating func next() -> CodedUnit? { nextUnitInMemory() }
}
