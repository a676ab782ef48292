// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures
internal import AudioPrimitives

/// Maps values to positions in a plot, and chooses axis labels.
package struct PlotScale {
    /// The values at both ends of the axis.
    let values: ClosedRange<Double>
    /// The positions of both ends.
    ///
    /// `start` is larger on vertical axes.
    let (start, end): (Double, Double)

    package init(_ values: ClosedRange<Double>, from start: Double, to end: Double) {
        let isEmpty = values.upperBound <= values.lowerBound
        self.values = isEmpty ? values.lowerBound...values.lowerBound + 1 : values
        (self.start, self.end) = (start, end)
    }

    /// Returns the position of a value, limited to the axis.
    func position(_ value: Double) -> Double {
        let part = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return start + min(1, max(0, part)) * (end - start)
    }

    /// Returns about `count` round values.
    package func ticks(_ count: Int) -> [Double] {
        let span = values.upperBound - values.lowerBound
        var step = 1e-6
        var factors = [2.0, 2.5, 2.0]
        while span.isFinite, span / step > Double(count) {
            step *= factors[0]
            factors.append(factors.removeFirst())
        }
        return multiples(of: step)
    }

    /// Returns about `count` round times.
    package func timeTicks(_ count: Int) -> [Double] {
        let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800]
        let span = values.upperBound - values.lowerBound
        return multiples(of: steps.first { span / $0 <= Double(count) } ?? 86_400)
    }

    /// Returns the multiples of a step within the axis.
    private func multiples(of step: Double) -> [Double] {
        let first = (values.lowerBound / step - 1e-9).rounded(.up)
        let last = (values.upperBound / step + 1e-9).rounded(.down)
        // Signals with infinite samples have infinite levels.
        guard abs(first) < 1e15, first <= last, last - first < 1000 else { return [] }
        return (Int(first)...Int(last)).map { Double($0) * step }
    }
}

/// Formats numbers and times.
enum PlotText {
    /// Returns a number with fixed decimal places, or `–` if it is not finite or too large.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        DecimalText.fixed(value, digits: digits, minus: "−") ?? "–"
    }

    /// Returns a number with at most three decimal places, without trailing zeros.
    static func short(_ value: Double) -> String {
        for digits in 0..<3 {
            let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
            if abs((value * scale).rounded() - value * scale) < 1e-6 * max(1, abs(value * scale)) { return fixed(value, digits) }
        }
        return fixed(value, 3)
    }

    /// Returns an SVG coordinate with at most one decimal place.
    static func position(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let rest = abs(tenths) % 10
        return sign + String(abs(tenths) / 10) + (rest == 0 ? "" : ".\(rest)")
    }

    /// Returns a time as `1:02:03` or `2:03`, with decimal places for short steps.
    ///
    /// - Parameter step: The interval between times, in seconds; selects the decimal places.
    static func time(_ seconds: Double, step: Double) -> String {
        let digits = step < 0.1 ? 2 : step < 1 ? 1 : 0
        let scale = digits == 2 ? 100.0 : digits == 1 ? 10 : 1
        let rounded = (max(0, seconds) * scale).rounded() / scale
        let (hours, minutes) = (Int(rounded) / 3600, Int(rounded) / 60 % 60)
        let rest = fixed(rounded - Double(hours * 3600 + minutes * 60), digits)
        let padded = (rest.prefix { $0 != "." }.count < 2 ? "0" : "") + rest
        return hours > 0 ? "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(padded)" : "\(minutes):\(padded)"
    }

    /// Escapes the special characters of XML and HTML.
    static func escaped(_ text: String) -> String { MarkupText.escaped(text) }
}
