// SPDX-License-Identifier: Apache-2.0

struct BatchPage {
    /// The results, sorted by ``BatchOutliers``.
    let results: [BatchRow]
    /// The name of the results file.
    let name: String
    let unreadableCount: Int

    static let rowLimit = 2000

    private struct Column {
        let title: String
        /// Whether it is sorted as a number.
        let isNumber: Bool
        /// The text, and the value to sort by.
        let cell: (BatchRow) -> (text: String, value: String)
    }

    private static func numbers(_ title: String, _ digits: Int, _ value: @escaping (BatchRow) -> Double?) -> Column {
        Column(title: title, isNumber: true) { result in
            guard let number = value(result), number.isFinite else { return ("", "") }
            return (PlotText.fixed(number, digits), "\(number)")
        }
    }

    private static var columns: [Column] {
        [
            Column(title: "File", isNumber: false) { ($0.input, $0.input) },
            Column(title: "Status", isNumber: false) { ($0.status, $0.status) },
            numbers("Seconds", 1) { $0.seconds }, numbers("kbit/s", 1) { $0.bitRate.map { $0 / 1000 } },
            numbers("requested", 1) { $0.targetBitRate.map { $0 / 1000 } }, numbers("Noise to mask (dB)", 1) { $0.noiseToMaskRatio },
            numbers("5 % above (dB)", 1) { $0.noiseToMask95 }, numbers("Audible (%)", 2) { $0.audibleShare.map { $0 * 100 } },
            numbers("Distance", 1) { $0.distance < BatchOutliers.failed ? $0.distance : nil },
            Column(title: "Remarks", isNumber: false) { ($0.remark, $0.remark) },
        ]
    }

    var html: String {
        let title = "Batch of \(results.count) \(results.count == 1 ? "file" : "files")"
        var page = HTMLPage(title: title)
        page.add("<header>")
        page.add("h1", title)
        page.add("p", "Results from \(name)", attributes: "class=\"lead\"")
        page.add(facts)
        page.add("</header>\n<main>\n<div class=\"side\">")
        if let rates = Histogram(results.compactMap { $0.bitRate.map { $0 / 1000 } }, minimumSpan: 20) {
            page.add(rates.html(title: "Bit rates", unit: "kbit/s"))
        }
        if let noise = Histogram(results.compactMap(\.noiseToMask95), minimumSpan: 6) {
            page.add(noise.html(title: "Noise-to-mask ratio that 5 % of the frames exceed", unit: "dB"))
        }
        page.add("</div>\n<section><h2>Files</h2>")
        let isCut = results.count > Self.rowLimit
        page.add(
            "p",
            "Failures come first, then the files whose bit rate or noise is farthest from the median. Press a heading to sort by it."
                + (isCut ? " \(Self.rowLimit) of \(results.count) files are listed." : ""), attributes: "class=\"note\"")
        page.add(table)
        page.add("</section>\n</main>")
        return page.document(scripts: [PageScript.sorting])
    }

    private var facts: String {
        func sum(_ value: (BatchRow) -> Double?) -> Double { results.reduce(0) { $0 + (value($1) ?? 0) } }
        let failures = results.reduce(0) { $0 + ($1.isFailed ? 1 : 0) }
        let unchanged = results.reduce(0) { $0 + ($1.status == "unchanged" ? 1 : 0) }
        let (seconds, elapsed) = (sum(\.seconds), sum(\.elapsed))
        var facts: [HTMLPage.Fact] = [
            .init("Files", "\(results.count)"), .init("Failed", "\(failures)", isAlarm: failures > 0), .init("Done before", "\(unchanged)"),
            .init("Audio", seconds < 3600 ? "\(PlotText.fixed(seconds / 60, 1)) min" : "\(PlotText.fixed(seconds / 3600, 1)) h"),
            .init("Size", "\(FileFacts.bytes(sum(\.inputBytes))) to \(FileFacts.bytes(sum(\.bytes)))"),
        ]
        if elapsed > 0 { facts.append(.init("Work", "\(PlotText.fixed(elapsed / 60, 1)) min of one thread")) }
        if unreadableCount > 0 { facts.append(.init("Unreadable lines", "\(unreadableCount)", isAlarm: true)) }
        return HTMLPage.list(facts)
    }

    private var table: String {
        let columns = Self.columns
        var text = "<div class=\"scroll\"><table class=\"sorted\"><thead><tr>"
        for column in columns {
            let style = column.isNumber ? " class=\"n\"" : ""
            let order = column.title == "Distance" ? " aria-sort=\"descending\"" : ""
            text += "<th\(style)\(order)><button type=\"button\">\(column.title)</button></th>"
        }
        text += "</tr></thead>\n<tbody>\n"
        for result in results.prefix(Self.rowLimit) {
            text += "<tr>"
            for column in columns {
                let cell = column.cell(result)
                let style =
                    column.isNumber
                    ? "n"
                    : column.title == "File"
                        ? "path"
                        : column.title == "Remarks"
                            ? "remark"
                            : result.isFailed && column.title == "Status" ? "alarm" : ""
                text +=
                    "<td" + (style.isEmpty ? "" : " class=\"\(style)\"")
                    + (column.isNumber ? " data-value=\"\(PlotText.escaped(cell.value))\"" : "") + ">\(PlotText.escaped(cell.text))</td>"
            }
            text += "</tr>\n"
        }
        return text + "</tbody></table></div>"
    }
}
