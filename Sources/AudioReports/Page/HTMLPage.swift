// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import JSONText
internal import PCMFiles

/// A self-contained HTML page.
struct HTMLPage {
    let title: String
    /// The elements of the body so far.
    private(set) var body = ""

    init(title: String) { self.title = title }

    mutating func add(_ element: String) { body += element + "\n" }

    /// Adds an element with a text, which is escaped.
    mutating func add(_ name: String, _ text: String, attributes: String = "") {
        add("<\(name)\(attributes.isEmpty ? "" : " " + attributes)>\(PlotText.escaped(text))</\(name)>")
    }

    /// A name and value in a list.
    struct Fact {
        let name: String
        let value: String
        var isAlarm = false

        /// Creates a fact.
        ///
        /// `isAlarm` highlights the value.
        init(_ name: String, _ value: String, isAlarm: Bool = false) {
            (self.name, self.value, self.isAlarm) = (name, value, isAlarm)
        }
    }

    static func list(_ facts: [Fact]) -> String {
        let cells = facts.map { fact in
            "<div><dt>\(PlotText.escaped(fact.name))</dt><dd\(fact.isAlarm ? " class=\"alarm\"" : "")>"
                + "\(PlotText.escaped(fact.value))</dd></div>"
        }
        return "<dl class=\"facts\">\(cells.joined())</dl>"
    }

    /// Returns the page, with scripts at its end.
    func document(scripts: [String]) -> String {
        // The page may load only its own content.
        let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="generator" content="Linnet \(LinnetVersion.current)">
            <link rel="icon" href="data:,">
            <title>\(PlotText.escaped(title))</title>
            <style>
            \(PageStyle.drawing)\(PageStyle.page)</style>
            </head>
            <body>
            \(body)<footer>Made by Linnet \(LinnetVersion.current).</footer>
            \(scripts.map { "<script>\n\($0)</script>" }.joined(separator: "\n"))
            </body>
            </html>

            """
    }
}

extension Figure {
    /// Returns the views of one subject, with a button for each if there are several.
    ///
    /// The first one is shown.
    static func html(ofViews views: [Figure]) -> String {
        let figures = views.enumerated().map { $1.html(isHidden: $0 > 0) }.joined()
        guard views.count > 1 else { return figures }
        let buttons = views.enumerated().map { index, figure in
            "<button type=\"button\" data-view=\"\(figure.name)\" aria-pressed=\"\(index == 0)\">"
                + "\(PlotText.escaped(figure.view))</button>"
        }
        return
            "<div class=\"views\"><div class=\"buttons\" role=\"group\" aria-label=\"Views\">\(buttons.joined())</div>\n\(figures)</div>\n"
    }

    private func html(isHidden: Bool) -> String {
        let isImage = image != nil
        let bottom = height - PlotFrame.bottom
        return """
            <figure tabindex="0"\(isHidden ? " hidden" : "") data-figure="\(name)" aria-label="\(PlotText.escaped(title)): arrow keys move the cursor">
            <figcaption><h3>\(PlotText.escaped(title))</h3><output aria-live="polite"></output></figcaption>
            <svg viewBox="0 0 \(PlotText.position(PlotFrame.width)) \(PlotText.position(height))" role="img" \
            aria-label="\(PlotText.escaped(title))">
            \(drawing)<line class="cursor\(isImage ? " on-image" : "")" y1="\(PlotText.position(PlotFrame.top))" \
            y2="\(PlotText.position(bottom))"/>
            </svg>
            <p class="caption">\(PlotText.escaped(caption))</p>
            </figure>

            """
    }

    /// The figure as an SVG file.
    var document: String {
        let full = height + 34
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(PlotText.position(PlotFrame.width)) \(PlotText.position(full))">
            <style>\(PageStyle.drawing)</style>
            <rect class="paper" width="100%" height="100%"/>
            <text class="heading" x="\(PlotText.position(PlotFrame.left))" y="24">\(PlotText.escaped(title))</text>
            <g transform="translate(0 34)">
            \(drawing)</g>
            </svg>

            """
    }

    /// The values under the pointer, as JSON.
    var values: String {
        func number(_ value: Double, _ digits: Int) -> String { JSONValue.rounded(value, digits: digits).line }
        var members: [String] = []
        if !series.isEmpty {
            let lines = series.map { line in
                let values = line.values.map { number(Double($0), line.digits) }.joined(separator: ",")
                return "{\"n\":\(Self.quoted(line.name)),\"u\":\(Self.quoted(line.unit)),\"d\":\(line.digits),\"v\":[\(values)]}"
            }
            members.append("\"series\":[\(lines.joined(separator: ","))]")
        }
        if let axis = colorAxis, let range = imageRange {
            let edges = axis.edges.map { number($0, 3) }.joined(separator: ",")
            let colors = axis.map.colors.map { "\"\($0.text)\"" }.joined(separator: ",")
            members.append(
                "\"map\":{\"lo\":\(number(axis.map.range.lowerBound, 1)),\"hi\":\(number(axis.map.range.upperBound, 1)),"
                    + "\"u\":\(Self.quoted(axis.unit)),\"e\":[\(edges)],\"eu\":\(Self.quoted(axis.edgeUnit)),\"p\":[\(colors)],"
                    + "\"top\":\(number(range.lowerBound, 1)),\"bottom\":\(number(range.upperBound, 1))}")
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// Returns a JSON string that is safe in a page.
    ///
    /// Names contain no special characters.
    private static func quoted(_ text: String) -> String { "\"\(PlotText.escaped(text))\"" }
}
