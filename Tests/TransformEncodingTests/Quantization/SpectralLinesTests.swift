// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio
import Testing
import TransformCoding
import TransformEncoding

@Suite struct SpectralLinesTests {
    @Test("A band of a long window costs less without lines if it becomes noise", arguments: [WindowSequence.onlyLong, .eightShort])
    func filledBands(sequence: WindowSequence) {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        if sequence == .eightShort {
            layout.setShort(lengths: SIMD8(8, 0, 0, 0, 0, 0, 0, 0), groupCount: 1, bands: bands, bandCount: bands.shortCount)
        } else {
            layout.setLong(sequence, bands: bands, bandCount: bands.longCount)
        }
        var spectrum = ChannelSpectrum(frameLength: 1024)
        for line in 0..<1024 { spectrum.lines[line] = 10 }
        var silent = SpectralLines(lineCount: 1024, tupleWeights: SIMD8(repeating: 0))
        var filled = SpectralLines(lineCount: 1024, tupleWeights: SIMD8(repeating: 0))
        filled.firstFilledLine = 160
        _ = silent.prepare(&spectrum, layout: layout, noiseScale: 1)
        _ = filled.prepare(&spectrum, layout: layout, noiseScale: 1)
        var fewer = 0
        for band in 0..<layout.count {
            let (cost, filledCost) = (silent.bands[band].zeroCost(weight: 2), filled.bands[band].zeroCost(weight: 2))
            #expect(cost == 2 * silent.bands[band].energy * SpectralLines.Band.zeroPenalty)
            #expect(filledCost < cost || filledCost == cost && (sequence == .eightShort || layout.lines(band).lowerBound < 160))
            if filledCost < cost { fewer += 1 }
        }
        #expect((fewer > 0) == (sequence == .onlyLong))
    }
}
