// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import Foundation
import TestSupport
import Testing

@Suite struct FourierTransformTests {
    @Test("Spectra match the definition", arguments: [2, 8, 64])
    func definition(size: Int) {
        var random = SeededRandom(seed: UInt64(size))
        let input = (0..<2).map { _ in (0..<size).map { _ in Double.random(in: -1...1, using: &random) } }
        var (real, imaginary) = (input[0], input[1])
        FourierTransform(size: size).forward(&real, &imaginary)
        for k in 0..<size {
            var (re, im) = (0.0, 0.0)
            for n in 0..<size {
                let angle = -2 * Double.pi * Double(k * n) / Double(size)
                re += input[0][n] * cos(angle) - input[1][n] * sin(angle)
                im += input[0][n] * sin(angle) + input[1][n] * cos(angle)
            }
            #expect(abs(re - real[k]) < 1e-12 * Double(size) && abs(im - imaginary[k]) < 1e-12 * Double(size))
        }
        let (first, second) = HalfSpectrum.pair(real, imaginary)
        for (channel, spectrum) in [first, second].enumerated() {
            var (alone, none) = (input[channel], [Double](repeating: 0, count: size))
            FourierTransform(size: size).forward(&alone, &none)
            for k in 0...size / 2 {
                #expect(
                    abs(alone[k] - spectrum.real[k]) < 1e-12 * Double(size) && abs(none[k] - spectrum.imaginary[k]) < 1e-12 * Double(size))
            }
        }
    }
}
