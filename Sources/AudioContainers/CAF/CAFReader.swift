// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// Reads the access units of a Core Audio Format file.
package struct CAFReader<Source: ByteSource>: ContainerReader {
    package let configuration: CodecConfiguration
    /// Gapless information, access unit count and tags.
    package let metadata: ContainerMetadata

    private var cursor: UnitCursor<Source>
    /// The audio data after the last packet, until it is reported.
    private var rest: Range<Int>?

    /// Opens a file and reads its index.
    ///
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` for unsupported codecs; other ``ContainerError``s for damaged files.
    package init(_ source: Source) throws(ContainerError) {
        let index = try CAFIndex(source)
        configuration = try index.configuration()
        guard let audioData = index.audioData else { throw .missingPart(CAFIndex.data) }
        var packets = try index.packets(framesPerUnit: configuration.framesPerUnit)
        if case .alac(let config) = configuration { try packets.measureLast(source, audioData, config) }
        if case .opus = configuration, !index.hasOpusDurations { try packets.measureOpus(source, audioData) }
        var table = SampleTable()
        table.append(offset: audioData.lowerBound, sizes: packets.sizes, durations: packets.durations, startTime: nil)
        cursor = UnitCursor(
            source, configuration: configuration, table: table, timescale: configuration.sampleRate, end: audioData.upperBound)
        // A false size moves all later packets.
        let end = audioData.lowerBound + packets.byteCount
        if end < audioData.upperBound { rest = end..<audioData.upperBound }
        var metadata = ContainerMetadata()
        metadata.accessUnitCount = table.count
        metadata.frameCount = cursor.frameCount
        metadata.tags = index.tags
        metadata.loudness = configuration.audioSpecificConfig?.usac?.loudness
        metadata.gaplessInfo = packets.gaplessInfo(totalFrames: cursor.frameCount)
        self.metadata = metadata
    }

    /// Reads the next event.
    ///
    /// Reports access units beyond the end of the audio data as skipped, and audio data after the last one.
    package mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        if let event = try cursor.nextEvent() { return event }
        return rest.take().map { .skipped(SkippedBytes(byteRange: $0, reason: .unrecognized)) }
    }

    package var canSeek: Bool { true }

    /// Seeks to the access unit that contains a decoded sample frame, counted at the output rate.
    package mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int { cursor.seek(toFrame: frame) }
}

extension CAFReader: Sequence, IteratorProtocol where Source == MemorySource {
    package mutating func next() -> DemuxedAccessUnit? { nextUnitInMemory() }
}
