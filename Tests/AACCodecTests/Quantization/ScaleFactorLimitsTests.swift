// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Testing
import TransformEncoding

@Suite struct ScaleFactorLimitsTests {
    @Test("Scale factors that bands without lines leave too far apart are brought within 60 of each other by coarser steps")
    func limitedDifferences() {
        var scaleFactors: [Int16] = [100, 127, 154, 181, 90, 60]
        let codebooks: [UInt8] = [5, 0, 0, 3, 7, BandCodebook.noise]
        var factors = scaleFactors.mutableSpan
        ScaleFactorSearch.limitDifferences(&factors, codebooks.span, bandCount: 6)
        #expect(scaleFactors == [121, 127, 154, 181, 121, 60])
    }
}
