// SPDX-License-Identifier: Apache-2.0

/// A sequence of SVG elements.
///
/// Colors are classes. The page style defines them for light and dark mode.
struct SVGDrawing {
    private(set) var text = ""

    mutating func add(_ element: String) { text += element + "\n" }

    /// Adds a text.
    ///
    /// - Parameters:
    ///   - x, y: The position of the base line.
    ///   - anchor: `start`, `middle` or `end`.
    mutating func label(_ content: String, _ x: Double, _ y: Double, style: String = "label", anchor: String = "start") {
        let place = anchor == "start" ? "" : " text-anchor=\"\(anchor)\""
        add(
            "<text class=\"\(style)\" x=\"\(PlotText.position(x))\" y=\"\(PlotText.position(y))\"\(place)>"
                + PlotText.escaped(content) + "</text>")
    }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, style: String) {
        let (a, b) = ("\(PlotText.position(x1)) \(PlotText.position(y1))", "\(PlotText.position(x2)) \(PlotText.position(y2))")
        add("<path class=\"\(style)\" d=\"M\(a)L\(b)\"/>")
    }

    /// Adds a line through the values of columns, with gaps at unknown values.
    mutating func curve(_ values: [Float], _ frame: PlotFrame, _ scale: PlotScale, style: String) {
        var path = ""
        var isDrawing = false
        for column in values.indices {
            guard values[column].isFinite else {
                isDrawing = false
                continue
            }
            let x = PlotText.position(frame.middle(ofColumn: column, of: values.count))
            path += (isDrawing ? "L" : "M") + "\(x) \(PlotText.position(scale.position(Double(values[column]))))"
            // Makes a single point visible.
            if !isDrawing { path += "h.1" }
            isDrawing = true
        }
        if !path.isEmpty { add("<path class=\"\(style)\" d=\"\(path)\"/>") }
    }

    /// Adds the area between two lines through the values of columns.
    mutating func band(_ lower: [Float], _ upper: [Float], _ frame: PlotFrame, _ scale: PlotScale, style: String) {
        guard !lower.isEmpty else { return }
        func points(_ values: [Float], _ columns: some Sequence<Int>) -> String {
            columns.map { column in
                let x = PlotText.position(frame.middle(ofColumn: column, of: values.count))
                return "\(x) \(PlotText.position(scale.position(values[column].isFinite ? Double(values[column]) : 0)))"
            }.joined(separator: "L")
        }
        add("<path class=\"\(style)\" d=\"M\(points(upper, upper.indices))L\(points(lower, lower.indices.reversed()))z\"/>")
    }

    /// Adds the area below the values of columns, as steps.
    mutating func steps(_ values: [Float], _ scale: PlotScale, style: String) {
        let width = (PlotFrame.right - PlotFrame.left) / Double(max(1, values.count))
        let base = PlotText.position(scale.position(scale.values.lowerBound))
        var path = "M\(PlotText.position(PlotFrame.left)) \(base)"
        var last = base
        for column in values.indices {
            let y = PlotText.position(scale.position(values[column].isFinite ? Double(values[column]) : scale.values.lowerBound))
            guard y != last else { continue }
            path += "H\(PlotText.position(PlotFrame.left + Double(column) * width))V\(y)"
            last = y
        }
        add("<path class=\"\(style)\" d=\"\(path)H\(PlotText.position(PlotFrame.right))V\(base)z\"/>")
    }

    /// Adds a color picture that fills the plot.
    mutating func image(_ picture: PNGImage, _ frame: PlotFrame, isSmooth: Bool) {
        add(
            "<image x=\"\(PlotText.position(PlotFrame.left))\" y=\"\(PlotText.position(PlotFrame.top))\" "
                + "width=\"\(PlotText.position(PlotFrame.right - PlotFrame.left))\" height=\"\(PlotText.position(frame.plotHeight))\" "
                + "preserveAspectRatio=\"none\"\(isSmooth ? "" : " style=\"image-rendering:pixelated\"") href=\"\(picture.dataAddress)\"/>")
    }

    /// Adds the time axis, optionally with lines through the plot.
    mutating func timeAxis(_ frame: PlotFrame, hasLines: Bool = true) {
        let ticks = frame.time.timeTicks(10)
        let step = ticks.count > 1 ? ticks[1] - ticks[0] : 1
        for time in ticks {
            let x = frame.time.position(time)
            line(x, hasLines ? PlotFrame.top : frame.base, x, frame.base + 4, style: "grid")
            // The last label must fit.
            label(PlotText.time(time, step: step), x, frame.base + 18, anchor: "middle")
        }
    }

    /// Adds a vertical axis, with its unit above.
    mutating func verticalAxis(
        _ frame: PlotFrame, _ scale: PlotScale, ticks: [Double], unit: String, hasLines: Bool = true,
        text: (Double) -> String = PlotText.short
    ) {
        for value in ticks {
            let y = scale.position(value)
            line(hasLines ? PlotFrame.left : PlotFrame.left - 4, y, hasLines ? PlotFrame.right : PlotFrame.left, y, style: "grid")
            label(text(value), PlotFrame.left - 8, y + 4, anchor: "end")
        }
        label(unit, PlotFrame.left - 8, PlotFrame.top - 12, style: "unit", anchor: "end")
    }

    /// Adds a frequency axis for rows of equal height.
    ///
    /// - Parameters:
    ///   - edges: The frequencies of the row boundaries in kilohertz, one more than rows, ascending.
    ///   - ticks: The labelled frequencies in kilohertz. Those outside the edges are omitted.
    mutating func frequencyAxis(_ frame: PlotFrame, edges: [Double], ticks: [Double]) {
        let scale = frame.vertical(0...Double(edges.count - 1))
        var labels: [Double: Double] = [:]
        for tick in ticks {
            guard let row = edges.lastIndex(where: { $0 <= tick }), row < edges.count - 1 || tick == edges[row] else { continue }
            let fraction = row < edges.count - 1 ? (tick - edges[row]) / (edges[row + 1] - edges[row]) : 0
            labels[Double(row) + fraction] = tick
        }
        verticalAxis(frame, scale, ticks: labels.keys.sorted(), unit: "kHz", hasLines: false) { PlotText.short(labels[$0] ?? 0) }
    }

    /// Adds the labels of a second vertical axis, to the right of the plot, in the color of its curve.
    mutating func rightAxis(_ scale: PlotScale, ticks: [Double], unit: String) {
        for value in ticks { label(PlotText.short(value), PlotFrame.right + 8, scale.position(value) + 4, style: "second") }
        label(unit, PlotFrame.right + 8, PlotFrame.top - 12, style: "second")
    }

    /// Adds line names above the plot, right-aligned.
    mutating func legend(_ entries: [(name: String, style: String)]) {
        var x = PlotFrame.right
        for entry in entries.reversed() {
            label(entry.name, x, PlotFrame.top - 12, anchor: "end")
            // The letter width is an estimate.
            x -= Double(entry.name.count) * 7.2 + 28
            line(x, PlotFrame.top - 16, x + 20, PlotFrame.top - 16, style: entry.style)
            x -= 18
        }
    }

    /// Adds the color scale to the right of the plot.
    mutating func colorScale(_ map: ColorMap, _ frame: PlotFrame, ticks: [Double], unit: String) {
        let x = PlotFrame.right + 10
        let height = frame.plotHeight / Double(map.colors.count)
        var rows: [(color: RGBColor, count: Int)] = []
        for color in map.colors {
            if let last = rows.last, last.color == color { rows[rows.count - 1].count += 1 } else { rows.append((color, 1)) }
        }
        var y = frame.base
        for row in rows {
            y -= height * Double(row.count)
            add(
                "<rect x=\"\(PlotText.position(x))\" y=\"\(PlotText.position(y))\" width=\"10\" "
                    + "height=\"\(PlotText.position(height * Double(row.count) + 0.6))\" fill=\"\(row.color.text)\"/>")
        }
        let scale = frame.vertical(map.range)
        for value in ticks { label(PlotText.short(value), x + 15, scale.position(value) + 4) }
        label(unit, x + 15 + 20, PlotFrame.top - 12, style: "unit", anchor: "end")
    }
}
