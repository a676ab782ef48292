// SPDX-License-Identifier: Apache-2.0

import AACCodec
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct CodebookCurvesTests {
    @Test("The two-term series is within 3 % of the exact distortion", arguments: 1...10 as ClosedRange<UInt64>)
    func distortion(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        var lines = SpectralLines(lineCount: 1024, tupleWeights: SpectralBitTables.Indices.weights)
        var spectrum = ChannelSpectrum(frameLength: 1024)
        for line in 0..<1024 { spectrum.lines[line] = Float.random(in: -1000...1000, using: &random) }
        spectrum.noiseTargets.fill(40_000)
        _ = lines.prepare(&spectrum, layout: layout, noiseScale: 1)
        var curves = CostCurves()
        var measurement = CodebookCurves()
        let effort = SearchEffort.best
        measurement.measure(
            lines.quads.span, lines.bands.span, peak: lines.peak, noiseTargets: spectrum.noiseTargets.span, noiseScale: 1,
            weights: spectrum.noiseTargets.span, isComplete: true, effort: effort, layout: layout, into: &curves)
        var checked = 0
        for band in stride(from: 0, to: layout.count, by: 5) {
            for candidate in stride(from: 0, to: effort.candidateCount, by: 3) {
                let place = band * CostCurves.candidateCount + candidate
                guard curves.bits[place] < .infinity else { continue }
                let scaleFactor = Int(curves.firstScaleFactors[band]) + candidate
                let step = PortableMath.power(2, Double(scaleFactor - 100) / 4)
                var exact = 0.0
                for line in layout.lines(band) {
                    let x = Double(abs(spectrum.lines[line]))
                    let q = Double(Int(PortableMath.power(x / step, 0.75) + Double(effort.searchRounding)))
                    let error = x - PortableMath.power(q, 4.0 / 3) * step
                    exact += error * error
                }
                #expect(
                    abs(Double(curves.distortions[place]) / exact - 1) < 0.03, "seed \(seed), band \(band), scale factor \(scaleFactor)")
                checked += 1
            }
        }
        #expect(checked > 20)
    }

    @Test("Leaves out only candidates that cost at least four bits more than the cheapest", arguments: 1...10 as ClosedRange<UInt64>)
    func finestLeftOut(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        var lines = SpectralLines(lineCount: 1024, tupleWeights: SpectralBitTables.Indices.weights)
        var spectrum = ChannelSpectrum(frameLength: 1024)
        for band in 0..<layout.count {
            let level = PortableMath.exp2(random.float(in: 2...14))
            for line in layout.lines(band) { spectrum.lines[line] = random.float(in: -level...level) * random.float(in: 0...1) }
            spectrum.noiseTargets[band] = level * level * Float(layout.width(band)) / PortableMath.exp2(random.float(in: 0...12))
        }
        _ = lines.prepare(&spectrum, layout: layout, noiseScale: 1)
        // As set by a coder.
        var weights = ContiguousArray<Float>(repeating: 0, count: BandLayout.maximumCount)
        for band in 0..<layout.count { weights[band] = Float(layout.width(band)) / (spectrum.noiseTargets[band] * 1.386) }
        var curves = CostCurves()
        var complete = CostCurves()
        var measurement = CodebookCurves()
        let effort = SearchEffort.balanced
        measurement.measure(
            lines.quads.span, lines.bands.span, peak: lines.peak, noiseTargets: spectrum.noiseTargets.span, noiseScale: 1,
            weights: weights.span, effort: effort, layout: layout, into: &curves)
        measurement.measure(
            lines.quads.span, lines.bands.span, peak: lines.peak, noiseTargets: spectrum.noiseTargets.span, noiseScale: 1,
            weights: weights.span, isComplete: true, effort: effort, layout: layout, into: &complete)
        var leftOut = 0
        for band in 0..<layout.count {
            let lowest = complete.lowestCost(band, weight: weights[band], effort: effort)
            for candidate in band * CostCurves.candidateCount..<band * CostCurves.candidateCount + effort.candidateCount {
                let cost = complete.bits[candidate] + complete.distortions[candidate] * weights[band]
                if curves.bits[candidate] == complete.bits[candidate] { continue }
                #expect(cost >= lowest + 4, "seed \(seed), band \(band)")
                leftOut += 1
            }
        }
        #expect(leftOut > 20, "seed \(seed)")
    }

    @Test(
        "Every candidate can be coded, next to the loudest band's, however low the noise target",
        arguments: 1...10 as ClosedRange<UInt64>)
    func finest(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        var lines = SpectralLines(lineCount: 1024, tupleWeights: SpectralBitTables.Indices.weights)
        var spectrum = ChannelSpectrum(frameLength: 1024)
        let loudness = random.float(in: 1...1e7)
        for band in 0..<layout.count {
            let level = loudness / PortableMath.exp2(random.float(in: 0...20))
            for line in layout.lines(band) { spectrum.lines[line] = random.float(in: -level...level) }
        }
        spectrum.noiseTargets.fill(100)
        _ = lines.prepare(&spectrum, layout: layout, noiseScale: 1)
        let peaks = (0..<layout.count).map { lines.bands[$0].peak }
        var curves = CostCurves()
        var measurement = CodebookCurves()
        for effort in [SearchEffort.fast, .balanced, .best, .trial] {
            let noiseScale = PortableMath.exp2(random.float(in: -20...0))
            measurement.measure(
                lines.quads.span, lines.bands.span, peak: lines.peak, noiseTargets: spectrum.noiseTargets.span, noiseScale: noiseScale,
                weights: spectrum.noiseTargets.span, isComplete: true, effort: effort, layout: layout, into: &curves)
            let firstScaleFactors = curves.firstScaleFactors.values[..<layout.count]
            for (band, first) in firstScaleFactors.enumerated() {
                let largest = peaks[band] * Quantizer.steps[Int(first)].inversePower34 + SearchEffort.nearest
                #expect(Int(largest) <= Quantizer.maximumMagnitude, "seed \(seed), band \(band)")
            }
            let loudest = peaks.indices.max { peaks[$0] < peaks[$1] } ?? 0
            let finest = firstScaleFactors.min() ?? 0
            let reached = Int(PortableMath.log2(peaks[loudest] / 8190) * 16 / 3) + 100 - ScaleFactorCodebook.maximumDifference
            #expect(finest >= reached, "seed \(seed)")
        }
    }
}
