// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
internal import AudioPrimitives
public import MPEG4Audio

/// Reads a whole file of coded sound and counts what is in it, without decoding.
public struct FileProbe {
    private var report: ProbeReport?
    private var configuration: AudioSpecificConfig?
    private var meter = BitRateMeter()
    private var tags: [SkippedBytes] = []
    private var damage: [SkippedBytes] = []
    private var damageCount = 0
    private var damagedByteCount = 0

    private static let chunkSize = 65_536

    private init() {}

    /// Reads the file (`-` is standard input) and hands each access unit with its configuration to `visit` as it is found.
    ///
    /// Throws ``InputError`` for files that can't be read or hold no access unit at all, and what `visit` throws.
    public static func run(
        path: String, visit: (CodedUnit, AudioSpecificConfig) throws -> Void = { _, _ in }
    ) throws -> ProbeReport {
        let input = try InputFile(path: path)
        var probe = FileProbe()
        var reader = ADTSReader()
        var byteCount = 0
        var head: [UInt8] = []
        while true {
            let bytes = try input.read(chunkSize)
            if head.count < ContainerProbe.byteCount { head += bytes.prefix(ContainerProbe.byteCount - head.count) }
            byteCount += bytes.count
            if bytes.isEmpty { reader.finish() } else { reader.append(bytes) }
            while let event = reader.next() { try probe.take(event, path: input.path, visit) }
            if bytes.isEmpty { break }
        }
        guard var report = probe.report else {
            let kind = ContainerProbe.format(of: head, isWhole: head.count == byteCount)
            throw InputError.noAccessUnits(path: input.path, kind: kind)
        }
        report.byteCount = byteCount
        probe.complete(&report)
        return report
    }

    private mutating func take(
        _ event: ReaderEvent, path: String, _ visit: (CodedUnit, AudioSpecificConfig) throws -> Void
    ) throws {
        switch event {
        case .configuration(let new):
            configuration = new
            report?.configurationChangeCount += 1
        case .accessUnit(let unit):
            guard let configuration else { return }
            if report == nil { report = ProbeReport(path: path, configuration: configuration, header: unit.adtsHeader) }
            meter.add(
                byteCount: unit.accessUnit.payload.count, duration: unit.accessUnit.duration, sampleRate: configuration.sampleRate)
            try visit(unit, configuration)
        case .skipped(let skipped):
            guard skipped.isDamage else {
                tags.append(skipped)
                return
            }
            damageCount += 1
            damagedByteCount += skipped.byteRange.count
            if damage.count < ProbeReport.damageLimit { damage.append(skipped) }
        }
    }

    private func complete(_ report: inout ProbeReport) {
        report.unitCount = meter.unitCount
        report.payloadByteCount = meter.byteCount
        report.frameCount = meter.frameCount
        report.seconds = meter.seconds
        report.averageBitRate = meter.averageBitRate
        report.peakBitRate = meter.peakBitRate
        report.tags = tags
        report.damage = damage
        report.damageCount = damageCount
        report.damagedByteCount = damagedByteCount
    }
}

extension ProbeReport {
    /// A report with what the first unit says, and zero of everything that is counted.
    fileprivate init(path: String, configuration: AudioSpecificConfig, header: ADTSHeader?) {
        self.init(
            path: path, containerName: "ADTS", byteCount: 0, configuration: configuration, configurationChangeCount: 0,
            isMPEG2: header?.isMPEG2 ?? false, hasCRC: header?.hasCRC ?? false, unitCount: 0, payloadByteCount: 0, frameCount: 0,
            seconds: 0, averageBitRate: 0, peakBitRate: 0, tags: [], damage: [], damageCount: 0, damagedByteCount: 0)
    }
}
