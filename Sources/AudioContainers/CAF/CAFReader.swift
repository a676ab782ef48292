// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Reads the access units of a Core Audio Format file.
public struct CAFReader<Source: ByteSource>: ContainerReader {
    /// The configuration of all access units.
    public let configuration: CodecConfiguration
    /// Gapless information, number of access units, tags.
    public let metadata: ContainerMetadata

    private var cursor: UnitCursor<Source>

    /// Opens a file and reads its index.
    ///
    /// - Parameter source: The bytes of the file.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` for other codecs, and other ``ContainerError``s for damaged files.
    public init(_ source: Source) throws(ContainerError) {
        let index = try CAFIndex(source)
        guard let format = index.description else { throw .missingPart(CAFDescription.type) }
        guard CAFDescription.aacFormats.contains(format.formatID) else { throw .unsupportedCodec(format.formatID) }
        configuration = .aac(try index.audioSpecificConfig())
        guard let audioData = index.audioData else { throw .missingPart(CAFIndex.data) }
        guard let packets = index.packetTable else { throw .missingPart(CAFPacketTable.type) }
        let framesPerUnit = configuration.framesPerUnit ?? format.framesPerPacket
        let durations = packets.durations.isEmpty ? [Int](repeating: framesPerUnit, count: packets.sizes.count) : packets.durations
        var table = SampleTable()
        table.append(offset: audioData.lowerBound, sizes: packets.sizes, durations: durations, startTime: nil)
        cursor = UnitCursor(source, configuration: configuration, table: table, timescale: configuration.sampleRate)
        var metadata = ContainerMetadata()
        metadata.accessUnitCount = table.count
        metadata.tags = index.tags
        // If the cookie doesn't signal SBR, the table still counts frames of its output.
        let scale = format.framesPerPacket == 2 * framesPerUnit ? 2 : 1
        metadata.gaplessInfo = Self.checked(packets.gaplessInfo, scale, totalFrames: cursor.frameCount)
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
