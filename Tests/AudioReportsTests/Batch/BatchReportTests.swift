// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioReports
import Foundation
import PCMFiles
import TestSupport
import Testing

@Suite struct BatchReportTests {
    private func lines() -> String {
        let good = (0..<200).map { index in
            #"{"status": "done", "input": "in/\#(index).wav", "output": "o", "seconds": 60, "bitRate": \#(128_000 + index % 9 * 100), "#
                + #""targetBitRate": 128000, "measures": {"noiseToMaskMean": -12, "noiseToMask95": \#(-7.0 + Double(index % 5) / 10)}}"#
        }
        let odd = [
            #"{"status": "done", "input": "in/noisy.wav", "output": "o", "seconds": 60, "bitRate": 128000, "targetBitRate": 128000, "#
                + #""measures": {"noiseToMaskMean": 2, "noiseToMask95": 9.5}}"#,
            #"{"status": "failed", "input": "in/<b>.wav", "output": "o", "error": {"step": "open", "code": 5, "message": "it & that"}}"#,
            "", "no JSON", "[1]",
        ]
        return (good + odd).joined(separator: "\n")
    }

    @Test("Lists failures, then outliers; counts unreadable lines and escapes texts")
    func outliers() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(lines().utf8), to: "results.jsonl")
        #expect(BatchReport.isResults(path))
        let html = try BatchReport(results: path).html
        let rows = html.components(separatedBy: "<tr><td class=\"path\">").dropFirst().map { $0.prefix { $0 != "<" } }
        #expect(rows.count == 202)
        #expect(rows.prefix(2) == ["in/&lt;b&gt;.wav", "in/noisy.wav"])
        #expect(html.contains("it &amp; that") && !html.contains("<b>"))
        #expect(html.contains("<dt>Unreadable lines</dt><dd class=\"alarm\">2</dd>"))
        #expect(html.contains("<h3>Bit rates</h3>"))
    }

    @Test("Omits impossible numbers without overflow")
    func impossibleNumbers() throws {
        let folder = try TemporaryFolder()
        let names = ["seconds", "bitRate", "targetBitRate", "inputBytes", "bytes", "elapsedSeconds"]
        let lines = ["1e308", "-1e308", "1e15", "-1e15", "1e-308", "0"].map { number in
            let members = names.map { "\"\($0)\": \(number)" }.joined(separator: ", ")
            let measures = "{\"noiseToMaskMean\": \(number), \"noiseToMask95\": \(number), \"audibleShare\": \(number)}"
            return "{\"status\": \"done\", \"input\": \"\(number)\", \(members), \"measures\": \(measures)}"
        }
        // Together beyond the limit of integers.
        let many = Array(repeating: #"{"status": "done", "input": "a", "bytes": 1e15}"#, count: 10_000)
        let path = try folder.write(Array((lines + many).joined(separator: "\n").utf8), to: "results.jsonl")
        let html = try BatchReport(results: path).html
        #expect(html.contains("<dt>Files</dt><dd>10006</dd>") && !html.contains("nan") && !html.contains("inf"))
    }

    @Test("Histogram counts every value once and ignores outliers in its range")
    func histogram() throws {
        var random = SeededRandom(seed: 14)
        let values = (0..<1000).map { _ in Double.random(in: 10...20, using: &random) } + [5000]
        let histogram = try #require(Histogram(values))
        #expect(histogram.counts.reduce(0, +) == 1001)
        #expect(histogram.range.upperBound < 25)
        #expect(Histogram([]) == nil && Histogram([.nan]) == nil)
        #expect(Histogram([3, 3, 3])?.counts.reduce(0, +) == 3)
        let narrow = try #require(Histogram([95.5, 96, 96.4], minimumSpan: 20))
        #expect(abs(narrow.range.upperBound - narrow.range.lowerBound - 20) < 1e-9 && narrow.counts.reduce(0, +) == 3)
    }

    @Test("File without results throws")
    func refusal() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: AudioFileError.self) { try BatchReport(results: folder.write(Array("{}\n".utf8), to: "a")) }
        #expect(error?.code == .unsupportedInput(format: nil))
    }
}
