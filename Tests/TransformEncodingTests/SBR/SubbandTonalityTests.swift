// SPDX-License-Identifier: Apache-2.0

import Testing
import TransformCoding
import TransformEncoding

@Suite struct SubbandTonalityTests {
    @Test func `half of white noise is unpredictable`() {
        var residuals: [Float] = []
        SubbandSignal.noise(1000).forEachFrame(6) { tonality in
            for subband in 0..<64 { residuals.append(tonality.residuals[subband]) }
        }
        let mean = residuals.reduce(0, +) / Float(residuals.count)
        #expect(mean > 0.45 && mean < 0.55, "\(mean)")
        let typical = residuals.count { (0.37...0.63).contains($0) }
        #expect(typical * 10 >= residuals.count * 8, "\(typical) of \(residuals.count)")
    }

    @Test func `one or two tones are almost fully predictable, with the energy in their subbands`() {
        for tones in [[(10_000.0, 3000.0)], [(9_950, 3000), (10_120, 2000)]] {
            SubbandSignal(tones: tones.map { (frequency: $0.0, amplitude: $0.1) }).forEachFrame(3) { tonality in
                // 10 kHz is in subband 26.
                #expect(tonality.residuals[26] < 0.02, "\(tonality.residuals[26])")
                var total: Float = 0
                for subband in 0..<64 { total += tonality.energies[subband] }
                let near = tonality.energies[25] + tonality.energies[26] + tonality.energies[27]
                #expect(near > 0.99 * total && total > 0)
            }
        }
    }

    @Test func `silence is not tonal and has no energy`() {
        SubbandSignal().forEachFrame(2) { tonality in
            for subband in 0..<64 {
                #expect(tonality.residuals[subband] == 1)
                #expect(tonality.energies[subband] == 0)
            }
        }
    }

    @Test func `tonality falls with added noise`() {
        var residuals: [Float] = []
        for noise in [0.0, 400, 1600, 6400, 25_600] {
            var last: Float = 0
            SubbandSignal(tones: [(10_000, 3000)], noise: noise).forEachFrame(2) { last = $0.residuals[26] }
            residuals.append(last)
        }
        #expect(residuals == residuals.sorted() && residuals[0] < 0.02 && residuals[4] > 0.2, "\(residuals)")
    }
}
