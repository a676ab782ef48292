// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveStreaming

/// Numbers and texts in the form that users see.
package enum Format {
    /// Returns text on one line, with control characters replaced by spaces.
    package static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.controlsTerminal) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.controlsTerminal ? " " : $0 }))
    }

    /// Returns a number with a fixed number of decimal places, or `-` if it is too large or not finite.
    package static func fixed(_ value: Double, digits: Int) -> String {
        DecimalText.fixed(value, digits: digits) ?? "-"
    }

    /// Returns a number, without `.0` for integers.
    static func short(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    /// Returns text padded to `width` characters at the start, or to `-width` characters at the end.
    static func padded(_ text: String, to width: Int) -> String {
        let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? text + spaces : spaces + text
    }

    /// Returns seconds as `1:02:03` or `2:03`.
    package static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "-:--" }
        let whole = Int(max(0, seconds).rounded())
        let twoDigits = { (value: Int) in (value < 10 ? "0" : "") + String(value) }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(whole % 60))" : "\(minutes):\(twoDigits(whole % 60))"
    }

    /// Returns a bit rate in kilobits per second: `128.0 kb/s`.
    package static func bitRate(_ bitsPerSecond: Double) -> String { fixed(bitsPerSecond / 1000, digits: 1) + " kb/s" }

    /// Returns the duration of sample frames, such as `7.05 s` or `12 ms`.
    static func seconds(_ frameCount: Int, _ sampleRate: Int) -> String { seconds(Double(frameCount) / Double(max(1, sampleRate))) }

    /// Returns a duration, such as `7.05 s` or `12 ms`.
    static func seconds(_ seconds: Double) -> String {
        seconds < 0.1 ? fixed(seconds * 1000, digits: seconds < 0.01 ? 1 : 0) + " ms" : fixed(seconds, digits: 2) + " s"
    }

    /// Returns a byte count in decimal units, such as `1.5 MB`.
    static func byteCount(_ count: Int) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(count), 0)
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return fixed(value, digits: unit == 0 ? 0 : 1) + " " + units[unit]
    }

    /// Returns a speed as a multiple of real time, with at least two significant digits.
    package static func speed(_ factor: Double) -> String { fixed(factor, digits: factor < 10 ? 1 : 0) + "x" }

    /// Returns a count with its noun: `1 mark` or `2 marks`.
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Returns a channel count: `mono`, `stereo` or `6 channels`.
    static func channels(_ count: Int) -> String { count == 1 ? "mono" : count == 2 ? "stereo" : "\(count) channels" }
}
