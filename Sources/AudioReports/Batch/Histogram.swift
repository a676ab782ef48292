// SPDX-License-Identifier: Apache-2.0

/// Counts of values in steps of equal width, as a drawing.
package struct Histogram {
    /// The number of values in each step.
    ///
    /// Values outside the range count for the first or last step.
    package let counts: [Int]
    package let range: ClosedRange<Double>

    /// The layout of the drawing.
    private static let (width, height, left, right, top, bottom) = (520.0, 220.0, 44.0, 508.0, 20.0, 186.0)
    private static let stepCount = 40

    /// Counts values; nil without any.
    ///
    /// The range covers 99 % of the values, so that a single outlier does not squeeze all others into one bar.
    ///
    /// - Parameter minimumSpan: The minimum width of the range, so that a small spread does not look large.
    package init?(_ values: [Double], minimumSpan: Double = 0) {
        let sorted = values.filter(\.isFinite).sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let outside = sorted.count / 200
        let (low, high) = (sorted[outside], sorted[sorted.count - 1 - outside])
        let margin = max((high - low) * 0.05, abs(high) * 0.01, 1e-6)
        let (start, end) = (max(first, low - margin), max(min(last, high + margin), max(first, low - margin) + margin))
        let missing = max(0, minimumSpan - (end - start)) / 2
        let range = start - missing...end + missing
        var counts = [Int](repeating: 0, count: Self.stepCount)
        for value in sorted {
            let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
            counts[max(0, min(Self.stepCount - 1, Int((part * Double(Self.stepCount)).rounded(.down))))] += 1
        }
        self.counts = counts
        self.range = range
    }

    func html(title: String, unit: String) -> String {
        let largest = Double(counts.max() ?? 1)
        let horizontal = PlotScale(range, from: Self.left, to: Self.right)
        let vertical = PlotScale(0...max(1, largest), from: Self.bottom, to: Self.top)
        var drawing = SVGDrawing()
        for count in vertical.ticks(4) where count == count.rounded() {
            let y = vertical.position(count)
            drawing.line(Self.left, y, Self.right, y, style: "grid")
            drawing.label(PlotText.short(count), Self.left - 8, y + 4, anchor: "end")
        }
        for value in horizontal.ticks(6) {
            drawing.label(PlotText.short(value), horizontal.position(value), Self.bottom + 18, anchor: "middle")
        }
        drawing.label(unit, Self.right, Self.height - 2, style: "unit", anchor: "end")
        let width = (Self.right - Self.left) / Double(counts.count)
        let step = (range.upperBound - range.lowerBound) / Double(counts.count)
        for (index, count) in counts.enumerated() where count > 0 {
            let y = vertical.position(Double(count))
            let low = PlotText.fixed(range.lowerBound + Double(index) * step, 1)
            let high = PlotText.fixed(range.lowerBound + Double(index + 1) * step, 1)
            drawing.add(
                "<rect x=\"\(PlotText.position(Self.left + Double(index) * width + 1))\" y=\"\(PlotText.position(y))\" "
                    + "width=\"\(PlotText.position(width - 2))\" height=\"\(PlotText.position(Self.bottom - y))\">"
                    + "<title>\(low) to \(high) \(unit): \(count)</title></rect>")
        }
        return """
            <figure><figcaption><h3>\(PlotText.escaped(title))</h3></figcaption>
            <svg class="bars" viewBox="0 0 \(PlotText.position(Self.width)) \(PlotText.position(Self.height))" role="img" \
            aria-label="\(PlotText.escaped(title))">
            \(drawing.text)</svg></figure>

            """
    }
}
