// SPDX-License-Identifier: Apache-2.0

// Embedded Swift does not support existential types.
#if !hasFeature(Embedded)
public import AudioPrimitives

extension AudioFileFormat {
    /// Creates a parser for a stream that arrives in chunks, or returns `nil` if the format cannot be parsed that way.
    public func makeParser() -> (any StreamParser)? {
        switch self {
        case .adts: ADTSParser()
        case .loas: LOASParser()
        case .transportStream: TransportStreamParser()
        case .ilbc: ILBCParser()
        case .oggOpus: OggOpusParser()
        default: nil
        }
    }

    /// Creates a reader at the first access unit, which owns the source.
    ///
    /// - Throws: ``ContainerError`` if the file is damaged or has no supported codec; ``ContainerError/formatNotReadable(_:)`` for DAB+,
    ///   ADIF and formats that are not ``/AudioPrimitives/AudioFileFormat/isReadable``.
    public func makeReader(of source: some ByteSource) throws(ContainerError) -> any ContainerReader {
        try makeReader(of: source, audioTrack: nil)
    }

    /// Creates a reader of an audio track, numbered from 1, or of the default one.
    package func makeReader(of source: some ByteSource, audioTrack number: Int?) throws(ContainerError) -> any ContainerReader {
        switch self {
        case .adts: return try ADTSReader(source)
        case .loas: return try LOASReader(source)
        case .transportStream: return try TransportStreamReader(source)
        case .ilbc: return try ILBCReader(source)
        case .m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime: return try MP4Reader(source, audioTrack: number)
        case .caf: return try CAFReader(source)
        case .oggOpus: return try OggOpusReader(source, audioTrack: number)
        case .matroska: return try MatroskaReader(source, audioTrack: number)
        default: throw .formatNotReadable(self)
        }
    }
}
#endif
