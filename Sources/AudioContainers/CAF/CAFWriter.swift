// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives
internal import MPEG4Audio

/// Writes a Core Audio Format file with the packet table after the audio data.
package struct CAFWriter<Sink: ByteSink>: ContainerWriter {
    package var sink: Sink

    private let configuration: CodecConfiguration
    private let tags: AudioTags
    /// Output sample frames per access unit, `nil` if variable.
    ///
    /// The last Apple Lossless packet can be shorter.
    private let framesPerUnit: Int?
    private var sizes: [UInt32] = []
    private var durations: [Int] = []
    /// Output sample frames of all access units, counting a shorter last one in full.
    private var frameCount = 0
    /// The number of sample frames missing from the last access unit.
    private var missingFrames = 0
    private var isStarted = false
    private var isFinished = false
    /// The offset of the data chunk's size in the sink.
    private var sizeOffset = 0
    private var descriptionOffset = 0

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - sink: The destination. It must support overwriting.
    ///   - tags: Title, artist and other tags. Cover art is not written.
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types without a `GASpecificConfig`,
    ///   ``ContainerError/codecNotStorable(_:in:)`` for Opus with more than two channels,
    ///   ``ContainerError/outputGainNotStorable(_:in:)``, and ``ContainerError/sinkCannotOverwrite``.
    package init(to sink: Sink, _ configuration: CodecConfiguration, tags: AudioTags = AudioTags()) throws(ContainerError) {
        guard sink.canOverwrite else { throw .sinkCannotOverwrite }
        try configuration.checkFrameLength()
        if case .opus(let opus) = configuration {
            guard opus.mapping.family == 0 else { throw .codecNotStorable(.opus, in: .caf) }
            guard opus.outputGain == 0 else { throw .outputGainNotStorable(opus.outputGain, in: .caf) }
        }
        self.sink = sink
        self.configuration = configuration
        self.tags = tags
        if case .alac(let config) = configuration {
            framesPerUnit = config.frameLength
        } else {
            framesPerUnit = configuration.framesPerUnit
        }
    }

    /// Writes an access unit.
    ///
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``,
    ///   ``ContainerError/wrongUnitLength(byteCount:expected:)`` for iLBC, or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) {
        precondition(!isFinished, "append after finish")
        try accessUnit.checkLength(limit: SampleTable.maximumUnitByteCount)
        if case .ilbc(let mode) = configuration { try mode.check(accessUnit) }
        try begin()
        try sink.append(accessUnit.payload)
        sizes.append(UInt32(accessUnit.payload.count))
        var duration = TimeRatio(configuration.sampleRate, Int(accessUnit.presentationTime.timescale)).applied(to: accessUnit.duration)
        // Another container may have shortened the last packet.
        if case .opus = configuration, let packet = try? OpusPacket(accessUnit.payload) { duration = packet.duration }
        if framesPerUnit == nil { durations.append(duration) }
        frameCount += framesPerUnit ?? duration
        if case .alac(let config) = configuration { missingFrames = max(0, config.frameLength - duration) }
    }

    /// Writes the packet table, the tags and the size of the data chunk.
    ///
    /// - Parameter gaplessInfo: Priming and padding in output sample frames. `nil` means none.
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        precondition(!isFinished, "finish after finish")
        try begin()
        isFinished = true
        let dataByteCount = sink.byteCount - sizeOffset - 8
        var back = BoxWriter()
        var info = gaplessInfo ?? GaplessInfo(primingFrames: 0, validFrames: frameCount - missingFrames, remainderFrames: 0)
        if missingFrames > 0 { info.remainderFrames = max(0, frameCount - info.primingFrames - info.validFrames) }
        let commonDuration = durations.first.flatMap { first in durations.allSatisfy { $0 == first } ? first : nil }
        if commonDuration != nil { durations = [] }
        if case .opus = configuration { info.remainderFrames = max(0, frameCount - info.primingFrames - info.validFrames) }
        Self.chunk(CAFPacketTable.type, &back) {
            CAFPacketTable(gaplessInfo: info, sizes: sizes, durations: durations)
                .write(to: &$0, listsSizes: description.bytesPerPacket == 0)
        }
        #if !hasFeature(Embedded)
        if !tags.isEmpty { Self.chunk(CAFIndex.information, &back) { $0.write(CAFInformation(tags: tags).serialized) } }
        #endif
        try sink.append(back.bytes)
        var size = BoxWriter()
        size.write(dataByteCount, 8)
        try sink.overwrite(size.bytes, at: sizeOffset)
        guard let commonDuration else { return }
        // A constant duration goes into the description, as in other programs' files.
        var changed = description
        changed.framesPerPacket = commonDuration
        var front = BoxWriter()
        changed.write(to: &front)
        try sink.overwrite(front.bytes, at: descriptionOffset)
    }

    /// Writes the chunks before the audio data, if not yet written.
    private mutating func begin() throws(ContainerError) {
        guard !isStarted else { return }
        var front = BoxWriter()
        front.write(CAFIndex.fileType)
        front.write(1, 2)
        front.write(0, 2)
        // Twelve bytes of chunk header.
        descriptionOffset = sink.byteCount + front.bytes.count + 12
        Self.chunk(CAFDescription.type, &front) { description.write(to: &$0) }
        if let tag = configuration.layoutTag {
            Self.chunk(CAFIndex.layout, &front) {
                $0.write(tag, 4)
                $0.write(0, 8)
            }
        }
        if let cookie = configuration.magicCookie { Self.chunk(CAFIndex.cookie, &front) { $0.write(cookie) } }
        // Size -1: the data chunk extends to the end of the file until `finish` sets the size.
        front.write(CAFIndex.data)
        sizeOffset = sink.byteCount + front.bytes.count
        front.write(-1, 8)
        front.write(0, CAFIndex.editCountByteCount)
        try sink.append(front.bytes)
        isStarted = true
    }

    private var description: CAFDescription {
        var description = CAFDescription(
            sampleRate: Double(configuration.sampleRate), formatID: configuration.formatID, framesPerPacket: framesPerUnit ?? 0,
            channelsPerFrame: configuration.channelCount ?? 2)
        // Without signalled SBR the flags are the object type, as in Core Audio.
        if case .aac(let config) = configuration, config.extensionConfig.hasSBR != true {
            description.formatFlags = config.objectType.rawValue
        }
        switch configuration {
        case .alac(let config):
            description.formatFlags = 1 + (ALACConfiguration.bitDepths.firstIndex(of: config.bitDepth) ?? 0)
            description.framesPerPacket = config.frameLength
        case .ilbc(let mode): description.bytesPerPacket = mode.bytesPerFrame
        case .aac, .opus: break
        }
        return description
    }

    private static func chunk(_ type: FourCharCode, _ writer: inout BoxWriter, _ body: (inout BoxWriter) -> Void) {
        writer.write(type)
        let start = writer.bytes.count
        writer.write(0, 8)
        body(&writer)
        writer.patch(writer.bytes.count - start - 8, 8, at: start)
    }
}

extension CAFWriter: Sendable where Sink: Sendable {}
