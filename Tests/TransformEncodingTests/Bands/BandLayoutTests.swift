// SPDX-License-Identifier: Apache-2.0

import Testing
import TransformCoding
import TransformEncoding

@Suite struct BandLayoutTests {
    /// Four groups of eight short windows.
    private static let lengths: SIMD8<UInt8> = [1, 3, 2, 2, 0, 0, 0, 0]

    @Test("Short-window bands are contiguous and fill the frame", arguments: [1024, 960])
    func shortBands(frameLength: Int) {
        for index in 0...12 {
            let bands = ScaleFactorBands(samplingFrequencyIndex: index, frameLength: frameLength)
            var layout = BandLayout()
            layout.setShort(lengths: Self.lengths, groupCount: 4, bands: bands, bandCount: bands.shortCount)
            var line = 0
            for group in 0..<4 {
                for sfb in 0..<bands.shortCount {
                    let width = Int(bands.shortOffsets[sfb + 1] - bands.shortOffsets[sfb]) * Int(Self.lengths[group])
                    #expect(
                        layout.lines(group * bands.shortCount + sfb) == line..<line + width, "index \(index), group \(group), band \(sfb)")
                    line += width
                }
            }
            #expect(line == frameLength)
        }
    }

    @Test("Orders lines of short windows by group, band and window", arguments: [1024, 960])
    func interleaving(frameLength: Int) {
        for index in 0...12 {
            let bands = ScaleFactorBands(samplingFrequencyIndex: index, frameLength: frameLength)
            var layout = BandLayout()
            layout.setShort(lengths: Self.lengths, groupCount: 4, bands: bands, bandCount: bands.shortCount)
            let lines = (0..<frameLength).map(Float.init)
            var sent = [Float](repeating: -1, count: frameLength)
            var target = sent.mutableSpan
            layout.interleave(lines.span, into: &target, bands: bands)
            var expected: [Float] = []
            for windows in [0..<1, 1..<4, 4..<6, 6..<8] {
                for sfb in 0..<bands.shortCount {
                    for window in windows {
                        let band = Int(bands.shortOffsets[sfb])..<Int(bands.shortOffsets[sfb + 1])
                        expected += band.map { Float(window * frameLength / 8 + $0) }
                    }
                }
            }
            #expect(sent == expected, "index \(index)")
        }
    }
}
