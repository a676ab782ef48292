// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// Reads the first AAC track of an MP4 file or its kin: M4A, 3GP, QuickTime, fragmented or not.
///
/// Only the index is kept in memory. Lengths and counts in the file are checked against its size before they are used.
public struct MP4Reader<Source: ByteSource>: AudioReader {
    /// Units to start before the wanted one, so that the overlap of its windows is right.
    private static var plainPreroll: Int { 1 }
    /// The same with SBR, whose header and envelopes build on earlier ones.
    private static var replicationPreroll: Int { 16 }
    /// More than any AAC unit has.
    private static var largestUnit: Int { 1 << 20 }

    /// The configuration of all units.
    public let configuration: AudioSpecificConfig
    /// Gapless account, number of units, tags.
    public let description: FileDescription
    /// Ticks a second of the times of the units.
    public let timescale: Int
    /// The brand of the file.
    public let brand: FourCharCode?

    private var input: ReadAhead<Source>
    private let table: SampleTable
    private let framesPerUnit: Int
    private var isAnnounced = false
    private var nextUnit = 0
    private var nextOffset = 0

    /// Opens a file and reads its index.
    ///
    /// Throws ``ContainerError`` if there is no movie, no AAC in it, or the index is damaged.
    public init(_ source: Source) throws(ContainerError) {
        let index = try MP4Index(source)
        let (track, entry) = try Self.audioTrack(of: index.movie)
        configuration = try Self.configuration(of: entry)
        let outputRate = configuration.outputSampleRate
        let timescale = track.media.header.timescale
        // A scale of 0 or beyond all sense: sample frames are as good a guess as any.
        self.timescale = (1...Int(Int32.max)).contains(timescale) ? timescale : outputRate
        brand = index.fileType?.majorBrand
        table = index.sampleTable(of: track, byteCount: source.byteCount)
        let isDoubled = configuration.extensionConfig.hasSBR == true && outputRate > configuration.sampleRate
        // Of types known by name only, the time tells.
        let unsaid = table.count > 0 ? TimeRatio(configuration.sampleRate, self.timescale).applied(to: table.time(of: 0).duration) : 1024
        framesPerUnit = max(1, configuration.frameLength ?? unsaid) * (isDoubled ? 2 : 1)
        var description = FileDescription()
        description.accessUnitCount = table.count
        description.tags = index.movie.userData?.tags ?? AudioTags()
        description.gaplessInfo =
            GaplessMetadata(
                editList: track.editList, movieTimescale: index.movie.header.timescale, mediaTimescale: self.timescale,
                mediaDuration: table.duration, unitCount: table.count, framesPerUnit: framesPerUnit, sampleRate: outputRate,
                iTunes: index.movie.userData?.gapless, encoder: description.tags.encoder
            ).info
        self.description = description
        input = ReadAhead(source)
    }

    private static func audioTrack(of movie: MovieBox) throws(ContainerError) -> (TrackBox, AudioSampleEntry) {
        for track in movie.tracks where track.media.isSound {
            if let entry = track.media.information.sampleTable.description.entry, entry.descriptor?.isAAC ?? true {
                return (track, entry)
            }
        }
        let sound = movie.tracks.first { $0.media.isSound }
        throw .noAACAudio(found: sound?.media.information.sampleTable.description.firstType)
    }

    private static func configuration(of entry: AudioSampleEntry) throws(ContainerError) -> AudioSpecificConfig {
        guard let descriptor = entry.descriptor else { throw .missingPart(ESDescriptorBox.type) }
        do {
            return try AudioSpecificConfig(parsing: descriptor.audioSpecificConfig)
        } catch {
            throw .configuration(error)
        }
    }

    /// The next event; nil at the end.
    ///
    /// A unit outside the file is reported as skipped.
    public mutating func next() throws(ContainerError) -> ReaderEvent? {
        guard isAnnounced else {
            isAnnounced = true
            return .configuration(configuration)
        }
        guard nextUnit < table.count else { return nil }
        let start = table.offset(ofChunkBeginningWith: nextUnit) ?? nextOffset
        let range = start..<min(start, Int.max / 2) + table.size(of: nextUnit)
        nextOffset = range.upperBound
        let time = table.time(of: nextUnit)
        nextUnit += 1
        guard range.count <= Self.largestUnit, range.upperBound <= input.source.byteCount else {
            return .skipped(
                SkippedBytes(byteRange: range.clamped(to: 0..<input.source.byteCount), reason: .truncatedFrame))
        }
        let unit = AccessUnit(
            payload: try input.bytes(in: range),
            presentationTime: MediaTime(value: Int64(time.start), timescale: Int32(timescale)), duration: time.duration)
        return .accessUnit(CodedUnit(accessUnit: unit, byteRange: range))
    }

    /// Goes to a sample frame of the output rate that the configuration says.
    public mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int {
        let unit = max(0, frame) / framesPerUnit
        guard unit < table.count else {
            nextUnit = table.count
            return 0
        }
        let mayReplicate = configuration.extensionConfig.hasSBR ?? (configuration.sampleRate <= 24_000)
        nextUnit = max(0, unit - (mayReplicate ? Self.replicationPreroll : Self.plainPreroll))
        nextOffset = table.byteRange(of: nextUnit).lowerBound
        return max(0, frame) - nextUnit * framesPerUnit
    }
}
