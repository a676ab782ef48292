// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Returns the ratio of a signal to its difference from another one in decibels, over the samples that both have.
public func signalToNoise(_ signal: [Float], _ other: [Float]) -> Double { signalToNoise(signal[...], other[...]) }

/// Returns the ratio of a part of a signal to its difference from a part of another one in decibels, over the samples that both have.
public func signalToNoise(_ signal: ArraySlice<Float>, _ other: ArraySlice<Float>) -> Double {
    var (power, noise) = (0.0, 0.0)
    for (wanted, found) in zip(signal, other) {
        let difference = Double(wanted) - Double(found)
        power += Double(wanted) * Double(wanted)
        noise += difference * difference
    }
    return 10 * log10(power / noise)
}

/// Returns a signal through a filter whose impulse response is an odd number of taps, without its delay.
public func convolved(_ signal: [Float], with taps: [Double]) -> [Float] {
    let half = taps.count / 2
    return signal.indices.map { frame in
        let range = max(0, frame - half)...min(signal.count - 1, frame + half)
        return Float(range.reduce(0.0) { $0 + taps[frame + half - $1] * Double(signal[$1]) })
    }
}
