// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import TestSupport
import Testing

@testable import AACCodec

/// The choice by energies, against the entropies of both forms in double precision.
@Suite struct MidSideDecisionTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
    private static let noiseScale = 0.7

    /// Returns the bits by which left and right exceed middle and side in a band.
    private static func bitsSaved(
        _ first: borrowing ChannelSpectrum, _ second: borrowing ChannelSpectrum, band: Int, lines: Range<Int>
    ) -> Double {
        let scale = noiseScale / Double(lines.count)
        let (left, right) = (Double(first.noiseTargets[band]) * scale, Double(second.noiseTargets[band]) * scale)
        let shared = 0.6 * min(left, right)
        return lines.reduce(0) { sum, line in
            let (l, r) = (Double(first.lines[line]), Double(second.lines[line]))
            let (middle, side) = ((l + r) / 2, (l - r) / 2)
            return sum
                + (log2(1 + l * l / left) + log2(1 + r * r / right) - log2(1 + middle * middle / shared) - log2(1 + side * side / shared))
                / 2
        }
    }

    /// Fills two channels with lines of all degrees of likeness, the same in no two bands.
    private static func fill(
        _ first: inout ChannelSpectrum, _ second: inout ChannelSpectrum, layout: borrowing BandLayout, random: inout SeededRandom
    ) {
        for band in 0..<layout.count {
            let likeness = Float.random(in: -1...1, using: &random)
            let width = Float(layout.width(band))
            first.noiseTargets[band] = width * Float.random(in: 500...4000, using: &random)
            second.noiseTargets[band] = width * Float.random(in: 500...4000, using: &random)
            for line in layout.lines(band) {
                let (common, own) = (Float.random(in: -300...300, using: &random), Float.random(in: -300...300, using: &random))
                first.lines[line] = common
                second.lines[line] = likeness * common + (1 - abs(likeness)) * own
            }
        }
    }

    @Test("Each band takes the form with fewer bits, with two bits of hysteresis in long windows", arguments: 1...6 as ClosedRange<UInt64>)
    func decisions(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let isShort = seed % 3 == 0
        var layout = BandLayout()
        if isShort {
            layout.setShort(lengths: [3, 5, 0, 0, 0, 0, 0, 0], groupCount: 2, bands: Self.bands, bandCount: Self.bands.shortCount)
        } else {
            layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        }
        var stereo = MidSideStereo()
        var previous = [Bool](repeating: false, count: layout.count)
        var counts = (joint: 0, separate: 0)
        for frame in 0..<8 {
            var first = ChannelSpectrum()
            var second = ChannelSpectrum()
            Self.fill(&first, &second, layout: layout, random: &random)
            let saved = (0..<layout.count).map { Self.bitsSaved(first, second, band: $0, lines: layout.lines($0)) }
            stereo.decide(&first, &second, noiseScale: Float(Self.noiseScale), layout: layout)
            for band in 0..<layout.count {
                let margin = !isShort && previous[band] ? -2.0 : 2.0
                let isJoint = stereo.usesMidSide[band]
                // Single precision may differ where both forms take the same number of bits.
                if abs(saved[band] - margin) > 0.01 {
                    #expect(isJoint == (saved[band] > margin), "seed \(seed), frame \(frame), band \(band)")
                }
                previous[band] = isJoint
                if isJoint { counts.joint += 1 } else { counts.separate += 1 }
            }
        }
        #expect(counts.joint > 40 && counts.separate > 40, "seed \(seed): \(counts)")
    }

    @Test("The decoder's sums and differences restore left and right", arguments: 1...4 as ClosedRange<UInt64>)
    func synthesis(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        var first = ChannelSpectrum()
        var second = ChannelSpectrum()
        Self.fill(&first, &second, layout: layout, random: &random)
        let (left, right) = ((0..<1024).map { first.lines[$0] }, (0..<1024).map { second.lines[$0] })
        var stereo = MidSideStereo()
        stereo.decide(&first, &second, noiseScale: Float(Self.noiseScale), layout: layout)
        var info = ICSInfo()
        info.maxSFB = layout.count
        let codebooks = [UInt8](repeating: 1, count: ICSInfo.bandCapacity)
        var spectrum = (0..<1024).map { first.lines[$0] } + (0..<1024).map { second.lines[$0] }
        var lines = spectrum.mutableSpan
        MidSideSynthesis.synthesize(
            stereo.mask(layout: layout), codebooks: (codebooks.span, codebooks.span),
            division: FrameDivision(info: info, bands: Self.bands), offsets: (0, 1024), in: &lines)
        for line in 0..<1024 {
            #expect(
                abs(spectrum[line] - left[line]) < 1e-4 && abs(spectrum[1024 + line] - right[line]) < 1e-4, "seed \(seed), line \(line)")
        }
    }
}
