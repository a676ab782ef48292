// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioReports
import TestSupport
import Testing

@Suite struct PlotScaleTests {
    @Test("Axis labels are round; none if an end is infinite or too large")
    func ticks() {
        #expect(PlotScale(-60...3, from: 100, to: 0).ticks(6) == [-60, -40, -20, 0])
        #expect(PlotScale(0...90, from: 0, to: 100).timeTicks(6) == [0, 15, 30, 45, 60, 75, 90])
        for values in [0...Double.infinity, -Double.infinity...0, 0...1e300, -1e300...1e300] {
            let scale = PlotScale(values, from: 0, to: 100)
            #expect(scale.ticks(6).count < 20 && scale.timeTicks(6).isEmpty, "\(values)")
        }
    }

    @Test("Draws infinite, NaN and huge samples", arguments: [Float.infinity, .nan, 1e38, -.infinity])
    func wildSamples(sample: Float) throws {
        let folder = try TemporaryFolder()
        var signal = ReportSignal.sweep(seconds: 0.5)
        signal.channels[0][9000] = sample
        let path = try signal.write(folder, "a.wav")
        let report = try AudioReport(analyzing: [.file(path)])
        #expect(report.pictures.count > 2)
        for (name, bytes) in report.pictures where name.hasSuffix(".svg") {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("nan ") && !text.contains("nan,") && !text.contains("inf ") && !text.contains("inf,"), "\(name)")
        }
    }
}
