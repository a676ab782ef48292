// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures

/// The figures of an encoded stream: bit rate, tools and noise-to-mask ratio.
struct StreamFigures {
    let grid: ColumnGrid
    /// The access units; nil for PCM.
    let units: UnitColumns?
    /// The noise; nil without a reference.
    let noise: NoiseColumns?
    /// The requested bit rate, in bits per second; nil if unknown.
    let targetBitRate: Int?
    /// In bits per second.
    let averageBitRate: Double

    var all: [Figure] { [bitRate, tools, noiseToMaskRatio].compactMap { $0 } }

    /// The bit rate over time; nil for PCM.
    var bitRate: Figure? {
        guard let units else { return nil }
        let rates = units.bitRates.map { $0 / 1000 }
        let frame = PlotFrame(plotHeight: 160, seconds: grid.seconds)
        let highest = max(Double(rates.max() ?? 1), Double(targetBitRate ?? 0) / 1000) * 1.08
        let scale = frame.vertical(0...max(1, highest))
        var drawing = SVGDrawing()
        drawing.timeAxis(frame)
        drawing.verticalAxis(frame, scale, ticks: scale.ticks(5), unit: "kbit/s")
        drawing.steps(rates, scale, style: "area outlined")
        var legend = [("bit rate", "line c1")]
        let average = scale.position(averageBitRate / 1000)
        drawing.line(PlotFrame.left, average, PlotFrame.right, average, style: "line ink dashed")
        legend.append(("average", "line ink dashed"))
        if let targetBitRate {
            let target = scale.position(Double(targetBitRate) / 1000)
            drawing.line(PlotFrame.left, target, PlotFrame.right, target, style: "line c2 dotted")
            legend.append(("requested", "line c2 dotted"))
        }
        drawing.legend(legend)
        let target = targetBitRate.map { ", \(PlotText.fixed(Double($0) / 1000, 1)) kbit/s requested" } ?? ""
        let sizes = units.sizes.map { "; access units have \($0.lowerBound) to \($0.upperBound) bytes" } ?? ""
        return Figure(
            name: "bitrate", title: "Bit rate",
            caption: "Without container headers: \(PlotText.fixed(averageBitRate / 1000, 1)) kbit/s on average\(target)\(sizes).",
            height: frame.height, drawing: drawing.text,
            series: [Figure.Series(name: "Bit rate", unit: "kbit/s", digits: 1, values: rates)])
    }

    /// Windows and tools over time; nil if unknown.
    var tools: Figure? {
        guard let units, units.hasTools else { return nil }
        let used = UnitColumns.Tool.allCases.filter { tool in units.fractions[tool.rawValue].contains { $0 > 0 } }
        let unused = UnitColumns.Tool.allCases.filter { !used.contains($0) }.map(\.name)
        guard !used.isEmpty else { return nil }
        let laneHeight = 36.0
        let frame = PlotFrame(plotHeight: laneHeight * Double(used.count), seconds: grid.seconds)
        var drawing = SVGDrawing()
        drawing.timeAxis(frame)
        for (lane, tool) in used.enumerated() {
            let base = PlotFrame.top + Double(lane + 1) * laneHeight - 2
            let scale = PlotScale(0...1, from: base, to: base - laneHeight + 19)
            let fractions = units.fractions[tool.rawValue]
            drawing.line(PlotFrame.left, base, PlotFrame.right, base, style: "grid")
            drawing.steps(fractions, scale, style: "solid")
            drawing.label(tool.name, PlotFrame.left, base - laneHeight + 15, style: "lane")
        }
        let series = used.map { tool in
            Figure.Series(name: tool.name, unit: "%", digits: 0, values: units.fractions[tool.rawValue].map { $0 * 100 })
        }
        let rest = unused.isEmpty ? "" : " Not used: \(unused.joined(separator: ", "))."
        return Figure(
            name: "tools", title: "Windows and tools",
            caption: "The fraction of access units that use a tool; of channels for windows, TNS and PNS.\(rest)",
            height: frame.height, drawing: drawing.text, series: series)
    }

    /// The noise-to-mask ratio over time and frequency; nil without a reference.
    var noiseToMaskRatio: Figure? {
        guard let noise else { return nil }
        let frame = PlotFrame(plotHeight: 260, seconds: grid.seconds)
        let map = ColorMap(colors: ColorMap.noiseToMaskRatio, range: -20...12)
        var pixels = [UInt8](repeating: 0, count: grid.columnCount * noise.bandCount)
        // One more color marks unmeasured parts.
        let unknown = UInt8(map.colors.count)
        for column in 0..<grid.columnCount {
            for band in 0..<noise.bandCount {
                let value = noise.values[column * noise.bandCount + band]
                pixels[(noise.bandCount - 1 - band) * grid.columnCount + column] = value.isNaN ? unknown : map.index(Double(value))
            }
        }
        let image = PNGImage(
            width: grid.columnCount, height: noise.bandCount, palette: map.colors + [RGBColor(0x9A9A9A)], pixels: pixels)
        var drawing = SVGDrawing()
        drawing.image(image, frame, isSmooth: false)
        drawing.timeAxis(frame, hasLines: false)
        let edges = noise.bandEdges.map { $0 / 1000 }
        drawing.frequencyAxis(frame, edges: edges, ticks: [0.2, 0.5, 1, 2, 5, 10, 20])
        drawing.colorScale(map, frame, ticks: [-20, -10, 0, 10], unit: "dB")
        return Figure(
            name: "noise-to-mask", title: "Noise to mask", caption: caption(noise), height: frame.height, drawing: drawing.text,
            image: image,
            colorAxis: Figure.ColorAxis(map: map, unit: "dB", edges: edges, edgeUnit: "kHz"),
            imageRange: PlotFrame.top...frame.base)
    }

    private func caption(_ noise: NoiseColumns) -> String {
        var text =
            "Above 0 dB (yellow and red) the difference from the reference exceeds the mask of its band. The worst of all channels."
        if let summary = noise.summary {
            text +=
                " Mean \(PlotText.fixed(summary.mean, 1)) dB, 5 % of the frames above \(PlotText.fixed(summary.percentile95, 1)) dB, "
                + "\(PlotText.fixed(summary.audibleShare * 100, 1)) % of the frames above 0 dB."
        }
        if noise.isUnrelated { text += " The file and the reference have nothing in common." }
        if noise.measuredSeconds < grid.seconds - 1 {
            text += " \(PlotText.fixed(noise.measuredSeconds, 0)) s, evenly spaced, were measured. Grey parts were not."
        }
        return text
    }
}
