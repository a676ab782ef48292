// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioContainers
internal import AudioPrimitives
public import MPEG4Audio

/// An access unit as a probe finds it.
public struct ProbedUnit: Sendable {
    /// The unit, and where it lies.
    public var unit: CodedUnit
    /// How it is coded.
    public var configuration: AudioSpecificConfig
    /// Sample frames that it decodes to: with SBR twice those of its core.
    public var frameCount: Int
    /// The tools that it uses, if they are asked for and it can be decoded.
    public var tools: [ElementTools]
}

/// Reads a whole file of coded sound and counts what is in it.
public struct FileProbe {
    private let reader: AACFileReader
    private var first: (configuration: AudioSpecificConfig, header: ADTSHeader?)?
    private var configuration: AudioSpecificConfig?
    private var changeCount = 0
    private var meter = BitRateMeter()
    private var checker: AccessUnitChecker?
    private var finder: SBRDetector?
    private var tags: [SkippedBytes] = []
    private var damage: [ProbeDamage] = []
    private var damageCount = 0
    private var damagedByteCount = 0

    private init(_ reader: AACFileReader, decodes: Bool, listsTools: Bool) {
        self.reader = reader
        // Where a unit of ADIF ends, only a decoder can tell.
        checker = decodes || listsTools || reader.format == .adif ? AccessUnitChecker(listsTools: listsTools) : nil
    }

    /// Reads the file (`-` is standard input) and hands each access unit to `visit` as it is found.
    ///
    /// With `decodes`, every unit is decoded too, and one that can't be, or whose checksum does not fit, is damage; `listsTools` finds
    /// the tools of each unit, which also takes decoding. Throws ``InputError`` and ``CodedFileError`` for files
    /// that can't be read or hold no access unit at all, and what `visit` throws.
    public static func run(
        path: String, decodes: Bool = false, listsTools: Bool = false, visit: (ProbedUnit) throws -> Void = { _ in }
    ) throws -> ProbeSummary {
        var probe = FileProbe(try AACFileReader(path: path), decodes: decodes, listsTools: listsTools)
        while let event = try probe.reader.next() { try probe.take(event, visit) }
        return try probe.report()
    }

    private mutating func take(_ event: ReaderEvent, _ visit: (ProbedUnit) throws -> Void) throws {
        switch event {
        case .configuration(let new):
            if first != nil { changeCount += 1 }
            configuration = new
            checker?.begin(new)
            if first == nil { finder = SBRDetector(new) }
        case .skipped(let skipped):
            if skipped.isDamage {
                note(ProbeDamage(byteRange: skipped.byteRange, seconds: meter.seconds, cause: .skipped(skipped.reason)))
            } else {
                tags.append(skipped)
            }
        case .accessUnit(let found):
            guard let configuration else { return }
            if first == nil { first = (configuration, found.adtsHeader) }
            let (unit, tools) = checked(found)
            finder?.look(at: unit)
            let timescale = Int(unit.accessUnit.presentationTime.timescale)
            meter.add(byteCount: unit.accessUnit.payload.count, duration: unit.accessUnit.duration, sampleRate: timescale)
            let frames = Self.frameCount(of: unit.accessUnit.duration, timescale: timescale, sampleRate: finder?.sampleRate)
            try visit(ProbedUnit(unit: unit, configuration: configuration, frameCount: frames, tools: tools))
        }
    }

    /// Sample frames at a rate that take so many ticks.
    private static func frameCount(of duration: Int, timescale: Int, sampleRate: Int?) -> Int {
        guard let sampleRate, timescale > 0, sampleRate != timescale else { return duration }
        let (product, hasOverflow) = duration.multipliedReportingOverflow(by: sampleRate)
        return hasOverflow ? duration : (product + timescale / 2) / timescale
    }

    /// Decodes a unit if that is wanted; returns it without bytes that are not its own, and its tools.
    private mutating func checked(_ found: CodedUnit) -> (CodedUnit, [ElementTools]) {
        guard let result = checker?.check(found) else { return (found, []) }
        reader.recordDecoded(byteCount: result.damage == nil ? result.byteCount : nil)
        if let damage = result.damage {
            note(ProbeDamage(byteRange: found.byteRange, seconds: meter.seconds, cause: .undecodable(damage)))
        } else if result.hasWrongChecksum {
            note(ProbeDamage(byteRange: found.byteRange, seconds: meter.seconds, cause: .wrongChecksum))
        }
        guard reader.format == .adif else { return (found, result.tools) }
        var unit = found
        unit.accessUnit.payload.removeLast(found.accessUnit.payload.count - result.byteCount)
        unit.byteRange = found.byteRange.lowerBound..<found.byteRange.lowerBound + result.byteCount
        return (unit, result.tools)
    }

    private mutating func note(_ found: ProbeDamage) {
        damageCount += 1
        damagedByteCount += found.byteRange.count
        if damage.count < ProbeSummary.damageLimit { damage.append(found) }
    }

    private func report() throws -> ProbeSummary {
        guard let first, let finder else { throw InputError.noAccessUnits(path: reader.path) }
        let description = reader.description
        return ProbeSummary(
            path: reader.path, format: reader.format ?? .adts, byteCount: reader.byteCount,
            otherTracksByteCount: description.otherTracksByteCount, configuration: first.configuration,
            profileName: finder.profileName, outputSampleRate: finder.sampleRate, outputChannelCount: finder.channelCount,
            configurationChangeCount: changeCount, adtsHeader: first.header, unitCount: meter.unitCount,
            payloadByteCount: meter.byteCount,
            frameCount: Int((meter.seconds * Double(finder.sampleRate)).rounded()), seconds: meter.seconds,
            averageBitRate: meter.averageBitRate,
            peakBitRate: meter.peakBitRate, decodedSampleRate: checker?.decodedSampleRate, gaplessInfo: description.gaplessInfo,
            tags: description.tags, skippedTags: tags, damage: damage, damageCount: damageCount, damagedByteCount: damagedByteCount)
    }
}
