// SPDX-License-Identifier: Apache-2.0

import Testing
import TransformEncoding

@Suite struct LoudnessSmootherTests {
    @Test("Steady loudness is unchanged")
    func steady() {
        var smoother = LoudnessSmoother(frameLength: 1024)
        for _ in 0..<10 { #expect(smoother.update(with: 20, weight: 0.3) == 20) }
    }

    @Test("Smoothed loudness is lower in a transient and higher after it")
    func attackAndDecay() {
        var smoother = LoudnessSmoother(frameLength: 1024)
        _ = smoother.update(with: 20, weight: 0.3)
        let attack = smoother.update(with: 26, weight: 0.3)
        #expect(attack < 26 && attack > 20)
        for _ in 0..<20 { _ = smoother.update(with: 26, weight: 0.3) }
        let after = smoother.update(with: 20, weight: 0.3)
        #expect(after > 20 && after < 23)
        for _ in 0..<300 { _ = smoother.update(with: 20, weight: 0.3) }
        #expect(abs(smoother.update(with: 20, weight: 0.3) - 20) < 0.1)
    }

    @Test("Limits the influence of large loudness changes")
    func bounds() {
        var smoother = LoudnessSmoother(frameLength: 1024)
        _ = smoother.update(with: 0, weight: 0.3)
        #expect(smoother.update(with: 30, weight: 0.3) > 27)
        #expect(smoother.update(with: 0, weight: 0.3) < 3)
    }

    @Test("Reset discards the history")
    func forgetting() {
        var smoother = LoudnessSmoother(frameLength: 1024)
        _ = smoother.update(with: 30, weight: 0.3)
        smoother.reset()
        #expect(smoother.update(with: 10, weight: 0.3) == 10)
    }
}
