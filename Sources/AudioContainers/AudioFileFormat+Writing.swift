// SPDX-License-Identifier: Apache-2.0

// Embedded Swift does not support existential types.
#if !hasFeature(Embedded)
public import AudioMetadata
public import AudioPrimitives
public import MPEG4Audio

/// Options for all containers.
///
/// Each writer uses those that apply to its container.
public struct ContainerWriterOptions: Hashable, Sendable {
    /// Title, artist and other tags.
    public var tags = AudioTags()
    /// The number of sample frames before the first valid one, at the output rate.
    ///
    /// Fragmented M4A and Ogg store it at their start.
    public var priming = 0
    /// The number of access units, if known.
    ///
    /// M4A then stores its index at the start, up to 2^24 access units.
    public var expectedUnitCount: Int?
    /// ADTS options.
    public var adts = ADTSWriterOptions()
    /// The longest duration of a PES packet of MPEG-TS; `nil` selects the short one of live streams.
    package var packetDuration: Duration?
    /// Bytes to reserve for chapters that are known only at the end; used by Ogg Opus.
    package var reservedTagByteCount = 0

    /// Creates options with default values.
    public init() {}
}

extension AudioFileFormat {
    /// About one second of AAC-LC.
    private static let unitsPerFragment = 43

    /// Creates a writer, which owns the sink.
    ///
    /// M4A uses the core sample rate as media timescale, as in Apple's files. FFmpeg expects it for HE-AAC.
    ///
    /// - Throws: ``ContainerError`` if the format cannot store the configuration; ``ContainerError/sinkCannotOverwrite`` for M4A and CAF if
    ///   the sink does not support overwriting; ``ContainerError/formatNotWritable(_:)`` for DAB+ and formats that are not `isWritable`.
    public func makeWriter<Sink: ByteSink>(
        to sink: Sink, _ configuration: CodecConfiguration, options: ContainerWriterOptions = ContainerWriterOptions()
    ) throws(ContainerError) -> any ContainerWriter<Sink> {
        do { try configuration.audioSpecificConfig?.validate() } catch { throw .codec(error) }
        let layout: MP4WriterOptions.Layout
        switch self {
        case .adts: return try ADTSWriter(to: sink, try audioSpecificConfig(configuration), options: options.adts)
        case .loas: return try LOASWriter(to: sink, try audioSpecificConfig(configuration))
        case .transportStream:
            var packets = TransportStreamWriterOptions()
            if let duration = options.packetDuration { packets.packetDuration = duration }
            return try TransportStreamWriter(to: sink, configuration, options: packets)
        case .ilbc:
            guard case .ilbc(let mode) = configuration else { throw .codecNotStorable(configuration.formatID, in: self) }
            return ILBCWriter(to: sink, mode)
        case .caf: return try CAFWriter(to: sink, configuration, tags: options.tags)
        case .oggOpus:
            guard case .opus(let opus) = configuration else { throw .codecNotStorable(configuration.formatID, in: self) }
            var pages = OggOpusWriterOptions()
            pages.tags = options.tags
            pages.reservedTagByteCount = options.reservedTagByteCount
            if options.priming > 0 { pages.preSkip = options.priming }
            return OggOpusWriter(to: sink, opus, options: pages)
        case .m4a: layout = options.expectedUnitCount.map { .indexAtStart(expectedUnitCount: $0) } ?? .indexAtEnd
        case .fragmentedM4A: layout = .fragmented(unitsPerFragment: Self.unitsPerFragment, priming: options.priming)
        default: throw .formatNotWritable(self)
        }
        return try MP4Writer(
            to: sink, configuration, options: MP4WriterOptions(layout: layout, tags: options.tags, usesCoreTimescale: true))
    }

    /// Creates a writer for AAC, which owns the sink.
    ///
    /// - Throws: The errors of ``makeWriter(to:_:options:)-(_,CodecConfiguration,_)``.
    public func makeWriter<Sink: ByteSink>(
        to sink: Sink, _ configuration: AudioSpecificConfig, options: ContainerWriterOptions = ContainerWriterOptions()
    ) throws(ContainerError) -> any ContainerWriter<Sink> {
        try makeWriter(to: sink, .aac(configuration), options: options)
    }
}
#endif
