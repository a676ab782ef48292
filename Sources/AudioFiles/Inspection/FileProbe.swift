// SPDX-License-Identifier: Apache-2.0

package import AACCodec
package import AudioContainers
internal import AudioConversion
internal import AudioMetadata
public import AudioPrimitives
package import DABPlus
internal import MPEG4Audio
public import PCMFiles
package import SystemFiles

package struct ProbedUnit: Sendable {
    /// The access unit and its byte range.
    package var demuxed: DemuxedAccessUnit
    /// The stream's configuration at this access unit.
    package var configuration: CodecConfiguration
    /// The number of decoded sample frames.
    ///
    /// With SBR, twice the core's.
    package var frameCount: Int
    /// The coding tools in use, if requested and decodable.
    package var tools: [ElementTools]
    /// The position in the superframe, for DAB+.
    package var superframe: SuperframePosition?
}

/// Optional analyses of a probe.
package struct ProbeOptions: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Decodes access units to report undecodable ones and invalid checksums as damage.
    package static let decoding = ProbeOptions(rawValue: 1)
    /// Decodes access units and lists their coding tools.
    package static let tools = ProbeOptions(rawValue: 2)
}

extension ProbeSummary {
    /// Reads a whole file of encoded audio.
    ///
    /// ```swift
    /// let summary = try ProbeSummary(contentsOf: "song.m4a", decodes: true)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - decodes: Whether to decode access units, to report undecodable ones and invalid checksums as damage.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read or has no access unit.
    public init(contentsOf path: String, decodes: Bool = false, audioTrack: AudioTrackChoice? = nil) throws(AudioFileError) {
        try self.init(of: .file(path, audioTrack: audioTrack), decodes ? .decoding : [])
    }

    /// Reads a file of encoded audio in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - decodes: Whether to decode access units, to report undecodable ones and invalid checksums as damage.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes are not a container of encoded audio or have no access unit.
    public init(bytes: [UInt8], decodes: Bool = false) throws(AudioFileError) {
        try self.init(of: .bytes(bytes, name: "memory"), decodes ? .decoding : [])
    }

    /// Reads a file of encoded audio and calls `visit` with each access unit.
    package init(
        of input: AudioFileInput, _ options: ProbeOptions = [], visit: (ProbedUnit) throws(AudioFileError) -> Void = { _ in }
    ) throws(AudioFileError) {
        try self.init(of: input.open(), options, audioTrack: input.audioTrack, visit: visit)
    }

    /// Reads an open file of coded audio, and calls `visit` with each access unit.
    package init(
        of input: FileInput, _ options: ProbeOptions, audioTrack: AudioTrackChoice?,
        visit: (ProbedUnit) throws(AudioFileError) -> Void = { _ in }
    ) throws(AudioFileError) {
        self = try FileProbe.run(AccessUnitReader(input, audioTrack: audioTrack), options, visit)
    }
}

/// Reads a whole file of encoded audio and summarizes its contents.
private struct FileProbe {
    private let reader: AccessUnitReader
    private var first: (configuration: CodecConfiguration, header: ADTSHeader?)?
    private var configuration: CodecConfiguration?
    private var changeCount = 0
    private var refusal: CodecError?
    private var meter = BitRateMeter()
    private var checker: AccessUnitChecker?
    private var detector: SBRDetector?
    private var superframes = SuperframeCollector()
    private var accessPoints: AccessPoints?
    private var frameCount = 0
    private var tags: [SkippedBytes] = []
    private var damage: [ProbeDamage] = []
    private var damageCount = 0
    private var highBandLossCount = 0
    private var damagedByteCount = 0

    private init(_ reader: AccessUnitReader, decodes: Bool, listsTools: Bool) {
        self.reader = reader
        checker = decodes || listsTools || !reader.delimitsUnits ? AccessUnitChecker(listsTools: listsTools) : nil
    }

    static func run(
        _ reader: AccessUnitReader, _ options: ProbeOptions, _ visit: (ProbedUnit) throws(AudioFileError) -> Void
    ) throws(AudioFileError) -> ProbeSummary {
        var probe = FileProbe(reader, decodes: options.contains(.decoding), listsTools: options.contains(.tools))
        while let event = try reader.next() { try probe.record(event, visit) }
        return try probe.summary()
    }

    private mutating func record(_ event: ReaderEvent, _ visit: (ProbedUnit) throws(AudioFileError) -> Void) throws(AudioFileError) {
        switch event {
        case .configuration(let new):
            if first != nil { changeCount += 1 }
            configuration = new
            checker?.begin(new)
            if refusal == nil {
                do throws(CodecError) { _ = try new.makeDecoder() } catch { refusal = error }
            }
            if first == nil { detector = new.audioSpecificConfig.map { SBRDetector($0) } }
        case .skipped(let skipped):
            if skipped.isDamage {
                record(ProbeDamage(byteRange: skipped.byteRange, time: time, cause: .skipped(skipped.reason)))
            } else {
                tags.append(skipped)
            }
        case .accessUnit(let found):
            guard let configuration else { return }
            if first == nil { first = (configuration, found.adtsHeader) }
            let (demuxed, tools) = checked(found)
            detector?.record(demuxed)
            let position = reader.superframePosition(of: found)
            if let position { superframes.record(demuxed, at: position, time: time) }
            let timescale = Int(demuxed.accessUnit.presentationTime.timescale)
            meter.add(byteCount: demuxed.accessUnit.payload.count, duration: demuxed.accessUnit.duration, sampleRate: timescale)
            let frames = demuxed.accessUnit.frameCount(atRate: detector?.sampleRate ?? configuration.sampleRate)
            if configuration.hasAccessPoints {
                if accessPoints == nil { accessPoints = AccessPoints() }
                if configuration.isAccessPoint(demuxed.accessUnit) { accessPoints?.add(at: frameCount) }
            }
            frameCount += frames
            try visit(ProbedUnit(demuxed: demuxed, configuration: configuration, frameCount: frames, tools: tools, superframe: position))
        }
    }

    /// Decodes an access unit if requested.
    ///
    /// Returns it without excess bytes, and its tools.
    private mutating func checked(_ found: DemuxedAccessUnit) -> (DemuxedAccessUnit, [ElementTools]) {
        guard let result = checker?.check(found) else { return (found, []) }
        reader.recordDecoded(byteCount: result.damage == nil ? result.byteCount : nil)
        if let damage = result.damage {
            record(ProbeDamage(byteRange: found.byteRange, time: time, cause: .undecodable(damage)))
        } else if result.lacksHighBand {
            highBandLossCount += 1
            record(ProbeDamage(byteRange: found.byteRange, time: time, cause: .lostHighBand))
        } else if result.hasWrongChecksum {
            record(ProbeDamage(byteRange: found.byteRange, time: time, cause: .wrongChecksum))
        }
        guard !reader.delimitsUnits else { return (found, result.tools) }
        var demuxed = found
        demuxed.accessUnit.payload.removeLast(found.accessUnit.payload.count - result.byteCount)
        demuxed.byteRange = found.byteRange.lowerBound..<found.byteRange.lowerBound + result.byteCount
        return (demuxed, result.tools)
    }

    /// The playing time before the current access unit.
    private var time: Duration { .seconds(meter.seconds) }

    private mutating func record(_ found: ProbeDamage) {
        damageCount += 1
        damagedByteCount += found.byteRange.count
        if damage.count < ProbeSummary.damageLimit { damage.append(found) }
    }

    private func summary() throws(AudioFileError) -> ProbeSummary {
        guard let first else { throw AudioFileError(.noAccessUnits, path: reader.path) }
        let metadata = reader.metadata
        let sampleRate = detector?.sampleRate ?? first.configuration.sampleRate
        return ProbeSummary(
            path: reader.path, format: reader.format ?? .adts, byteCount: reader.byteCount,
            otherTracksByteCount: metadata.otherTracksByteCount, audioTracks: metadata.audioTracks,
            configuration: first.configuration,
            profileName: detector?.profileName ?? first.configuration.formatID.codecName, outputSampleRate: sampleRate,
            outputChannelCount: detector.map(\.channelCount) ?? first.configuration.channelCount,
            configurationChangeCount: changeCount, refusal: refusal,
            notes: ConversionNote.notes(tracks: [], first.configuration, metadata), adtsHeader: first.header,
            accessUnitCount: meter.accessUnitCount,
            accessPoints: accessPoints,
            payloadByteCount: meter.byteCount,
            frameCount: Int((meter.seconds * Double(sampleRate)).rounded()), duration: time,
            averageBitRate: meter.averageBitRate,
            peakBitRate: meter.peakBitRate, decodedSampleRate: checker?.decodedSampleRate, gaplessInfo: metadata.gaplessInfo,
            omittedFrameCount: metadata.omittedFrameCount, isRearranged: metadata.isRearranged,
            superframes: superframes.result,
            statedLoudness: metadata.loudness ?? first.configuration.audioSpecificConfig?.usac?.loudness,
            tags: metadata.tags, skippedTags: tags, damage: damage, damageCount: damageCount, damagedByteCount: damagedByteCount,
            highBandLossCount: highBandLossCount)
    }
}
