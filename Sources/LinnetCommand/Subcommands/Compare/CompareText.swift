// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMeasures
import JSONText

/// The result of a comparison as text and as JSON.
struct CompareText {
    private let reference: String
    private let test: String
    private let comparison: SignalComparison
    /// Whether the delay was given instead of detected.
    private let hasGivenDelay: Bool
    private let rows: [CompareBand]

    init(reference: String, test: String, hasGivenDelay: Bool, _ comparison: SignalComparison) {
        self.reference = reference
        self.test = test
        self.hasGivenDelay = hasGivenDelay
        self.comparison = comparison
        rows = CompareBand.all(comparison)
    }

    /// The noise-to-mask ratio on one line.
    var headline: String {
        guard let total = comparison.noiseToMaskRatio.total else { return "silence" }
        return "noise to mask \(decibels(total.mean)) on average, \(decibels(total.percentile95)) in the worst frames (95 %), "
            + "above 0 dB in \(percent(total.audibleShare))"
    }

    /// Returns one line per property and a table of bands, with bars if requested.
    func lines(bars: Bool) -> [String] {
        let level = comparison.level
        var lines = [
            ("Reference", "\(reference) (\(comparison.sampleRate) Hz, \(Format.count(level.differences.count, "channel")))"),
            ("Test", test),
            ("Delay", delay),
            ("Compared", "\(Format.fixed(Double(comparison.frameCount) / Double(comparison.sampleRate), digits: 3)) s"),
            ("Level", level.differences.map { signed($0) }.joined(separator: ", ")),
            (
                "Signal to noise",
                "\(decibels(level.signalToNoise)), \(level.segmentalSignalToNoise.map(decibels) ?? "-") by segments of 20 ms"
            ),
            ("Bandwidth", "\(kilohertz(comparison.referenceBandwidth)), \(kilohertz(comparison.testBandwidth)) in the test"),
            ("Noise to mask", headline.replacingPrefix("noise to mask ")),
            ("Worst band", worstBand),
        ].map { Format.padded($0.0 + ":", to: -17) + $0.1 }
        for map in comparison.noiseToMaskRatio.maps where comparison.noiseToMaskRatio.maps.count > 1 {
            guard let part = comparison.noiseToMaskRatio.summary(of: map) else { continue }
            lines.append(
                Format.padded("  " + CompareBand.name(map.signal), to: -17)
                    + "\(decibels(part.mean)), \(decibels(part.percentile95)) in the worst, above 0 dB in \(percent(part.audibleShare))")
        }
        if let total = comparison.stereoImage?.total {
            lines.append(
                Format.padded("Stereo image:", to: -17)
                    + "off by \(decibels(total.levelDifference)) in level and \(Format.fixed(total.coherence, digits: 3)) in coherence")
        }
        lines.append(Format.padded("Pre-echo:", to: -17) + preEcho)
        guard comparison.level.signalToNoise < .infinity else {
            return lines.prefix(6) + [Format.padded("Result:", to: -17) + equality]
        }
        return lines + [""] + table(bars: bars)
    }

    /// Whether the samples are equal in both files, and none is missing in one of them.
    private var isIdentical: Bool {
        comparison.level.signalToNoise == .infinity && comparison.lengths == (comparison.frameCount, comparison.frameCount)
    }

    /// The result for equal samples, which may be only a part of a file.
    private var equality: String {
        if isIdentical { return "the samples are identical" }
        let difference = comparison.lengths.test - comparison.lengths.reference
        guard difference != 0 else { return "the compared samples are identical" }
        let seconds = Format.fixed(Double(abs(difference)) / Double(comparison.sampleRate), digits: 3)
        return "the compared samples are identical; \(test) is \(abs(difference)) frames (\(seconds) s) "
            + (difference > 0 ? "longer" : "shorter")
    }

    /// The band with the highest noise-to-mask ratio in any channel or the mid signal.
    private var worstBand: String {
        let signals = comparison.noiseToMaskRatio.maps.count(where: { $0.signal != .side })
        let values = rows.map { $0.noiseToMaskRatio.prefix(signals).max() ?? 0 }
        guard let worst = values.indices.max(by: { values[$0] < values[$1] }) else { return "-" }
        return "\(Int(rows[worst].range.lowerBound)) to \(Int(rows[worst].range.upperBound)) Hz, \(decibels(values[worst]))"
    }

    /// The delay of the test and the correlation of the files.
    private var delay: String {
        let alignment = comparison.alignment
        let unpaired = alignment.referenceRange.lowerBound
        let amount = alignment.delay == 0 ? "none" : "\(abs(alignment.delay)) frames \(alignment.delay > 0 ? "late" : "early")"
        let offset = alignment.delay == 0 ? amount : amount + ", compensated"
        let lost = unpaired > 0 ? "; the first \(unpaired) frames of the reference are not in the test" : ""
        guard isRelated else {
            let problem = "the files have nothing in common"
            return hasGivenDelay ? "\(amount), as given; there \(problem)" : "unknown: \(problem)"
        }
        if alignment.correlation < 0 { return offset + lost + "; the test is inverted" }
        return alignment.correlation < 0.5
            ? offset + lost + "; the files hardly correlate (\(Format.fixed(alignment.correlation, digits: 2)))" : offset + lost
    }

    /// Whether the files have something in common, so that their delay is known.
    private var isRelated: Bool {
        comparison.level.signalToNoise == .infinity
            || abs(comparison.alignment.correlation) >= SignalAlignment.minimumCorrelation
    }

    /// The pre-echo before transients.
    private var preEcho: String {
        let measure = comparison.preEcho
        guard let signal = measure.meanToSignal, let onset = measure.meanToOnset, let worst = measure.worst else { return "no onsets" }
        return
            "\(Format.count(measure.onsets.count, "onset")); noise before onsets is \(decibels(onset)) relative to the onset, "
            + "\(decibels(signal)) relative to the signal; "
            + "worst \(decibels(worst.toOnset)) at \(Format.fixed(worst.time / .seconds(1), digits: 3)) s"
    }

    private func table(bars: Bool) -> [String] {
        let maps = comparison.noiseToMaskRatio.maps
        let names = maps.map { Format.padded(CompareBand.shortName($0.signal), to: 7) }.joined()
        let image = comparison.stereoImage == nil ? "" : "   image  coherence"
        let head = Format.padded("Band, Hz", to: 13) + names + image + (bars ? "   noise to mask, -20 to 10 dB; the mask is |" : "")
        return [head]
            + rows.map { row in
                var line = Format.padded("\(Int(row.range.lowerBound))-\(Int(row.range.upperBound))", to: 13)
                line += row.noiseToMaskRatio.map { Format.padded(Format.fixed($0, digits: 1), to: 7) }.joined()
                if comparison.stereoImage != nil {
                    line += Format.padded(row.image.map { Format.fixed($0.levelDifference, digits: 1) } ?? "-", to: 8)
                    line += Format.padded(row.image.map { Format.fixed($0.coherence, digits: 2) } ?? "-", to: 11)
                }
                return bars ? line + "   " + Self.bar(row.noiseToMaskRatio.max() ?? 0) : line
            }
    }

    /// Returns a bar with a cell per decibel from -20 to 10.
    static func bar(_ value: Double) -> String {
        let count = max(0, min(30, Int((value + 20).rounded())))
        return (0..<30).map { cell in cell < count ? (cell < 20 ? "▒" : "█") : cell == 20 ? "|" : " " }.joined()
    }

    private func decibels(_ value: Double) -> String {
        value.isFinite ? Format.fixed(value, digits: 1) + " dB" : value > 0 ? "no noise" : "silence"
    }

    private func signed(_ value: Double) -> String {
        guard value.isFinite else { return value < 0 ? "silent" : "silent reference" }
        return (value > 0 ? "+" : "") + Format.fixed(value, digits: 2) + " dB"
    }
    private func percent(_ value: Double) -> String { Format.fixed(100 * value, digits: 1) + " %" }
    private func kilohertz(_ value: Double) -> String { Format.fixed(value / 1000, digits: 1) + " kHz" }

    /// All figures as JSON; null for infinite values and failed measurements.
    var json: JSONValue {
        let level = comparison.level
        let optional = { (value: Double?, digits: Int) in value.map { JSONValue.rounded($0, digits: digits) } ?? .null }
        let image = comparison.stereoImage?.total
        let echo = comparison.preEcho
        return .object([
            ("reference", .string(reference)), ("test", .string(test)),
            ("sampleRate", .integer(comparison.sampleRate)), ("channels", .integer(level.differences.count)),
            ("frames", .integer(comparison.frameCount)), ("delay", isRelated ? .integer(comparison.alignment.delay) : .null),
            ("correlation", .rounded(comparison.alignment.correlation, digits: 6)),
            ("isIdentical", .bool(isIdentical)),
            ("levelDifferences", .array(level.differences.map { .rounded($0, digits: 3) })),
            ("signalToNoise", .rounded(level.signalToNoise, digits: 2)),
            ("segmentalSignalToNoise", optional(level.segmentalSignalToNoise, 2)),
            ("referenceBandwidth", .rounded(comparison.referenceBandwidth, digits: 0)),
            ("testBandwidth", .rounded(comparison.testBandwidth, digits: 0)),
            ("noiseToMask", noiseToMaskRatio),
            (
                "stereoImage",
                image.map {
                    .object([("level", .rounded($0.levelDifference, digits: 2)), ("coherence", .rounded($0.coherence, digits: 4))])
                }
                    ?? .null
            ),
            (
                "preEcho",
                .object([
                    ("meanToSignal", optional(echo.meanToSignal, 1)), ("meanToOnset", optional(echo.meanToOnset, 1)),
                    (
                        "onsets",
                        .array(
                            echo.onsets.map {
                                .object([
                                    ("seconds", .rounded($0.time / .seconds(1), digits: 4)), ("toSignal", .rounded($0.toSignal, digits: 1)),
                                    ("toOnset", .rounded($0.toOnset, digits: 1)),
                                ])
                            })
                    ),
                ])
            ),
            ("bands", .array(rows.map { $0.json(comparison.noiseToMaskRatio.maps.map(\.signal)) })),
        ])
    }

    private var noiseToMaskRatio: JSONValue {
        let measure = comparison.noiseToMaskRatio
        let members = { (part: NoiseToMaskRatio.Summary) -> [(name: String, value: JSONValue)] in
            [
                ("mean", .rounded(part.mean, digits: 2)), ("percentile95", .rounded(part.percentile95, digits: 2)),
                ("audibleShare", .rounded(part.audibleShare, digits: 4)),
            ]
        }
        guard let total = measure.total else { return .null }
        let signals = measure.maps.map { map in
            (name: CompareBand.name(map.signal), value: measure.summary(of: map).map { JSONValue.object(members($0)) } ?? .null)
        }
        return .object(members(total) + [("signals", .object(signals))])
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String) -> String { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self }
}
