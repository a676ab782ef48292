// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioFiles
internal import AudioLoudness
internal import AudioMeasures
internal import AudioPrimitives
internal import PCMFiles

/// The properties of a file, as names and values.
struct FileFacts {
    private let file: FileAnalysis

    init(_ file: FileAnalysis) { self.file = file }

    /// The codec, or the sample encoding.
    var codec: String {
        if let probe = file.probe { return probe.profileName }
        guard let format = file.format else { return "" }
        guard !format.isLossy else { return "coded with loss" }
        let stream = format.streamDescription
        return "PCM, \(stream.bitsPerChannel) bits" + (stream.formatFlags.contains(.isFloat) ? ", floating point" : "")
    }

    var html: String { HTMLPage.list(facts) }

    private var facts: [HTMLPage.Fact] {
        let grid = file.signal.columns.grid
        var facts: [HTMLPage.Fact] = [
            .init("Container", file.probe?.containerName ?? file.format?.containerName ?? ""), .init("Codec", codec),
            .init("Sample rate", sampleRate), .init("Channels", channels),
            .init("Duration", PlotText.time(grid.seconds, step: grid.seconds < 600 ? 0.05 : 1)), .init("Size", Self.bytes(file.byteCount)),
        ]
        if let probe = file.probe {
            let rates = (average: PlotText.fixed(probe.averageBitRate / 1000, 1), peak: PlotText.fixed(probe.peakBitRate / 1000, 1))
            facts.append(.init("Bit rate", "\(rates.average) kbit/s, \(rates.peak) in the largest second"))
            facts.append(.init("Access units", "\(probe.accessUnitCount)"))
            if let text = probe.accessPointText { facts.append(.init("Access points", text)) }
            if let text = probe.configurationText { facts.append(.init("Configuration", text)) }
            if let text = probe.statedLoudnessText { facts.append(.init("Stated loudness", text)) }
            if let gapless = probe.gaplessInfo {
                facts.append(.init("Encoder delay", "\(gapless.primingFrames) frames, \(gapless.remainderFrames) at the end"))
            }
        }
        facts += levels
        if let probe = file.probe {
            let text = "\(probe.damageCount) range\(probe.damageCount == 1 ? "" : "s"), \(Self.bytes(probe.damagedByteCount))"
            facts.append(.init("Damage", probe.isIntact ? "none" : text, isAlarm: !probe.isIntact))
        }
        return facts
    }

    private var levels: [HTMLPage.Fact] {
        var facts: [HTMLPage.Fact] = []
        let loudness = file.signal.loudness
        let text = loudness.integrated.map { "\(PlotText.fixed($0, 1)) LUFS, range \(PlotText.fixed(loudness.range, 1)) LU" }
        facts.append(.init("Loudness", text ?? "silence"))
        let peak = Double(SignalFigures.decibels(file.signal.truePeak))
        facts.append(.init("True peak", peak.isFinite ? "\(PlotText.fixed(peak, 1)) dBTP" : "silence", isAlarm: peak > 0))
        if let noise = file.noise, let summary = noise.summary {
            facts.append(.init("Noise to mask", "\(PlotText.fixed(summary.mean, 1)) dB on average"))
            facts.append(.init("Frames with audible noise", "\(PlotText.fixed(summary.audibleShare * 100, 1)) %"))
        }
        return facts
    }

    /// The sample rate; with SBR, also the core's.
    private var sampleRate: String {
        let rate = "\(file.signal.columns.grid.sampleRate) Hz"
        guard let probe = file.probe, probe.hasSBR else { return rate }
        return rate + ", core \(probe.coreSampleRate) Hz"
    }

    /// The channel count and speakers.
    private var channels: String {
        let count = file.signal.columns.channelCount
        let names = file.signal.channelLayout.map { " (\($0.names))" } ?? ""
        return (count == 1 ? "mono" : count == 2 ? "stereo" : "\(count)") + (count > 2 ? names : "")
    }

    /// Returns a byte count in decimal units, such as `1.5 MB`.
    static func bytes(_ count: Int) -> String { bytes(Double(count)) }

    /// Returns a byte count, which may exceed the integer range.
    static func bytes(_ count: Double) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (count, 0)
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return PlotText.fixed(value, unit == 0 ? 0 : 1) + " " + units[unit]
    }
}
