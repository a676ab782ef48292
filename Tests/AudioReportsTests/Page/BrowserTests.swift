// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioReports
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Pages in Chromium.
@Suite(.serialized) struct BrowserTests {
    @Test("Draws a sweep and its gap at the right positions, without console messages")
    func picture() throws {
        let folder = try TemporaryFolder()
        let path = try ReportSignal.sweep(seconds: 5).encode(folder, to: "a.m4a").coded
        let page = try folder.write(Array(try AudioReport(analyzing: [.file(path)]).html.utf8), to: "a.html")
        let picture = try HeadlessBrowser.picture(of: page, width: 1144, height: 1300)
        #expect(picture.messages.isEmpty)
        try #require(picture.pixels.count == 3 * 1144 * 1300)
        // The main part has 32 points on each side: 1080, as the drawings.
        let (left, width) = (32 + 52, 964)
        let place = try #require(spectrogram(picture, left: left))
        for part in stride(from: 0.05, to: 0.95, by: 0.03) {
            let x = left + Int(part * Double(width))
            let colors = (place.lowerBound + 2..<place.upperBound - 2).map { picture.color(x, $0) }
            let lightest = try #require(colors.indices.max { colors[$0].green < colors[$1].green })
            if part > 0.62, part < 0.68 {
                #expect(colors.allSatisfy { $0.green < 40 }, "part \(part)")
            } else if part < 0.58 || part > 0.72 {
                let height = 1 - (Double(lightest) + 2.5) / Double(place.count)
                #expect(abs(height * 24_000 - ReportSignal.frequency(at: part)) < 300, "part \(part)")
                #expect(colors[lightest].green > 120)
            }
        }
    }

    /// Returns the rows of the spectrogram: the longest run of dark pixels between the first columns.
    private func spectrogram(_ picture: HeadlessBrowser.Picture, left: Int) -> Range<Int>? {
        var (start, best): (Int?, Range<Int>?) = (nil, nil)
        for y in 0..<picture.height {
            // In the gap all rows are black.
            let color = picture.color(left + 964 * 65 / 100, y)
            if color.red + color.green + color.blue < 30 {
                start = start ?? y
                let run = (start ?? y)..<y + 1
                if run.count > best?.count ?? 0 { best = run }
            } else {
                start = nil
            }
        }
        return best
    }

    @Test("Keys move the cursor and show the signal's values")
    func keyboard() throws {
        let folder = try TemporaryFolder()
        let signal = try ReportSignal.sweep(seconds: 5).write(folder, "a.wav")
        let script = """
            <script>addEventListener("load", () => setTimeout(() => {
              const press = (name, keys) => {
                const figure = document.querySelector(`figure[data-figure=${name}]`);
                figure.focus();
                for (const key of keys) figure.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                return figure.querySelector("output").textContent;
              };
              const lines = [press("waveform", ["Home"]), press("waveform", ["End"]), press("correlation", ["ArrowRight", "ArrowLeft"]),
                press("spectrogram", ["Home", "ArrowUp"]), press("waveform", ["End", "Escape"])];
              document.body.dataset.lines = lines.join("|");
            }, 500));</script>
            """
        let html = try AudioReport(analyzing: [.file(signal)]).html + script
        let (text, messages) = try HeadlessBrowser.elements(of: folder.write(Array(html.utf8), to: "a.html"))
        #expect(messages.isEmpty)
        let attribute = try #require(text.components(separatedBy: "data-lines=\"").dropFirst().first?.prefix { $0 != "\"" })
        let lines = attribute.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        try #require(lines.count == 5)
        #expect(lines[0].hasPrefix("0:00.002") && lines[0].contains("L peak −6.") && lines[0].contains("R peak −12."), "\(lines)")
        #expect(lines[1].hasPrefix("0:04.998"), "\(lines)")
        #expect(lines[2].hasPrefix("0:02.498") && lines[2].contains("Correlation 1.00"), "\(lines)")
        #expect(lines[3].contains("kHz") && lines[3].contains("dBFS"), "\(lines)")
        #expect(lines[4].isEmpty, "\(lines)")
    }

    @Test("Buttons switch a figure between axes and to the reference")
    func views() throws {
        let folder = try TemporaryFolder()
        let paths = try ReportSignal.sweep(seconds: 5).encode(folder, to: "a.m4a")
        var configuration = AudioReport.Configuration()
        configuration.reference = .file(paths.wave)
        let report = try AudioReport(analyzing: [.file(paths.coded)], configuration: configuration)
        let script = """
            <script>addEventListener("load", () => setTimeout(() => {
              const shown = () => [...document.querySelectorAll("figure:not([hidden])")].map(figure => figure.dataset.figure).join(" ");
              const lines = [shown()];
              for (const name of ["spectrogram-bark", "reference-waveform"]) document.querySelector(`button[data-view=${name}]`).click();
              lines.push(shown());
              const figure = document.querySelector("figure[data-figure=loudness]");
              figure.focus();
              figure.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
              lines.push(figure.querySelector("output").textContent);
              lines.push([...document.querySelectorAll("h2")].map(heading => heading.textContent).join(" "));
              document.body.dataset.lines = lines.join("|");
            }, 500));</script>
            """
        let (text, messages) = try HeadlessBrowser.elements(of: folder.write(Array((report.html + script).utf8), to: "a.html"))
        #expect(messages.isEmpty)
        let attribute = try #require(text.components(separatedBy: "data-lines=\"").dropFirst().first?.prefix { $0 != "\"" })
        let lines = attribute.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        try #require(lines.count == 4)
        #expect(lines[0].hasPrefix("waveform spectrogram loudness "), "\(lines)")
        #expect(lines[1].hasPrefix("reference-waveform spectrogram-bark loudness "), "\(lines)")
        // Short-term loudness starts after 3 s.
        #expect(lines[2].contains("short-term –") && lines[2].contains("true peak"), "\(lines)")
        #expect(lines[3] == "Comparison a.m4a signal.wav (reference)", "\(lines)")
    }

    @Test("Batch table sorts in both directions, with unknown values last")
    func sorting() throws {
        let folder = try TemporaryFolder()
        let lines =
            [3, 1, 2].map { #"{"status": "done", "input": "\#($0)", "seconds": \#($0 * 7)}"# } + [#"{"status": "done", "input": "4"}"#]
        let results = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "r.jsonl")
        let script = """
            <script>addEventListener("load", () => {
              const order = () => [...document.querySelectorAll("tbody tr")].map(row => row.cells[0].textContent).join("");
              const button = document.querySelectorAll("th button")[2];
              button.click();
              const first = order();
              button.click();
              document.body.dataset.lines = first + "," + order();
            });</script>
            """
        let html = try BatchReport(results: results).html + script
        let (text, messages) = try HeadlessBrowser.elements(of: folder.write(Array(html.utf8), to: "r.html"))
        #expect(messages.isEmpty)
        #expect(text.contains("data-lines=\"1234,3214\""), "\(text.suffix(300))")
    }

    @Test("Page loads nothing from other hosts and escapes texts of files")
    func closed() throws {
        let folder = try TemporaryFolder()
        let paths = try ReportSignal.sweep(seconds: 1).encode(folder, to: "a.m4a")
        var configuration = AudioReport.Configuration()
        configuration.reference = .file(paths.wave)
        configuration.targetBitRate = 128_000
        let report = try AudioReport(analyzing: [.file(paths.coded)], configuration: configuration)
        for address in ["http:", "https:", "src=\"/", "url(", "@import"] { #expect(!report.html.contains(address), "\(address)") }
        #expect(!report.html.contains("<b>title") && report.html.contains("A &lt;b&gt;title&lt;/b&gt; &amp; &quot;more&quot;"))
        #expect(report.html.contains("requested") && report.html.contains("Noise to mask"))
        let names = report.pictures.map(\.name)
        #expect(Set(names).count == names.count && names.contains("2-noise-to-mask.svg") && names.contains("2-spectrogram-bark.png"))
        for (name, bytes) in report.pictures where name.hasSuffix(".svg") {
            let parser = XMLParser(data: Data(bytes))
            #expect(parser.parse(), "\(name)")
        }
    }
}
