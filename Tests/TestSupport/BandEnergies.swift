// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Returns the energies of a signal in bands of equal width, summed over blocks under a Blackman-Harris window (92 dB).
///
/// - Parameters:
///   - samples: The signal. The remainder after the last complete block is ignored.
///   - bandCount: The number of bands, a divisor of 512.
package func bandEnergies(_ samples: [Double], bandCount: Int) -> [Double] {
    let length = 1024
    let cosines = (0..<length).map { cos(2 * .pi * Double($0) / Double(length)) }
    let window = (0..<length).map { n in
        0.35875 - 0.48829 * cosines[n] + 0.14128 * cosines[2 * n % length] - 0.01168 * cosines[3 * n % length]
    }
    var result = [Double](repeating: 0, count: bandCount)
    for start in stride(from: 0, through: samples.count - length, by: length / 2) {
        let block = (0..<length).map { samples[start + $0] * window[$0] }
        for line in 0..<length / 2 {
            var (real, imaginary) = (0.0, 0.0)
            for n in 0..<length {
                let phase = line * n % length
                real += block[n] * cosines[phase]
                imaginary += block[n] * cosines[(phase + length / 4) % length]
            }
            result[line * bandCount / (length / 2)] += real * real + imaginary * imaginary
        }
    }
    return result
}
