// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct TNSFilterDesignTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)

    /// The lines of a pulse: a decaying sequence that is easy to predict.
    private static func predictableLines(_ random: inout SeededRandom) -> [Float] {
        var lines = [Float](repeating: 0, count: 1024)
        for line in 2..<1024 {
            lines[line] = 1.6 * lines[line - 1] - 0.8 * lines[line - 2] + Float.random(in: -100...100, using: &random)
        }
        return lines
    }

    /// Returns lines with the zero padding that the design requires.
    private static func padded(_ lines: ArraySlice<Float>) -> [Float] {
        let zeros = [Float](repeating: 0, count: TNSFilterDesign.margin)
        return zeros + lines + zeros
    }

    @Test("The decoder's filter inverts the encoder's", arguments: 1...5 as ClosedRange<UInt64>)
    func inverse(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let design = TNSFilterDesign(sampleRate: 48_000, bands: Self.bands)
        let lines = Self.predictableLines(&random)
        let range = design.range(bandCount: 49)
        let result = design.findFilter(Self.padded(lines[range]).span, count: range.count)
        #expect(result.filter.order > 0 && result.gain > 2)
        var residual = lines
        var target = residual.mutableSpan
        var predictor = TNSPredictor()
        predictor.set(result.filter, resolution: 4)
        TNSAnalysis.apply(predictor.coefficients.span, order: Int(result.filter.order), to: &target, in: range)
        let before = lines[range].reduce(0) { $0 + $1 * $1 }
        let after = residual[range].reduce(0) { $0 + $1 * $1 }
        #expect(after < before / 1.5)
        var data = TNSData()
        data.filterCounts[0] = 1
        data.resolutions[0] = 4
        data[0, 0] = result.filter
        var synthesized = residual.mutableSpan
        var synthesis = TNSSynthesis()
        synthesis.synthesize(data, sequence: .onlyLong, bandCount: 49, bands: Self.bands, in: &synthesized)
        for line in 0..<1024 { #expect(abs(residual[line] - lines[line]) < 0.05, "seed \(seed), line \(line)") }
    }

    @Test("Noise gets no filter")
    func noise() {
        var random = SeededRandom(seed: 9)
        let design = TNSFilterDesign(sampleRate: 48_000, bands: Self.bands)
        let lines = (0..<1024).map { _ in Float.random(in: -100...100, using: &random) }
        let range = design.range(bandCount: 49)
        let result = design.findFilter(Self.padded(lines[range]).span, count: range.count)
        #expect(result.filter.order == 0)
    }
}
