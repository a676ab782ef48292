// SPDX-License-Identifier: Apache-2.0

import AACCodec
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct MidSideSynthesisTests {
    private static let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
    private static let noiseScale = 0.7

    /// Fills two channels with lines of varying similarity, different in each band.
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

    @Test("Sums and differences restore left and right", arguments: 1...4 as ClosedRange<UInt64>)
    func synthesis(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: Self.bands, bandCount: Self.bands.longCount)
        var first = ChannelSpectrum(frameLength: 1024)
        var second = ChannelSpectrum(frameLength: 1024)
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
