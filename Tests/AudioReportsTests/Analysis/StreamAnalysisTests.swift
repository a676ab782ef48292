// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMeasures
import AudioReports
import Foundation
import TestSupport
import Testing

@Suite struct StreamAnalysisTests {
    @Test("Columns add up to the bits of the access units and locate coding tools", arguments: ["a.m4a", "a.aac"])
    func units(name: String) throws {
        let folder = try TemporaryFolder()
        let paths = try ReportSignal.sweep(seconds: 4).encode(folder, to: name)
        let file = try FileAnalysis(.file(paths.coded), threadCount: 2)
        let (units, probe) = (try #require(file.units), try #require(file.probe))
        #expect(probe.isIntact && units.hasTools)
        let column = file.signal.columns.grid.seconds / Double(units.bitRates.count)
        let bits = units.bitRates.reduce(0.0) { $0 + Double($1) * column }
        // Without the units of the priming and of the padding.
        #expect(abs(bits / Double(probe.payloadByteCount * 8) - 1) < 0.03)
        let short = units.fractions[UnitColumns.Tool.shortWindows.rawValue]
        #expect(short.contains { $0 > 0 } && short.filter { $0 > 0 }.count < short.count / 3)
        let both = units.fractions[UnitColumns.Tool.midSide.rawValue] + units.fractions[UnitColumns.Tool.sbr.rawValue]
        #expect(both.allSatisfy { 0...1 ~= $0 })
    }

    @Test("Locates added noise in time and frequency, and none in a copy")
    func noise() throws {
        let folder = try TemporaryFolder()
        let signal = ReportSignal.sweep(seconds: 6)
        let reference = try signal.write(folder, "a.wav")
        var noisy = signal
        var random = SeededRandom(seed: 31)
        for frame in 48_000 * 2..<48_000 * 3 { noisy.channels[0][frame] += Float.random(in: -0.05...0.05, using: &random) }
        let grid = try SignalAnalysis(.file(reference), seconds: nil, threadCount: 2).columns.grid
        let same = try #require(try NoiseColumns(reference: .file(reference), test: .file(reference), grids: (grid, grid), threadCount: 2))
        #expect(same.delay == 0 && same.values.allSatisfy { $0 <= -29.9 })
        let test = try noisy.write(folder, "b.wav")
        let found = try #require(try NoiseColumns(reference: .file(reference), test: .file(test), grids: (grid, grid), threadCount: 2))
        for column in 0..<grid.columnCount {
            let time = (Double(column) + 0.5) * 6 / Double(grid.columnCount)
            let largest = found.values[column * found.bandCount..<(column + 1) * found.bandCount].max() ?? 0
            if time > 2.05, time < 2.95 { #expect(largest > 10, "\(time) s") }
            if time < 1.9 || time > 3.1 { #expect(largest < -20, "\(time) s") }
        }
        // The same as by comparing the whole signals.
        let comparison = try SignalComparison(reference: AudioSignal(path: reference), test: AudioSignal(path: test), delay: 0)
        let mean = try #require(comparison.noiseToMaskRatio.total?.mean)
        #expect(abs(try #require(found.summary?.mean) - mean) < 0.5)
    }

    @Test("Noise is at the times of the test, which may be late and have another sample rate", arguments: [48_000, 44_100])
    func delayedNoise(sampleRate: Int) throws {
        let folder = try TemporaryFolder()
        let signal = ReportSignal.sweep(seconds: 6)
        let reference = try signal.write(folder, "a.wav")
        var late = signal
        var random = SeededRandom(seed: 31)
        for frame in 48_000 * 2..<48_000 * 3 { late.channels[0][frame] += Float.random(in: -0.05...0.05, using: &random) }
        late.channels = late.channels.map { [Float](repeating: 0, count: 14_400) + $0 }
        var configuration = FileConverterConfiguration()
        configuration.sampleRate = sampleRate
        let test = folder.path("b.wav")
        try FileConverter(input: try late.write(folder, "late.wav"), output: test, configuration: configuration).run()
        let grids = try [reference, test].map { try SignalAnalysis(.file($0), seconds: nil, threadCount: 2).columns.grid }
        let found = try #require(
            try NoiseColumns(reference: .file(reference), test: .file(test), grids: (grids[0], grids[1]), threadCount: 2))
        #expect(found.delay == 14_400 && found.values.count == grids[1].columnCount * found.bandCount)
        for column in 0..<grids[1].columnCount {
            let time = (Double(column) + 0.5) * grids[1].seconds / Double(grids[1].columnCount)
            // Bands below the sweep of this time. Resampling changes those near half of the rate.
            let lower = found.values[column * found.bandCount..<column * found.bandCount + found.bandCount / 3]
            let largest = lower.max() ?? 0
            if time > 2.35, time < 3.25 { #expect(largest > 5, "\(time) s") }
            if (0.5..<2.2).contains(time) || (3.4..<6).contains(time) { #expect(largest < 0, "\(time) s") }
        }
    }

    @Test("Reports damage with its position")
    func damage() throws {
        let folder = try TemporaryFolder()
        let path = try ReportSignal.sweep(seconds: 3).encode(folder, to: "a.aac").coded
        var stream = try bytes(ofFile: path)
        for index in stream.count / 2..<stream.count / 2 + 200 { stream[index] = 0x55 }
        let damaged = try folder.write(stream, to: "b.aac")
        let html = try AudioReport(analyzing: [.file(damaged)]).html
        #expect(html.contains("<h3>Damage</h3>") && html.contains("1 range"))
    }
}
