// SPDX-License-Identifier: Apache-2.0

/// The status of a recording on a terminal, as a value.
///
/// The lines never exceed the terminal's width, so that they can be redrawn in place.
package struct RecordScreen {
    /// A source with a name, if the recording has several.
    package struct Source {
        package var name: String
        /// The state, such as "interrupted"; empty while it delivers audio.
        package var state: String

        package init(name: String, state: String) {
            self.name = name
            self.state = state
        }
    }

    static let keys = "m mute  p pause  k mark  q stop"
    /// The remaining time below which the space is a warning, in seconds.
    private static let shortTime = 600.0

    /// The duration of the recording, in seconds.
    package var seconds = 0.0
    /// The average bit rate in bits per second; 0 if nothing is encoded.
    package var bitRate = 0.0
    package var lostSeconds = 0.0
    /// The state of the recording; empty while it records.
    package var state = ""
    package var sources: [Source] = []
    package var channels: [LevelBar] = []
    package var markCount = 0
    /// The free space of the outputs, if known.
    package var space: RecordSpace.Estimate?
    package var streamLines: [String] = []
    package var takesKeys = false

    package init() {}

    /// Returns the lines.
    ///
    /// - Parameters:
    ///   - columnCount: The columns of the terminal; the last one stays empty.
    ///   - rowCount: The rows of the terminal. If they do not suffice, one meter has the loudest of all channels.
    package func lines(columnCount: Int, rowCount: Int = .max, usesColor: Bool = false) -> [String] {
        let width = max(0, columnCount - 1)
        let status = wrapped(parts, width: width, usesColor: usesColor)
        var lines = status + meters(channels, width: width, usesColor: usesColor)
        let rest = (streamLines + (takesKeys ? [Self.keys] : [])).map { TerminalText.prefix(Format.line($0), columns: width) }
        if lines.count + rest.count >= rowCount, channels.count > 1 {
            lines = status + meters([loudest], width: width, usesColor: usesColor)
        }
        return Array((lines + rest).prefix(max(1, rowCount - 1)))
    }

    private typealias Part = (text: String, color: TerminalText.Color?)

    /// The parts of the status in order.
    private var parts: [Part] {
        var parts: [Part] = [(Format.padded(Format.clock(seconds), to: 7), nil)]
        if bitRate > 0 { parts.append((Format.padded(Format.bitRate(bitRate), to: 10), nil)) }
        parts.append(lostSeconds > 0 ? ("lost \(Format.seconds(lostSeconds))", .red) : ("nothing lost", nil))
        if !state.isEmpty { parts.append((state, .yellow)) }
        for source in sources where !source.state.isEmpty { parts.append((Format.line("\(source.name): \(source.state)"), .yellow)) }
        if markCount > 0 { parts.append((Format.count(markCount, "mark"), nil)) }
        if let space {
            let isShort = space.seconds.map { $0 < Self.shortTime } ?? false
            let left = space.seconds.map { ", \(Self.remaining($0)) left" } ?? ""
            parts.append(("\(Format.byteCount(space.availableByteCount)) free\(left)", isShort ? .red : nil))
        }
        return parts
    }

    /// Returns a remaining time in one unit, rounded down: `12 s`, `7 min`, `21 h` or `12 days`.
    package static func remaining(_ seconds: Double) -> String {
        switch seconds {
        case ..<60: "\(Int(max(0, seconds))) s"
        case ..<7200: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        default: "\(Int(min(seconds / 86_400, 9999))) days"
        }
    }

    /// Returns parts on as many lines as they need.
    private func wrapped(_ parts: [Part], width: Int, usesColor: Bool) -> [String] {
        var lines: [String] = []
        var used = 0
        for part in parts {
            let text = TerminalText.prefix(part.text, columns: width)
            let painted = TerminalText.painted(text, usesColor ? part.color : nil)
            let count = TerminalText.columnCount(text)
            if let last = lines.indices.last, used + 2 + count <= width {
                lines[last] += "  " + painted
                used += 2 + count
            } else {
                lines.append(painted)
                used = count
            }
        }
        return lines
    }

    private func meters(_ channels: [LevelBar], width: Int, usesColor: Bool) -> [String] {
        let labelWidth = channels.map { TerminalText.columnCount($0.label) }.max() ?? 0
        return channels.map { $0.line(width: width, labelWidth: labelWidth, usesColor: usesColor) }
    }

    /// One meter with the highest levels and the clipped samples of all channels.
    private var loudest: LevelBar {
        LevelBar(
            label: "all", level: channels.map(\.level).max() ?? -120, peak: channels.map(\.peak).max() ?? -120,
            clippedSampleCount: channels.reduce(0) { $0 + $1.clippedSampleCount })
    }

    /// Returns the labels of the channels of a recording: L and R for stereo, none for mono, otherwise numbers.
    package static func labels(channelCount: Int) -> [String] {
        channelCount == 1 ? [""] : channelCount == 2 ? ["L", "R"] : (1...max(1, channelCount)).map { String($0) }
    }
}
