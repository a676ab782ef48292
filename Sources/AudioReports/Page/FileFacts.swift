// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioFiles
internal import AudioLoudness
internal import AudioMeasures
internal import AudioPrimitives
internal import PCMFiles

/// The facts about a file, as names and values.
struct FileFacts {
    private let file: FileAnalysis

    /// Tells about a file.
    init(_ file: FileAnalysis) { self.file = file }

    /// The codec, or the encoding of samples.
    var codec: String {
        if let probe = file.probe { return probe.profileName }
        guard let format = file.format else { return "" }
        let stream = format.streamDescription
        return "PCM, \(stream.bitsPerChannel) bits" + (stream.formatFlags.contains(.isFloat) ? ", floating point" : "")
    }

    /// The facts as a list of HTML.
    var html: String {
        let cells = facts.map { fact in
            "<div><dt>\(PlotText.escaped(fact.name))</dt><dd\(fact.isAlarm ? " class=\"alarm\"" : "")>"
                + "\(PlotText.escaped(fact.value))</dd></div>"
        }
        return "<dl class=\"facts\">\(cells.joined())</dl>"
    }

    /// All facts.
    private var facts: [(name: String, value: String, isAlarm: Bool)] {
        let grid = file.signal.columns.grid
        var facts: [(String, String, Bool)] = [
            ("Container", file.probe?.containerName ?? file.format?.containerName ?? "", false), ("Codec", codec, false),
            ("Sample rate", sampleRate, false), ("Channels", channels, false),
            ("Duration", PlotText.time(grid.seconds, step: grid.seconds < 600 ? 0.05 : 1), false),
            ("Size", Self.bytes(file.byteCount), false),
        ]
        if let probe = file.probe {
            facts.append(
                (
                    "Bit rate",
                    "\(PlotText.fixed(probe.averageBitRate / 1000, 1)) kb/s, \(PlotText.fixed(probe.peakBitRate / 1000, 1)) in the largest second",
                    false
                ))
            facts.append(("Access units", "\(probe.unitCount)", false))
            if let gapless = probe.gaplessInfo {
                facts.append(("Encoder delay", "\(gapless.primingFrames) frames, \(gapless.remainderFrames) at the end", false))
            }
        }
        facts += levels
        if let probe = file.probe {
            let text = "\(probe.damageCount) range\(probe.damageCount == 1 ? "" : "s"), \(Self.bytes(probe.damagedByteCount))"
            facts.append(("Damage", probe.isIntact ? "none" : text, !probe.isIntact))
        }
        return facts
    }

    /// The loudness, the peak and the noise.
    private var levels: [(String, String, Bool)] {
        var facts: [(String, String, Bool)] = []
        if let loudness = file.signal.loudness {
            let text = loudness.integrated.map {
                "\(PlotText.fixed($0, 1)) LUFS, range \(PlotText.fixed(loudness.range, 1)) LU"
            }
            facts.append(("Loudness", text ?? "silence", false))
        } else {
            facts.append(("Loudness", "not measured: libebur128 is not installed", false))
        }
        let peak = Double(SignalFigures.decibels(file.signal.truePeak))
        facts.append(("True peak", peak.isFinite ? "\(PlotText.fixed(peak, 1)) dBTP" : "silence", peak > 0))
        if let noise = file.noise, let summary = noise.summary {
            facts.append(("Noise to mask", "\(PlotText.fixed(summary.mean, 1)) dB on average", false))
            facts.append(("Frames with audible noise", "\(PlotText.fixed(summary.audibleShare * 100, 1)) %", false))
        }
        return facts
    }

    /// The sample rate, and with SBR that of the core.
    private var sampleRate: String {
        let rate = "\(file.signal.columns.grid.sampleRate) Hz"
        guard let probe = file.probe, probe.hasSBR else { return rate }
        return rate + ", core \(probe.configuration.coreSampleRate) Hz"
    }

    /// The number of channels and their speakers.
    private var channels: String {
        let count = file.signal.columns.channelCount
        let names = file.signal.channelLayout.map { " (\($0.names))" } ?? ""
        return (count == 1 ? "mono" : count == 2 ? "stereo" : "\(count)") + (count > 2 ? names : "")
    }

    /// Returns a number of bytes in decimal units, such as `1.5 MB`.
    static func bytes(_ count: Int) -> String { bytes(Double(count)) }

    /// Returns a number of bytes, also one that is too large for an integer.
    static func bytes(_ count: Double) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (count, 0)
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return PlotText.fixed(value, unit == 0 ? 0 : 1) + " " + units[unit]
    }
}
