// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioFiles
internal import AudioLoudness
internal import AudioMeasures
internal import AudioMetadata
internal import AudioPrimitives
internal import JSONText
internal import PCMFiles
internal import SystemFiles

struct FilePage {
    /// The files, starting with the reference if any.
    let files: [FileAnalysis]
    let hasReference: Bool
    /// The requested bit rate, in bits per second; nil if unknown.
    let targetBitRate: Int?

    /// The maximum size of a cover in a page, in bytes.
    private static let coverLimit = 300_000
    /// The maximum number of listed damaged ranges.
    private static let damageLimit = 50

    var html: String {
        let name = PathName.lastComponent(files[files.count - 1].name)
        let title =
            files.count == 1
            ? name
            : hasReference
                ? (files.count == 2 ? "\(name) and its reference" : "\(files.count - 1) files and their reference")
                : "\(files.count) audio files"
        var page = HTMLPage(title: title)
        page.add("<header>")
        page.add("h1", title)
        page.add("p", hasReference ? "Audio report, with coding noise" : "Audio report", attributes: "class=\"lead\"")
        page.add(
            "<p class=\"note keys\">Point at a figure for its values. The tab key selects a figure, and arrow keys move the cursor, "
                + "faster with shift.</p>")
        if files.count > 1 { page.add(navigation) }
        page.add("</header>\n<main>")
        if files.count > 1 { page.add(comparison) }
        for index in order { addFile(index, to: &page) }
        page.add("</main>")
        return page.document(scripts: [PageScript.cursor, PageScript.views])
    }

    /// The order of the sections: the reference is last.
    private var order: [Int] { hasReference ? Array(files.indices.dropFirst()) + [0] : Array(files.indices) }

    /// Links to the files.
    private var navigation: String {
        let items = order.map { index in
            "<li><a href=\"#file-\(index + 1)\">\(PlotText.escaped(PathName.lastComponent(files[index].name)))</a></li>"
        }
        return "<nav><ul>\(items.joined())</ul></nav>"
    }

    /// The table that compares the files.
    private var comparison: String {
        let heads = ["File", "Codec", "Bit rate", "Loudness", "True peak", "Noise to mask", "5 % above", "Audible"]
        var rows = "<tr>" + heads.enumerated().map { "<th\($0 > 1 ? " class=\"n\"" : "")>\($1)</th>" }.joined() + "</tr>"
        for (index, file) in files.enumerated() {
            let summary = file.noise?.summary
            var cells = [
                file.probe.map { "\(PlotText.fixed($0.averageBitRate / 1000, 1)) kbit/s" } ?? "",
                Self.level(file.signal.loudness.integrated, "LUFS"),
                Self.level(Double(SignalFigures.decibels(file.signal.truePeak)), "dBTP"),
            ]
            if let summary {
                cells.append("\(PlotText.fixed(summary.mean, 1)) dB")
                cells.append("\(PlotText.fixed(summary.percentile95, 1)) dB")
                cells.append("\(PlotText.fixed(summary.audibleShare * 100, 1)) %")
            } else {
                cells += [hasReference && index == 0 ? "reference" : "", "", ""]
            }
            rows +=
                "<tr><td class=\"path\">\(PlotText.escaped(PathName.lastComponent(file.name)))</td><td>\(PlotText.escaped(FileFacts(file).codec))</td>"
                + cells.map { "<td class=\"n\">\($0)</td>" }.joined() + "</tr>"
        }
        return "<section><h2>Comparison</h2><div class=\"scroll\"><table>\(rows)</table></div></section>"
    }

    private func addFile(_ index: Int, to page: inout HTMLPage) {
        let file = files[index]
        let grid = file.signal.columns.grid
        let isReference = index == 0 && hasReference
        // The figures of a single test file also show the reference.
        let showsBoth = hasReference && files.count == 2
        var figures = isReference && showsBoth ? [] : file.figures(targetBitRate: isReference ? nil : targetBitRate)
        if showsBoth && !isReference { figures += referenceViews(of: figures) }
        let seconds = JSONValue.rounded(grid.seconds, digits: 6).line
        page.add("<section id=\"file-\(index + 1)\" data-columns=\"\(grid.columnCount)\" data-seconds=\"\(seconds)\">")
        if files.count > 1 {
            page.add("h2", PathName.lastComponent(file.name) + (isReference ? " (reference)" : ""))
        }
        page.add(FileFacts(file).html)
        var titles: [String] = []
        for figure in figures where !titles.contains(figure.title) { titles.append(figure.title) }
        for title in titles { page.add(Figure.html(ofViews: figures.filter { $0.title == title })) }
        page.add("<div class=\"side\">")
        addTree(file, to: &page)
        addTags(file, to: &page)
        page.add("</div>")
        addDamage(file, to: &page)
        let values = figures.map { "\"\($0.name)\":\($0.values)" }.joined(separator: ",\n")
        page.add("<script type=\"application/json\">{\(values)}</script>")
        page.add("</section>")
    }

    /// Returns the reference's views of the subjects of some figures.
    private func referenceViews(of figures: [Figure]) -> [Figure] {
        let titles = Set(figures.map(\.title))
        return files[0].figures(targetBitRate: nil).filter { titles.contains($0.title) }.map { figure in
            var figure = figure
            figure.view = figure.view == "This file" ? "Reference" : "Reference, \(figure.view)"
            figure.name = "reference-" + figure.name
            return figure
        }
    }

    private func addTree(_ file: FileAnalysis, to page: inout HTMLPage) {
        guard let tree = file.tree, !tree.parts.isEmpty else { return }
        page.add("<section class=\"tree\"><h3>Structure</h3>\(Self.list(tree.parts))")
        if tree.isCut { page.add("p", "More than \(ContainerTree.limit) parts; the rest is not listed.", attributes: "class=\"note\"") }
        page.add("</section>")
    }

    private static func list(_ parts: [ContainerTree.Part]) -> String {
        let items = parts.map { part in
            let meaning = ContainerTree.meaning(part.name).map { " \($0)" } ?? ""
            let place = "at \(part.offset), \(FileFacts.bytes(part.byteCount))"
            return "<li><code>\(PlotText.escaped(part.name))</code>\(meaning) <span class=\"note\">\(place)</span>"
                + (part.parts.isEmpty ? "" : list(part.parts)) + "</li>"
        }
        return "<ul>\(items.joined())</ul>"
    }

    private func addTags(_ file: FileAnalysis, to page: inout HTMLPage) {
        let tags = file.probe?.tags ?? file.format?.tags
        let gain = tags?.replayGain.map { gain in
            "\(PlotText.fixed(gain.gain, 2)) dB" + (gain.peak.map { ", peak \(PlotText.fixed($0, 6))" } ?? "")
        }
        let rows: [(name: String, value: String?)] = [
            ("Title", tags?.title), ("Artist", tags?.artist), ("Album", tags?.album), ("Date", tags?.date), ("Encoder", tags?.encoder),
            ("ReplayGain", gain),
        ]
        let known = rows.compactMap { row in row.value.map { HTMLPage.Fact(row.name, $0) } }
        guard !known.isEmpty || tags?.cover != nil else { return }
        page.add("<section><h3>Tags</h3>")
        if let cover = tags?.cover, cover.format != nil {
            if cover.bytes.count <= Self.coverLimit {
                let type = cover.format == .jpeg ? "jpeg" : "png"
                page.add("<img class=\"cover\" alt=\"Cover\" src=\"data:image/\(type);base64,\(Base64.string(cover.bytes))\">")
            } else {
                page.add("p", "The cover has \(FileFacts.bytes(cover.bytes.count)); too large for this page.")
            }
        }
        page.add(HTMLPage.list(known) + "</section>")
    }

    private func addDamage(_ file: FileAnalysis, to page: inout HTMLPage) {
        guard let probe = file.probe, !probe.isIntact else {
            guard !file.signal.warnings.isEmpty else { return }
            page.add("<section><h3>Damage</h3>")
            for warning in file.signal.warnings { page.add("p", warning.description) }
            page.add("</section>")
            return
        }
        page.add("<section><h3>Damage</h3><div class=\"scroll\"><table><tr><th>Time</th><th>Bytes</th><th>Kind</th></tr>")
        for damage in probe.damage.prefix(Self.damageLimit) {
            let time = PlotText.time(damage.time / .seconds(1), step: 0.05)
            let bytes = damage.byteRange
            let range = bytes.isEmpty ? "\(bytes.lowerBound)" : "\(bytes.lowerBound) to \(bytes.upperBound - 1)"
            page.add("<tr><td>\(time)</td><td>\(range)</td><td>\(PlotText.escaped(damage.cause.description))</td></tr>")
        }
        page.add("</table></div>")
        if probe.damageCount > Self.damageLimit { page.add("p", "\(probe.damageCount - Self.damageLimit) more ranges are damaged.") }
        page.add("</section>")
    }

    /// Returns a level with its unit; empty if unknown or silent.
    static func level(_ value: Double?, _ unit: String) -> String {
        value.flatMap { $0.isFinite ? "\(PlotText.fixed($0, 1)) \(unit)" : nil } ?? ""
    }
}
