// SPDX-License-Identifier: Apache-2.0

/// An SVG picture of noise-to-mask ratios over time and frequency.
package struct NoiseToMaskPicture {
    private let measure: NoiseToMaskRatio
    private let title: String
    private let subtitle: String
    private let seconds: Double

    private static let (left, top, width, height, right, bottom) = (64, 56, 960, 432, 96, 44)
    /// The maximum number of columns.
    ///
    /// Each contains at least one frame.
    private static let columnLimit = 480
    /// The upper edge of the first color and the width of each further color, in decibels.
    private static let (lowest, step) = (-20.0, 2.0)
    /// Dark blue is inaudible, yellow is at the mask, red is audible.
    package static let colors = [
        "#0b1026", "#10183a", "#14224d", "#182e60", "#1c3c70", "#1f4b7d", "#235c86", "#2a6f8c", "#36848d", "#4c9a87", "#fde047",
        "#fbbf24", "#f59e0b", "#f97316", "#ef4444", "#b91c1c",
    ]

    /// Creates a picture.
    ///
    /// - Parameters:
    ///   - title: The first line, for example the file names.
    ///   - subtitle: The second line, for example the results.
    package init(_ measure: NoiseToMaskRatio, title: String, subtitle: String) {
        self.measure = measure
        self.title = title
        self.subtitle = subtitle
        let interval = measure.interval / .seconds(1)
        seconds = max(interval, Double(measure.maps[0].totals.count) * interval)
    }

    package var svg: String {
        let (width, height) = (Self.left + Self.width + Self.right, Self.top + Self.height + Self.bottom)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="12">
            <rect width="\(width)" height="\(height)" fill="#ffffff"/>
            <text x="\(Self.left)" y="22" font-size="15" font-weight="bold">\(MarkupText.escaped(title))</text>
            <text x="\(Self.left)" y="42">\(MarkupText.escaped(subtitle))</text>
            <rect x="\(Self.left)" y="\(Self.top)" width="\(Self.width)" height="\(Self.height)" fill="\(Self.colors[0])"/>
            \(cells)
            \(frequencyAxis)
            \(timeAxis)
            \(legend)
            </svg>

            """
    }

    /// The color indices of each column, band by band: the worst of the maps, with power averaged over the frames of the column.
    private var columns: [[Int]] {
        let frames = measure.maps[0].totals.count
        let count = min(Self.columnLimit, frames)
        return (0..<count).map { column in
            let range = column * frames / count..<max(column * frames / count + 1, (column + 1) * frames / count)
            return (0..<measure.bandCount).map { band in
                let worst =
                    measure.maps.map { map in
                        range.reduce(0) { $0 + Decibels.ratio(Double(map.values[$1 * measure.bandCount + band])) } / Double(range.count)
                    }.max() ?? 0
                let level = (Decibels.power(worst) - Self.lowest) / Self.step + 1
                return max(0, min(Self.colors.count - 1, Int(level)))
            }
        }
    }

    /// One path per color.
    ///
    /// Neighbors in time with the same color form one rectangle.
    private var cells: String {
        let columns = columns
        var paths = [String](repeating: "", count: Self.colors.count)
        for band in 0..<measure.bandCount {
            var start = 0
            for column in 1...columns.count where column == columns.count || columns[column][band] != columns[start][band] {
                let color = columns[start][band]
                if color > 0 {
                    let (x, end) = (start * Self.width / columns.count, column * Self.width / columns.count)
                    paths[color] += "M\(Self.left + x) \(y(band + 1))h\(end - x)V\(y(band))h\(x - end)z"
                }
                start = column
            }
        }
        return paths.indices.filter { !paths[$0].isEmpty }
            .map { "<path fill=\"\(Self.colors[$0])\" shape-rendering=\"crispEdges\" d=\"\(paths[$0])\"/>" }
            .joined(separator: "\n")
    }

    private func y(_ band: Int) -> Int { Self.top + Self.height - band * Self.height / measure.bandCount }

    private var frequencyAxis: String {
        [100.0, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 20_000].compactMap { hertz in
            guard let band = measure.bandEdges.lastIndex(where: { $0 <= hertz }), band < measure.bandCount else { return nil }
            let part = (hertz - measure.bandEdges[band]) / (measure.bandEdges[band + 1] - measure.bandEdges[band])
            let height = y(band) - Int(part * Double(y(band) - y(band + 1)))
            let label = hertz < 1000 ? "\(Int(hertz)) Hz" : "\(Int(hertz / 1000)) kHz"
            return "<text x=\"\(Self.left - 6)\" y=\"\(height + 4)\" text-anchor=\"end\">\(label)</text>"
                + "<path d=\"M\(Self.left - 4) \(height)h4\" stroke=\"#000000\"/>"
        }.joined(separator: "\n")
    }

    private var timeAxis: String {
        let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]
        let step = steps.first { seconds / $0 <= 10 } ?? 7200
        let bottom = Self.top + Self.height
        return stride(from: 0, through: seconds, by: step).map { time in
            let x = Self.left + Int(time / seconds * Double(Self.width))
            let hundredths = Int((time * 100).rounded())
            let fraction = step < 1 ? "." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)" : ""
            return "<text x=\"\(x)\" y=\"\(bottom + 20)\" text-anchor=\"middle\">\(hundredths / 100)\(fraction) s</text>"
                + "<path d=\"M\(x) \(bottom)v4\" stroke=\"#000000\"/>"
        }.joined(separator: "\n")
    }

    private var legend: String {
        let x = Self.left + Self.width + 16
        let height = Self.height / Self.colors.count
        return Self.colors.indices.map { index in
            let y = Self.top + Self.height - (index + 1) * height
            let box = "<rect x=\"\(x)\" y=\"\(y)\" width=\"16\" height=\"\(height)\" fill=\"\(Self.colors[index])\"/>"
            let level = Int(Self.lowest + Self.step * Double(index - 1))
            guard index > 0, level % 10 == 0 else { return box }
            return box + "<text x=\"\(x + 22)\" y=\"\(y + height + 4)\">\(level) dB</text>"
        }.joined(separator: "\n")
    }
}
