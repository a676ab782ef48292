// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Compares the choice of amplitude-panned bands with formulas in double precision and exhaustive search.
@Suite struct PannedBandTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)

    /// Fills two channels with noise.
    ///
    /// The right channel is the left one times `gain`, plus independent noise times `difference`.
    private static func channels(
        gain: Float, difference: Float, seed: UInt64, layout: borrowing BandLayout, left: inout ChannelSpectrum,
        right: inout ChannelSpectrum
    ) {
        var random = SeededRandom(seed: seed)
        for band in 0..<layout.count {
            left.noiseTargets[band] = 3000 * Float(layout.width(band))
            right.noiseTargets[band] = 3000 * Float(layout.width(band))
            for line in layout.lines(band) {
                left.lines[line] = Float.random(in: -1000...1000, using: &random)
                right.lines[line] = gain * left.lines[line] + difference * Float.random(in: -1000...1000, using: &random)
            }
        }
    }

    private static func energies(_ spectrum: borrowing ChannelSpectrum, layout: borrowing BandLayout) -> ContiguousArray<Float> {
        var result = ContiguousArray<Float>(repeating: 0, count: 120)
        for band in 0..<layout.count {
            for line in layout.lines(band) { result[band] += spectrum.lines[line] * spectrum.lines[line] }
        }
        return result
    }

    @Test(
        "A panned source is sent as one spectrum, the noise-weighted best fit to both channels",
        arguments: [0.3, 0.7, 1.6, -0.5, -2.5] as [Float], [false, true])
    func pannedSource(gain: Float, isShort: Bool) {
        var layout = BandLayout()
        if isShort {
            layout.setShort(lengths: [3, 5, 0, 0, 0, 0, 0, 0], groupCount: 2, bands: Self.bands, bandCount: 14)
        } else {
            layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        }
        var left = ChannelSpectrum(frameLength: 1024)
        var right = ChannelSpectrum(frameLength: 1024)
        Self.channels(gain: gain, difference: 0.01, seed: 3, layout: layout, left: &left, right: &right)
        let (before, rightLines) = (left.lines.values, right.lines.values)
        let targets = (left.noiseTargets.values, right.noiseTargets.values)
        let ofBands = (Self.energies(left, layout: layout), Self.energies(right, layout: layout))
        var intensity = IntensityStereo()
        let hasCopies = intensity.panBands(
            &left, &right, energies: (ofBands.0.span, ofBands.1.span), noiseScale: 0.5, layout: layout)
        #expect(hasCopies)
        for band in 0..<layout.count {
            #expect(right.replacements.codebooks[band] == (gain > 0 ? BandCodebook.intensityInPhase : BandCodebook.intensityOutOfPhase))
            let position = Int((2 * log2(Double(ofBands.0[band]) / Double(ofBands.1[band]))).rounded())
            #expect(right.replacements.values[band] == Int16(position))
            let factor = pow(2, -0.25 * Double(position)) * (gain > 0 ? 1 : -1)
            let weights = (1 / Double(targets.0[band]), 1 / Double(targets.1[band]))
            let sum = weights.0 + factor * factor * weights.1
            #expect(abs(Double(left.noiseTargets[band]) * sum - 1.2) < 1e-4)
            for line in layout.lines(band) {
                let sent = (weights.0 * Double(before[line]) + factor * weights.1 * Double(rightLines[line])) / sum
                #expect(abs(Double(left.lines[line]) - sent) < 0.01)
            }
        }
    }

    @Test(
        "Independent channels and centred sources are not copied",
        arguments: [(0, 1), (0.5, 1), (1, 0), (1, 0.05), (-1, 0)] as [(Float, Float)])
    func keptChannels(gain: Float, difference: Float) {
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        var left = ChannelSpectrum(frameLength: 1024)
        var right = ChannelSpectrum(frameLength: 1024)
        Self.channels(gain: gain, difference: difference, seed: 4, layout: layout, left: &left, right: &right)
        let before = left.lines.values
        let ofBands = (Self.energies(left, layout: layout), Self.energies(right, layout: layout))
        var intensity = IntensityStereo()
        let hasCopies = intensity.panBands(
            &left, &right, energies: (ofBands.0.span, ofBands.1.span), noiseScale: 0.5, layout: layout)
        #expect(!hasCopies)
        for line in 0..<1024 { #expect(left.lines[line] == before[line]) }
        for band in 0..<layout.count { #expect(right.replacements.codebooks[band] == 0) }
    }

    @Test("Runs of copies match an exhaustive search, for equal positions", arguments: 1...20 as ClosedRange<UInt64>)
    func runs(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: 10)
        var bitsSaved = ContiguousArray<Float>(repeating: -.infinity, count: 120)
        for band in 0..<10 where Int.random(in: 0...5, using: &random) > 0 { bitsSaved[band] = Float.random(in: -8...12, using: &random) }
        let positions = ContiguousArray<Int16>(repeating: 0, count: 120)
        let isCopy = IntensityStereo.chooseRuns(bitsSaved.span, positions: positions.span, layout: layout)
        // One bit per position, and six per start and end of a run.
        func gain(_ copies: (Int) -> Bool) -> Float {
            var result: Float = 0
            for band in 0..<10 {
                if copies(band) { result += bitsSaved[band] - 1 }
                if copies(band) && (band == 0 || !copies(band - 1)) { result -= 6 }
                if copies(band) && (band == 9 || !copies(band + 1)) { result -= 6 }
            }
            return result
        }
        var best: Float = 0
        for choice in 0..<1024 { best = max(best, gain { choice >> $0 & 1 != 0 }) }
        let found = gain { isCopy[$0] }
        #expect(abs(found - best) < 1e-3, "seed \(seed): \(found) of \(best)")
    }
}
