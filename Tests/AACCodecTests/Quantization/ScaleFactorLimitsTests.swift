// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Testing
import TransformEncoding

@Suite struct ScaleFactorLimitsTests {
    @Test("Raises scale factors that are more than 60 apart across bands without lines")
    func limitedDifferences() {
        var scaleFactors: [Int16] = [100, 127, 154, 181, 90, 60]
        let codebooks: [UInt8] = [5, 0, 0, 3, 7, BandCodebook.noise]
        var factors = scaleFactors.mutableSpan
        ScaleFactorSearch.limitDifferences(&factors, codebooks.span, bandCount: 6)
        #expect(scaleFactors == [121, 127, 154, 181, 121, 60])
    }
}
