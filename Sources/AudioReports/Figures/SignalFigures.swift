// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import SystemLibrary

/// The figures of a signal: waveform, spectrogram, loudness and stereo image.
package struct SignalFigures {
    let analysis: SignalAnalysis
    let channelNames: [String]

    private var columns: SignalColumns { analysis.columns }
    private var grid: ColumnGrid { columns.grid }

    /// The maximum number of channels in the waveform.
    private static let laneLimit = 8
    /// The level range of the spectrogram, in decibels below the highest.
    private static let spectrumSpan = 100.0

    /// The range of samples of each channel, and within it the root mean square.
    var waveform: Figure {
        let lanes = min(columns.channelCount, Self.laneLimit)
        let laneHeight = lanes == 1 ? 140.0 : lanes == 2 ? 92 : 64
        let frame = PlotFrame(plotHeight: laneHeight * Double(lanes), seconds: grid.seconds)
        var drawing = SVGDrawing()
        drawing.timeAxis(frame)
        var series: [Figure.Series] = []
        let peak = zip(columns.minima, columns.maxima).flatMap { zip($0, $1) }.reduce(Float(0)) { max($0, -$1.0, $1.1) }
        // Quiet recordings would be a flat line at full scale.
        let limit = peak > 0 && peak < 0.5 ? Double(peak) : 1
        for lane in 0..<lanes {
            let top = PlotFrame.top + Double(lane) * laneHeight + 4
            let scale = PlotScale(-limit...limit, from: top + laneHeight - 8, to: top)
            drawing.line(PlotFrame.left, scale.position(0), PlotFrame.right, scale.position(0), style: "grid")
            drawing.label(name(lane), PlotFrame.left - 8, scale.position(0) + 4, style: "unit", anchor: "end")
            drawing.band(columns.minima[lane], columns.maxima[lane], frame, scale, style: "wave")
            let levels = columns.levels[lane]
            drawing.band(levels.map { -$0 }, levels, frame, scale, style: "wave-level")
            let peaks = zip(columns.minima[lane], columns.maxima[lane]).map { Self.decibels(max(-$0, $1)) }
            series.append(Figure.Series(name: "\(name(lane)) peak", unit: "dBFS", digits: 1, values: peaks))
            series.append(Figure.Series(name: "RMS", unit: "dBFS", digits: 1, values: levels.map(Self.decibels)))
        }
        let more = columns.channelCount > lanes ? " The other \(columns.channelCount - lanes) channels are not shown." : ""
        let height =
            limit == 1
            ? "The height is full scale (0 dBFS)." : "The height is the peak, \(PlotText.fixed(Double(Self.decibels(peak)), 1)) dBFS."
        return Figure(
            name: "waveform", title: "Waveform", caption: "Range of samples, and within it the root mean square. \(height)\(more)",
            height: frame.height, drawing: drawing.text, series: series)
    }

    /// Levels over time and frequency, on a linear axis and on the Bark scale.
    var spectrograms: [Figure] {
        let nyquist = Double(grid.sampleRate) / 2000
        let linear = (0...SignalColumns.rowCount).map { Double($0) / Double(SignalColumns.rowCount) * nyquist }
        let bark = SignalColumns.barkEdges(sampleRate: grid.sampleRate).map { $0 / 1000 }
        var figures = [spectrogram(columns.spectrum, edges: linear, ticks: PlotScale(0...nyquist, from: 0, to: 1).ticks(8))]
        figures.append(spectrogram(columns.barkSpectrum, edges: bark, ticks: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]))
        figures[0].view = "Linear axis"
        (figures[1].name, figures[1].view) = ("spectrogram-bark", "Bark axis")
        return figures
    }

    /// Returns the spectrogram of rows with these edges, in kilohertz.
    private func spectrogram(_ levels: [Float], edges: [Double], ticks: [Double]) -> Figure {
        let rowCount = edges.count - 1
        let frame = PlotFrame(plotHeight: 320, seconds: grid.seconds)
        let loudest = columns.spectrum.reduce(-Float.infinity) { max($0, $1) }
        let top = max(-60, (Double(loudest.isFinite ? loudest : -60) / 10).rounded(.up) * 10)
        let map = ColorMap(ColorMap.viridis, range: top - Self.spectrumSpan...top, count: 67)
        var pixels = [UInt8](repeating: 0, count: grid.columnCount * rowCount)
        for column in 0..<grid.columnCount {
            for row in 0..<rowCount {
                pixels[(rowCount - 1 - row) * grid.columnCount + column] = map.index(Double(levels[column * rowCount + row]))
            }
        }
        let image = PNGImage(width: grid.columnCount, height: rowCount, palette: map.colors, pixels: pixels)
        var drawing = SVGDrawing()
        drawing.image(image, frame, isSmooth: true)
        drawing.timeAxis(frame, hasLines: false)
        drawing.frequencyAxis(frame, edges: edges, ticks: ticks)
        drawing.colorScale(map, frame, ticks: PlotScale(map.range, from: 0, to: 1).ticks(6), unit: "dBFS")
        return Figure(
            name: "spectrogram", title: "Spectrogram", caption: "Mean of all channels; a full-scale sine has 0 dBFS.",
            height: frame.height, drawing: drawing.text, image: image,
            colorAxis: Figure.ColorAxis(map: map, unit: "dBFS", edges: edges, edgeUnit: "kHz"),
            imageRange: PlotFrame.top...frame.base)
    }

    /// Momentary, short-term and integrated loudness, and true peaks.
    var loudness: Figure {
        let summary = analysis.loudness
        // Like an EBU meter, no value before the window of 400 ms or 3 s is full.
        let momentary = byColumn(analysis.series.momentary, from: 3)
        let shortTerm = byColumn(analysis.series.shortTerm, from: 29)
        let peaks = columns.truePeaks.map(Self.decibels)
        let frame = PlotFrame(plotHeight: 200, seconds: grid.seconds)
        let quiet = shortTerm.filter(\.isFinite).sorted()
        let low = quiet.isEmpty ? -60 : max(-70, min(-30, (Double(quiet[quiet.count / 20]) / 10).rounded(.down) * 10 - 10))
        let high = max(3, Double(peaks.filter(\.isFinite).max() ?? 0).rounded(.up))
        let scale = frame.vertical(low...high)
        var drawing = SVGDrawing()
        drawing.timeAxis(frame)
        drawing.verticalAxis(frame, scale, ticks: scale.ticks(6), unit: "LUFS")
        drawing.rightAxis(scale, ticks: scale.ticks(6), unit: "dBTP")
        drawing.curve(peaks, frame, scale, style: "line c2 faint")
        drawing.curve(momentary, frame, scale, style: "line c3 thin")
        drawing.curve(shortTerm, frame, scale, style: "line c1")
        var legend = [("true peak (right axis)", "line c2 faint"), ("momentary", "line c3 thin"), ("short-term", "line c1")]
        var caption = "The audio is silent: it has no integrated loudness."
        if let integrated = summary.integrated {
            drawing.line(PlotFrame.left, scale.position(integrated), PlotFrame.right, scale.position(integrated), style: "line ink dashed")
            legend.append(("integrated \(PlotText.fixed(integrated, 1))", "line ink dashed"))
            caption =
                "Integrated \(PlotText.fixed(integrated, 1)) LUFS, range \(PlotText.fixed(summary.range, 1)) LU, true peak "
                + "\(PlotText.fixed(Double(Self.decibels(analysis.truePeak)), 1)) dBTP (EBU R 128)."
        }
        drawing.legend(legend)
        return Figure(
            name: "loudness", title: "Loudness", caption: caption, height: frame.height, drawing: drawing.text,
            series: [
                Figure.Series(name: "Momentary", unit: "LUFS", digits: 1, values: momentary),
                Figure.Series(name: "short-term", unit: "LUFS", digits: 1, values: shortTerm),
                Figure.Series(name: "true peak", unit: "dBTP", digits: 1, values: peaks),
            ])
    }

    /// The directions of a stereo signal; nil unless there are two channels.
    var directions: Figure? {
        guard !columns.directions.isEmpty else { return nil }
        let count = SignalColumns.directionCount
        let frame = PlotFrame(plotHeight: 123, seconds: grid.seconds)
        let map = ColorMap(ColorMap.viridis, range: -30...0, count: 31)
        var pixels = [UInt8](repeating: 0, count: grid.columnCount * count)
        for column in 0..<grid.columnCount {
            for direction in 0..<count {
                let share = columns.directions[column * count + direction]
                // Left is at the top, as in the waveform.
                pixels[direction * grid.columnCount + column] = map.index(share > 0 ? 10 * log10(Double(share)) : -.infinity)
            }
        }
        let image = PNGImage(width: grid.columnCount, height: count, palette: map.colors, pixels: pixels)
        let scale = frame.vertical(-1...1)
        var drawing = SVGDrawing()
        drawing.image(image, frame, isSmooth: false)
        drawing.timeAxis(frame, hasLines: false)
        drawing.verticalAxis(frame, scale, ticks: [-1, 0, 1], unit: "", hasLines: false) { $0 < 0 ? "right" : $0 > 0 ? "left" : "center" }
        drawing.colorScale(map, frame, ticks: [-30, -20, -10, 0], unit: "dB")
        // From bottom to top: right, center, left.
        let edges = (0...count).map { 100 - 200 * Double($0) / Double(count) }.map { -$0 }
        return Figure(
            name: "directions", title: "Stereo image",
            caption: "The fraction of energy from each direction, by the levels of left and right.",
            height: frame.height, drawing: drawing.text, image: image,
            colorAxis: Figure.ColorAxis(map: map, unit: "dB", edges: edges, edgeUnit: "% left"),
            imageRange: PlotFrame.top...frame.base)
    }

    /// The correlation of left and right; nil unless there are two channels.
    var correlation: Figure? {
        guard columns.channelCount == 2 else { return nil }
        let frame = PlotFrame(plotHeight: 96, seconds: grid.seconds)
        let scale = frame.vertical(-1...1)
        var drawing = SVGDrawing()
        drawing.timeAxis(frame)
        drawing.verticalAxis(frame, scale, ticks: [-1, 0, 1], unit: "") { PlotText.fixed($0, 0) }
        drawing.curve(columns.correlation, frame, scale, style: "line c1")
        return Figure(
            name: "correlation", title: "Correlation of left and right",
            caption: "1: both alike; 0: independent; −1: opposite, and lost when mixed to mono.",
            height: frame.height, drawing: drawing.text,
            series: [Figure.Series(name: "Correlation", unit: "", digits: 2, values: columns.correlation)])
    }

    /// Returns the largest value of each column from values of 100 ms.
    ///
    /// Values before `start` are unknown (NaN).
    private func byColumn(_ values: [Float], from start: Int) -> [Float] {
        let values = values.enumerated().map { $0.offset < start ? .nan : $0.element }
        let seconds = grid.seconds
        return (0..<grid.columnCount).map { column in
            let first = Int(Double(column) / Double(grid.columnCount) * seconds * 10)
            let last = max(first, Int(Double(column + 1) / Double(grid.columnCount) * seconds * 10) - 1)
            guard first < values.count else { return values.last ?? .nan }
            return values[first...min(last, values.count - 1)].max() ?? .nan
        }
    }

    private func name(_ channel: Int) -> String { channel < channelNames.count ? channelNames[channel] : "\(channel + 1)" }

    package static func decibels(_ amplitude: Float) -> Float { amplitude > 0 ? Float(20 * log10(Double(amplitude))) : -.infinity }
}
