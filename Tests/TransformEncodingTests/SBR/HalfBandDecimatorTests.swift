// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TransformCoding
import TransformEncoding

@Suite struct HalfBandDecimatorTests {
    /// The gain of a tone, in decibels.
    ///
    /// The frequency is relative to the input sample rate.
    private func gain(_ frequency: Double) -> Double {
        var filter = HalfBandDecimator(blockLength: 1024)
        var output = [Float](repeating: 0, count: 1024)
        var energy = 0.0
        for block in 0..<3 {
            let input = (0..<2048).map { Float(sin(2 * Double.pi * frequency * Double(2048 * block + $0))) }
            var target = output.mutableSpan
            filter.decimate(input.span, into: &target)
            if block > 0 { energy += output.reduce(0) { $0 + Double($1) * Double($1) } }
        }
        return 10 * log10(energy / 1024)
    }

    @Test func `passes the lower half of the spectrum and rejects the upper half`() {
        for frequency in [0.001, 0.05, 0.1, 0.15, 0.21] { #expect(abs(gain(frequency)) < 0.1, "\(frequency)") }
        for frequency in [0.29, 0.35, 0.4, 0.45, 0.499] { #expect(gain(frequency) < -65, "\(frequency)") }
    }

    @Test func `the delay is 30 input samples`() {
        var filter = HalfBandDecimator(blockLength: 1024)
        var output = [Float](repeating: 0, count: 1024)
        var input = [Float](repeating: 0, count: 2048)
        input[1000] = 1
        var target = output.mutableSpan
        filter.decimate(input.span, into: &target)
        for distance in 0..<16 { #expect(output[515 - distance] == output[515 + distance]) }
        #expect(output[515] == 0.5)
    }
}
