// SPDX-License-Identifier: Apache-2.0

/// The meter of a channel on one line: label, bar with the held peak as a mark, the held peak in figures, and clipped samples.
package struct LevelBar {
    /// The name of the channel; may be empty.
    package var label: String
    /// The level, in dBFS.
    package var level: Double
    /// The held peak, in dBFS.
    package var peak: Double
    /// The number of clipped samples since the start.
    package var clippedSampleCount: Int

    package init(label: String, level: Double = -120, peak: Double = -120, clippedSampleCount: Int = 0) {
        self.label = label
        self.level = level
        self.peak = peak
        self.clippedSampleCount = clippedSampleCount
    }

    /// The level at the left end, in dBFS.
    private static let floor = -60.0
    /// The levels where the bar becomes yellow and red, in dBFS.
    private static let (yellow, red) = (-12.0, -3.0)
    private static let maximumBarWidth = 40
    private static let minimumBarWidth = 4
    /// The width of the held peak, such as `-12.3 dB`.
    private static let peakWidth = 8
    /// The width of the clipped samples, such as `clip 9999`.
    private static let clipWidth = 9

    /// Returns the line with at most `width` columns.
    ///
    /// - Parameters:
    ///   - labelWidth: The columns of the longest label.
    ///   - usesColor: Whether to colour bar and clipped samples.
    func line(width: Int, labelWidth: Int, usesColor: Bool) -> String {
        let labelWidth = min(labelWidth, max(2, width / 4))
        let name = TerminalText.prefix(label, columns: labelWidth)
        var text = labelWidth > 0 ? name + String(repeating: " ", count: labelWidth - TerminalText.columnCount(name) + 1) : ""
        let otherWidth = (labelWidth > 0 ? labelWidth + 1 : 0) + 3 + Self.peakWidth + 2 + Self.clipWidth
        let barWidth = min(Self.maximumBarWidth, width - otherWidth)
        let figures = Format.padded(peakText, to: Self.peakWidth)
        guard barWidth >= Self.minimumBarWidth else { return TerminalText.prefix(text + figures + "  " + clipText, columns: width) }
        text += "[\(bar(width: barWidth, usesColor: usesColor))] \(figures)"
        return clipText.isEmpty ? text : text + "  " + TerminalText.painted(clipText, usesColor ? .red : nil)
    }

    private var peakText: String { peak > -99.95 ? Format.fixed(peak, digits: 1) + " dB" : "silence" }

    private var clipText: String {
        switch clippedSampleCount {
        case ..<1: ""
        case ..<10_000: "clip \(clippedSampleCount)"
        case ..<1_000_000: "clip \(clippedSampleCount / 1000)k"
        default: "clip \(min(clippedSampleCount / 1_000_000, 999))M"
        }
    }

    private func cells(_ level: Double, width: Int) -> Int { Int(min(max((level - Self.floor) / -Self.floor, 0), 1) * Double(width)) }

    private func bar(width: Int, usesColor: Bool) -> String {
        let filled = cells(level, width: width)
        let held = peak > Self.floor ? min(width - 1, cells(peak, width: width)) : nil
        var text = ""
        var run = ""
        var runColor: TerminalText.Color?
        for index in 0..<width {
            let cell: Character = index == held ? "|" : index < filled ? "=" : " "
            let color = usesColor && cell != " " ? color(ofCell: index, width: width) : nil
            if color != runColor {
                text += TerminalText.painted(run, runColor)
                (run, runColor) = ("", color)
            }
            run.append(cell)
        }
        return text + TerminalText.painted(run, runColor)
    }

    private func color(ofCell index: Int, width: Int) -> TerminalText.Color {
        let level = Self.floor - Self.floor * Double(index) / Double(width)
        return level >= Self.red ? .red : level >= Self.yellow ? .yellow : .green
    }
}
