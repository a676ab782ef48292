// SPDX-License-Identifier: Apache-2.0

// Embedded Swift has no values of protocol type.
#if !hasFeature(Embedded)
public import AudioMetadata
public import AudioPrimitives
public import MPEG4Audio

/// Options for any container; each writer uses those that its container has.
public struct ContainerWriterOptions: Hashable, Sendable {
    /// Title, artist and so on.
    public var tags = AudioTags()
    /// Sample frames of the output rate before the first valid one; fragmented M4A and Ogg store it at their start.
    public var priming = 0
    /// The number of access units if it is known; M4A then has its index at the start.
    public var expectedUnitCount: Int?
    /// MPEG-2 headers and checksums of ADTS.
    public var adts = ADTSWriterOptions()
    /// The longest duration of a PES packet of MPEG-TS; `nil` selects the short one of live streams.
    package var packetDuration: Duration?

    /// Creates options with default values.
    public init() {}
}

extension AudioFileFormat {
    /// The number of access units in a fragment: about a second of AAC-LC.
    private static let unitsPerFragment = 43

    /// Creates a writer for the format.
    ///
    /// The media timescale of M4A is the sample rate of the core, as in Apple's files: FFmpeg expects it for HE-AAC.
    ///
    /// - Parameters:
    ///   - sink: The destination of the bytes.
    ///   - configuration: The configuration of the stream.
    ///   - options: Tags and other options.
    /// - Returns: The writer, which owns the sink.
    /// - Throws: ``ContainerError`` for configurations that the format can't hold, ``ContainerError/sinkCannotOverwrite`` for
    ///   M4A and CAF if the sink can't overwrite, and ``ContainerError/formatNotWritable(_:)`` unless `isWritable`,
    ///   and for DAB+.
    public func makeWriter<Sink: ByteSink>(
        to sink: Sink, _ configuration: CodecConfiguration, options: ContainerWriterOptions = ContainerWriterOptions()
    ) throws(ContainerError) -> any ContainerWriter<Sink> {
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
            if options.priming > 0 { pages.preSkip = options.priming }
            return OggOpusWriter(to: sink, opus, options: pages)
        case .m4a: layout = options.expectedUnitCount.map { .indexAtStart(expectedUnitCount: $0) } ?? .indexAtEnd
        case .fragmentedM4A: layout = .fragmented(unitsPerFragment: Self.unitsPerFragment, priming: options.priming)
        default: throw .formatNotWritable(self)
        }
        return try MP4Writer(
            to: sink, configuration, options: MP4WriterOptions(layout: layout, tags: options.tags, usesCoreTimescale: true))
    }

    /// Creates a writer of AAC for the format.
    ///
    /// - Parameters:
    ///   - sink: The destination of the bytes.
    ///   - configuration: The configuration of the stream.
    ///   - options: Tags and other options.
    /// - Returns: The writer, which owns the sink.
    /// - Throws: ``ContainerError`` as for other configurations.
    public func makeWriter<Sink: ByteSink>(
        to sink: Sink, _ configuration: AudioSpecificConfig, options: ContainerWriterOptions = ContainerWriterOptions()
    ) throws(ContainerError) -> any ContainerWriter<Sink> {
        try makeWriter(to: sink, .aac(configuration), options: options)
    }
}
#endif
