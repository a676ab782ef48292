// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
public import MPEG4Audio

/// Reads AAC from a Core Audio Format file.
public struct CAFReader<Source: ByteSource>: ContainerReader {
    /// The configuration of all access units.
    public let configuration: AudioSpecificConfig
    /// Gapless information, number of access units, tags.
    public let metadata: ContainerMetadata

    private var cursor: UnitCursor<Source>

    /// Opens a file and reads its index.
    ///
    /// - Parameter source: The bytes of the file.
    /// - Throws: ``ContainerError/noAACAudio(found:)`` for other codecs, and other ``ContainerError``s for damaged files.
    public init(_ source: Source) throws(ContainerError) {
        let index = try CAFIndex(source)
        guard let format = index.description else { throw .missingPart(CAFDescription.type) }
        guard CAFDescription.aacFormats.contains(format.formatID) else { throw .noAACAudio(found: format.formatID) }
        configuration = try index.configuration()
        guard let audioData = index.audioData else { throw .missingPart(CAFIndex.data) }
        guard let packets = index.packetTable else { throw .missingPart(CAFPacketTable.type) }
        let rate = configuration.outputSampleRate
        let isDoubled = rate > configuration.sampleRate
        let unsaid = (configuration.frameLength ?? format.framesPerPacket) * (isDoubled ? 2 : 1)
        let durations = packets.durations.isEmpty ? [Int](repeating: unsaid, count: packets.sizes.count) : packets.durations
        var table = SampleTable()
        table.append(offset: audioData.lowerBound, sizes: packets.sizes, durations: durations, startTime: nil)
        cursor = UnitCursor(source, configuration: configuration, table: table, timescale: rate)
        var metadata = ContainerMetadata()
        metadata.accessUnitCount = table.count
        metadata.tags = index.tags
        // If the cookie doesn't signal SBR, the table still counts frames of its output.
        let scale = format.framesPerPacket == 2 * cursor.framesPerUnit ? 2 : 1
        metadata.gaplessInfo = Self.checked(packets.gaplessInfo, scale, totalFrames: table.count * cursor.framesPerUnit)
        self.metadata = metadata
    }

    /// Returns the gapless information of the packet table; nil if it contradicts the number of frames.
    private static func checked(_ info: GaplessInfo, _ scale: Int, totalFrames: Int) -> GaplessInfo? {
        let priming = info.primingFrames / scale
        let valid = info.validFrames / scale
        guard priming >= 0, valid > 0, priming < totalFrames, valid <= totalFrames - priming else { return nil }
        return GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: totalFrames - priming - valid)
    }

    /// Reads the next event; an access unit outside the file is reported as skipped.
    public mutating func nextEvent() throws(ContainerError) -> ReaderEvent? { try cursor.nextEvent() }

    /// True: the index has the offset of every access unit.
    public var canSeek: Bool { true }

    /// Moves to the access unit that holds a decoded sample frame of the output rate.
    public mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int { cursor.seek(toFrame: frame) }
}

extension CAFReader: Sequence, IteratorProtocol where Source == MemorySource {
    /// Returns the next access unit; nil at the end.
    public mutating func next() -> CodedUnit? { nextUnitInMemory() }
}
