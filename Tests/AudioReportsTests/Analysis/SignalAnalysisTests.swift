// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioLoudness
import AudioReports
import Foundation
import TestSupport
import Testing

@Suite struct SignalAnalysisTests {
    @Test("Columns divide a signal without gaps, for any length")
    func columns() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            let count = Int.random(in: 1...(Bool.random(using: &random) ? 5000 : 2_000_000_000), using: &random)
            let grid = ColumnGrid(frameCount: count, sampleRate: 48_000)
            #expect(grid.start(ofColumn: 0) == 0 && grid.start(ofColumn: grid.columnCount) == count)
            let column = Int.random(in: 0..<grid.columnCount, using: &random)
            let frames = grid.frames(ofColumn: column)
            #expect(!frames.isEmpty, "\(count) frames")
            let middle = (Double(frames.lowerBound) + Double(frames.count) / 2) / 48_000
            #expect(grid.column(atSeconds: middle) == column, "\(count) frames")
        }
    }

    @Test("Spectrogram shows a sweep and its gap")
    func sweep() throws {
        let folder = try TemporaryFolder()
        let path = try ReportSignal.sweep(seconds: 5).write(folder, "a.wav")
        let analysis = try SignalAnalysis(.file(path), seconds: nil, threadCount: 3)
        let columns = analysis.columns
        let rows = SignalColumns.rowCount
        for column in stride(from: 5, to: columns.grid.columnCount - 5, by: 7) {
            let part = (Double(column) + 0.5) / Double(columns.grid.columnCount)
            let levels = columns.spectrum[column * rows..<(column + 1) * rows]
            let (low, high) = (columns.minima[0][column], columns.maxima[0][column])
            if part > 0.61, part < 0.69 {
                #expect(levels.allSatisfy { $0 == -.infinity } && low == 0 && high == 0, "column \(column)")
            } else if part < 0.59 || part > 0.71 {
                let loudest = try #require(levels.indices.max { levels[$0] < levels[$1] })
                let frequency = (Double(loudest - column * rows) + 0.5) / Double(rows) * 24_000
                #expect(abs(frequency - ReportSignal.frequency(at: part)) < 120, "column \(column)")
                // The mean power of 0.5 and 0.25, less what falls between two points and what the sweep moves within a transform.
                #expect(-11.5...(-7.5) ~= levels[loudest], "column \(column)")
                // At a third of the sample rate no sample is at the peak.
                #expect(0.43...0.51 ~= max(high, -low), "column \(column)")
                #expect(abs(columns.levels[1][column] - 0.25 / Float(2).squareRoot()) < 0.02)
                #expect(columns.correlation[column] > 0.999)
                // (0.25² - 0.5²) / (0.25² + 0.5²) is -0.6: direction 20 - 12.
                let directions = columns.directions[column * SignalColumns.directionCount..<(column + 1) * SignalColumns.directionCount]
                #expect(directions[directions.startIndex + 8] > 0.99, "column \(column)")
            }
        }
    }

    @Test("Bark rows contain the frequency of a tone, also below 200 Hz", arguments: [60.0, 110, 440, 1000, 7000, 15_000])
    func barkRows(frequency: Double) throws {
        let folder = try TemporaryFolder()
        let tone = (0..<48_000).map { Float(0.5 * sin(2 * Double.pi * frequency * Double($0) / 48_000)) }
        let path = try ReportSignal(channels: [tone]).write(folder, "a.wav")
        let columns = try SignalAnalysis(.file(path), seconds: nil, threadCount: 1).columns
        let rows = SignalColumns.barkRowCount
        let levels = columns.barkSpectrum[600 * rows..<601 * rows]
        let loudest = try #require(levels.max())
        // Rows that share a transform bin are equally loud.
        let loudRows = levels.indices.filter { levels[$0] == loudest }.map { $0 - 600 * rows }
        let edges = SignalColumns.barkEdges(sampleRate: 48_000)
        let bin = 48_000.0 / 2048
        #expect(try edges[#require(loudRows.first)] - bin <= frequency && frequency <= edges[#require(loudRows.last) + 1] + bin)
        #expect(abs(loudest - -6) < 1.5)
    }

    @Test("Loudness and true peak equal the meter's")
    func loudness() throws {
        let folder = try TemporaryFolder()
        let path = try ReportSignal.sweep(seconds: 5).write(folder, "a.wav")
        let analysis = try SignalAnalysis(.file(path), seconds: nil, threadCount: 2)
        let expected = try FileLoudness(of: .file(path)).run()
        #expect(analysis.loudness.integrated == expected.integrated)
        #expect(analysis.loudness.maximumShortTerm == expected.maximumShortTerm)
        let peak = Double(SignalFigures.decibels(analysis.truePeak))
        #expect(abs(peak - (try #require(expected.truePeak))) < 0.001)
    }

    @Test("Measures all samples of a file whose length is unknown or wrong", arguments: [0, 24_000, 60_000])
    func wrongLength(stated: Int) throws {
        let folder = try TemporaryFolder()
        let path = try ReportSignal.sweep(seconds: 1).write(folder, "a.wav")
        let expected = try SignalAnalysis(.file(path), seconds: nil, threadCount: 2)
        let flac = folder.path("a.flac")
        try FileConverter(input: path, output: flac).run()
        // The number of samples is the last 36 bits before the checksum of STREAMINFO.
        let file = try #require(FileHandle(forUpdatingAtPath: flac))
        try file.seek(toOffset: 22)
        try file.write(contentsOf: withUnsafeBytes(of: UInt32(stated).bigEndian) { Data($0) })
        try file.close()
        let analysis = try SignalAnalysis(.file(flac), seconds: nil, threadCount: 2)
        #expect(analysis.columns.grid == expected.columns.grid)
        #expect(abs((analysis.loudness.integrated ?? 0) - (expected.loudness.integrated ?? 1)) < 0.001)
        let levels = try (#require(analysis.columns.levels[0].last), #require(expected.columns.levels[0].last))
        #expect(abs(levels.0 - levels.1) < 1e-5)
    }

    @Test("Analyzes short signals of one to eight channels", arguments: [(1, 1), (40, 2), (3000, 3), (9000, 8)])
    func small(frameCount: Int, channelCount: Int) throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 8)
        let signal = ReportSignal(channels: (0..<channelCount).map { _ in random.samples(frameCount, amplitude: 0.5) })
        let report = try AudioReport(analyzing: [.file(try signal.write(folder, "a.wav"))])
        #expect(report.html.contains("Waveform") && !report.pictures.isEmpty)
    }
}
