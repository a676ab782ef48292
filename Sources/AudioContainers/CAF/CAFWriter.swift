// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// Writes access units into a Core Audio Format file, with a packet table behind the sound.
public struct CAFWriter: AudioWriter {
    /// Apple's numbers for the layouts of the channel configurations, in the order of AAC (`kAudioChannelLayoutTag_…`).
    private static let layoutTags: [Int: Int] = [
        1: 100 << 16 | 1, 2: 101 << 16 | 2, 3: 114 << 16 | 3, 4: 116 << 16 | 4, 5: 120 << 16 | 5, 6: 124 << 16 | 6, 7: 127 << 16 | 8,
    ]

    private let configuration: AudioSpecificConfig
    private let tags: AudioTags
    private let framesPerUnit: Int
    private var sizes: [UInt32] = []
    private var isStarted = false
    private var isFinished = false
    /// The place in the sink of the length of the sound.
    private var lengthPlace = 0

    /// Makes a writer; a cover is left out.
    ///
    /// Throws ``ContainerError/unsupportedObjectType(_:allowed:)`` for types known by name only.
    public init(_ configuration: AudioSpecificConfig, tags: AudioTags = AudioTags()) throws(ContainerError) {
        guard let frameLength = configuration.frameLength else {
            throw .unsupportedObjectType(configuration.objectType, allowed: [.aacMain, .aacLC, .aacLTP, .errorResilientAACLD])
        }
        self.configuration = configuration
        self.tags = tags
        framesPerUnit = frameLength * (configuration.outputSampleRate > configuration.sampleRate ? 2 : 1)
    }

    /// Writes a unit; the sink has to allow changes.
    public mutating func append(_ unit: AccessUnit, to sink: inout some ByteSink) throws(ContainerError) {
        precondition(!isFinished, "a unit after the end")
        guard !unit.payload.isEmpty else { throw .emptyAccessUnit }
        guard unit.payload.count <= MP4Writer.maximumUnitByteCount else {
            throw .accessUnitTooLong(byteCount: unit.payload.count, limit: MP4Writer.maximumUnitByteCount)
        }
        try begin(&sink)
        try sink.append(unit.payload)
        sizes.append(UInt32(unit.payload.count))
    }

    /// Writes the packet table and the tags.
    ///
    /// Nothing can be appended afterwards.
    public mutating func finish(_ gaplessInfo: GaplessInfo?, to sink: inout some ByteSink) throws(ContainerError) {
        precondition(!isFinished, "an end after the end")
        try begin(&sink)
        isFinished = true
        let soundByteCount = sink.byteCount - lengthPlace - 8
        var back = BoxWriter()
        let unsaid = GaplessInfo(primingFrames: 0, validFrames: sizes.count * framesPerUnit, remainderFrames: 0)
        Self.chunk(CAFPacketTable.type, &back) { CAFPacketTable(gaplessInfo: gaplessInfo ?? unsaid, sizes: sizes).write(to: &$0) }
        if !tags.isEmpty { Self.chunk(CAFInformation.type, &back) { CAFInformation(tags: tags).write(to: &$0) } }
        try sink.append(back.bytes)
        var length = BoxWriter()
        length.write(soundByteCount, 8)
        try sink.overwrite(length.bytes, at: lengthPlace)
    }

    private mutating func begin(_ sink: inout some ByteSink) throws(ContainerError) {
        guard !isStarted else { return }
        guard sink.canOverwrite else { throw .sinkCannotOverwrite }
        var front = BoxWriter()
        front.write(CAFIndex.fileType)
        front.write(1, 2)
        front.write(0, 2)
        Self.chunk(CAFDescription.type, &front) { description.write(to: &$0) }
        if let tag = Self.layoutTags[configuration.channelConfiguration?.rawValue ?? 0], !hasParametricStereo {
            Self.chunk(CAFIndex.layout, &front) {
                $0.write(tag, 4)
                $0.write(0, 8)
            }
        }
        Self.chunk(CAFIndex.cookie, &front) {
            ESDescriptorBox(audioSpecificConfig: configuration.serialized()).writeDescriptors(to: &$0)
        }
        // Until the end is known, the sound goes as far as the file.
        front.write(CAFIndex.data)
        lengthPlace = sink.byteCount + front.bytes.count
        front.write(-1, 8)
        front.write(0, CAFIndex.editCountByteCount)
        try sink.append(front.bytes)
        isStarted = true
    }

    private var hasParametricStereo: Bool { configuration.extensionConfig.hasParametricStereo == true }

    private var description: CAFDescription {
        let hasReplication = configuration.extensionConfig.hasSBR == true
        let isLowDelay = configuration.objectType == .errorResilientAACLD
        var description = CAFDescription(
            sampleRate: Double(configuration.outputSampleRate),
            formatID: isLowDelay ? "aacl" : hasParametricStereo ? "aacp" : hasReplication ? "aach" : "aac ",
            framesPerPacket: framesPerUnit, channelsPerFrame: hasParametricStereo ? 2 : configuration.channelCount ?? 2)
        // Plain AAC says its object type here, as Core Audio does.
        if !hasReplication { description.formatFlags = configuration.objectType.rawValue }
        return description
    }

    private static func chunk(_ type: FourCharCode, _ writer: inout BoxWriter, _ body: (inout BoxWriter) -> Void) {
        writer.write(type)
        let place = writer.bytes.count
        writer.write(0, 8)
        body(&writer)
        writer.patch(writer.bytes.count - place - 8, 8, at: place)
    }
}
