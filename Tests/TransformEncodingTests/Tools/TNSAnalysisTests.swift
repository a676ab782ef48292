// SPDX-License-Identifier: Apache-2.0

import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Compares TNS filters and decisions with linear prediction in double precision.
@Suite struct TNSAnalysisTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
    private static let noiseScale: Float = 0.5

    /// The reflection coefficients of lines, from a lag-windowed autocorrelation and the Levinson-Durbin recursion.
    private static func reflections(_ lines: ArraySlice<Double>, order: Int) -> [Double] {
        let lines = Array(lines)
        var correlation = (0...order).map { lag -> Double in
            let sum = (lag..<lines.count).reduce(0.0) { $0 + lines[$1] * lines[$1 - lag] }
            return sum * exp(-0.002 * Double(lag * lag))
        }
        correlation[0] *= 1 + 1e-5
        var predictor = [Double]()
        var error = correlation[0]
        return (1...order).map { m -> Double in
            var sum = correlation[m]
            for i in predictor.indices { sum += predictor[i] * correlation[m - 1 - i] }
            let reflection = -sum / error
            predictor = zip(predictor, predictor.reversed()).map { $0 + reflection * $1 } + [reflection]
            error *= 1 - reflection * reflection
            return reflection
        }
    }

    /// The 4-bit index of a reflection coefficient before rounding (ISO/IEC 14496-3:2009, 4.6.9.3).
    private static func position(_ reflection: Double) -> Double { asin(reflection) * 2 / Double.pi * (reflection >= 0 ? 7.5 : 8.5) }

    private static func coefficient(_ index: Int) -> Double { sin(Double(index) * Double.pi / 2 / (index >= 0 ? 7.5 : 8.5)) }

    /// Lines with the autocorrelation of a decaying oscillation.
    ///
    /// Their level falls with frequency.
    private static func lines(_ random: inout SeededRandom) -> [Float] {
        var lines = [Float](repeating: 0, count: 1024)
        let (radius, angle) = (Float.random(in: 0.82...0.92, using: &random), Float.random(in: 0.2...2.8, using: &random))
        for line in 2..<1024 {
            lines[line] = 2 * radius * cos(angle) * lines[line - 1] - radius * radius * lines[line - 2]
            lines[line] += Float.random(in: -500...500, using: &random)
        }
        return lines
    }

    private static func layout() -> BandLayout {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: 49)
        return layout
    }

    @Test("Filters match linear prediction, and lines become the residual", arguments: 1...8 as ClosedRange<UInt64>)
    func filters(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let layout = Self.layout()
        let design = TNSFilterDesign(sampleRate: 48_000, bands: Self.bands)
        let targets = (0..<120).map { _ in Float.random(in: 1000...4000, using: &random) }
        let original = Self.lines(&random)
        var spectrum = original
        var analysis = TNSAnalysis(frameLength: 1024)
        var span = spectrum.mutableSpan
        let found = analysis.analyze(&span, noiseTargets: targets.span, noiseScale: Self.noiseScale, layout: layout, design: design)
        let range = design.range(bandCount: 49)

        var weighted = original.map(Double.init)
        for band in 0..<layout.count {
            for line in layout.lines(band) { weighted[line] *= (Double(layout.width(band)) / Double(targets[band])).squareRoot() }
        }
        let positions = Self.reflections(weighted[range], order: 12).map(Self.position)
        let indices = positions.map { max(-8, min(Int($0.rounded()), 7)) }
        let order = (indices.lastIndex { abs(Self.coefficient($0)) >= 0.1 } ?? -1) + 1
        let gain = indices[..<order].reduce(1) { $0 / (1 - pow(Self.coefficient($1), 2)) }
        try #require(gain > 1.5, "seed \(seed): the lines are predictable")
        let filter = try #require(found, "seed \(seed)")[0, 0]
        #expect(Int(filter.order) == order && !filter.isDownward, "seed \(seed)")
        for m in 0..<order where abs(positions[m] - positions[m].rounded(.down) - 0.5) > 0.01 {
            #expect(Int(filter.coefficients[m]) == indices[m], "seed \(seed), coefficient \(m)")
        }
        // The predictor for the sent coefficients, from the step-up recursion.
        var predictor = [Double]()
        for m in 0..<Int(filter.order) {
            let k = Self.coefficient(Int(filter.coefficients[m]))
            predictor = zip(predictor, predictor.reversed()).map { $0 + k * $1 } + [k]
        }
        for line in 0..<1024 {
            var expected = Double(original[line])
            if range.contains(line) {
                for (i, a) in predictor.enumerated() where line - 1 - i >= range.lowerBound {
                    expected += a * Double(original[line - 1 - i])
                }
            }
            #expect(abs(Double(spectrum[line]) - expected) < 0.02, "seed \(seed), line \(line)")
        }
    }

    @Test("Noise is unchanged", arguments: 1...5 as ClosedRange<UInt64>)
    func noise(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let original = random.samples(1024, amplitude: 1000)
        var spectrum = original
        var span = spectrum.mutableSpan
        var analysis = TNSAnalysis(frameLength: 1024)
        let targets = [Float](repeating: 1000, count: 120)
        let found = analysis.analyze(
            &span, noiseTargets: targets.span, noiseScale: Self.noiseScale, layout: Self.layout(),
            design: TNSFilterDesign(sampleRate: 48_000, bands: Self.bands))
        #expect(found == nil && spectrum == original, "seed \(seed)")
    }

    @Test("Predictable lines far below their noise targets are unchanged")
    func inaudible() {
        var random = SeededRandom(seed: 11)
        let original = Self.lines(&random).map { $0 * 1e-4 }
        var spectrum = original
        var span = spectrum.mutableSpan
        var analysis = TNSAnalysis(frameLength: 1024)
        let targets = [Float](repeating: 1e8, count: 120)
        let layout = Self.layout()
        let found = analysis.analyze(
            &span, noiseTargets: targets.span, noiseScale: Self.noiseScale, layout: layout,
            design: TNSFilterDesign(sampleRate: 48_000, bands: Self.bands))
        var saved = 0.0
        for band in 0..<layout.count {
            let inverse = Double(layout.width(band)) / 1e8 / Double(Self.noiseScale)
            for line in layout.lines(band) {
                saved += log2((1 + pow(Double(original[line]), 2) * inverse) / (1 + pow(Double(spectrum[line]), 2) * inverse))
            }
        }
        #expect(found == nil ? spectrum == original : saved > 0)
    }

    @Test("Noise targets fall by the prediction gain, at most by 18 dB", arguments: 1...3 as ClosedRange<UInt64>)
    func targets(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let layout = Self.layout()
        var spectrum = ChannelSpectrum(frameLength: 1024)
        var energies = [Float](repeating: 0, count: 120)
        for line in 0..<1024 { spectrum.lines[line] = Float.random(in: -100...100, using: &random) }
        for band in 0..<layout.count {
            spectrum.noiseTargets[band] = 1000
            energies[band] = exp2(Float.random(in: 8...28, using: &random))
        }
        var analysis = TNSAnalysis(frameLength: 1024)
        analysis.lowerTargets(of: &spectrum, energiesBefore: energies.span, layout: layout)
        for band in 0..<layout.count {
            let residual = layout.lines(band).reduce(0) { $0 + pow(Double(spectrum.lines[$1]), 2) }
            let gain = min(max(Double(energies[band]) / residual, 1), 64)
            let expected = 1000 / gain
            let target = Double(spectrum.noiseTargets[band])
            #expect(abs(target / expected - 1) < 1e-3, "seed \(seed), band \(band)")
        }
    }
}
