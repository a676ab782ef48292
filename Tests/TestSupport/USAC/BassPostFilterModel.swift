// SPDX-License-Identifier: Apache-2.0

/// The bass post filter, following the standard's text in double precision (ISO/IEC 23003-3, 7.17).
///
/// Planted faults: the residue is added (sign). Half of a lag is rounded upwards (index). The end of the known signal is one sample later
/// (boundary).
package struct BassPostFilterModel {
    private let taps = UnifiedTables.shared.bassFilter
    private let fault: PlantedFault?
    /// The number of subframes with a halved lag, and of those that reach the end of the known signal.
    package private(set) var halvedCount = 0
    package private(set) var limitedCount = 0

    package init(fault: PlantedFault? = nil) { self.fault = fault }

    /// Returns a frame's output, and its residue starting 12 samples before the output.
    ///
    /// - Parameters:
    ///   - signal: The signal.
    ///   - origin: The index of the first output sample in the signal.
    ///   - count: The number of output samples.
    ///   - knownEnd: The end of the part of the signal that later frames do not change.
    ///   - pastResidue: The residue of the preceding 76 samples.
    ///   - lags: The lag of each 64 samples of the output.
    ///   - gains: The gain of each 64 samples of the output.
    package mutating func filter(
        _ signal: [Double], origin: Int, count: Int, knownEnd: Int, pastResidue: [Double], lags: [Int], gains: [Double]
    ) -> (output: [Double], residue: [Double]) {
        var residue = pastResidue
        for subframe in 1...count / 64 {
            residue += self.residue(
                signal, at: origin + 64 * subframe, lag: lags[subframe], gain: gains[subframe],
                knownEnd: fault == .boundary ? knownEnd + 1 : knownEnd)
        }
        let output = (0..<count).map { n in
            let removed = (-12...12).reduce(0.0) { $0 + taps[abs($1)] * residue[n + 12 + $1] }
            return signal[origin + n] + (fault == .sign ? removed : -removed)
        }
        return (output, residue)
    }

    /// Returns the residue of 64 samples.
    private mutating func residue(_ s: [Double], at p: Int, lag: Int, gain: Double, knownEnd: Int) -> [Double] {
        func product(_ range: Range<Int>, _ a: Int, _ b: Int) -> Double { range.reduce(0) { $0 + s[p + $1 + a] * s[p + $1 + b] } }
        guard gain > 0 else { return [Double](repeating: 0, count: 64) }
        var gain = product(0..<64, 0, -lag) / (1e-6 + product(0..<64, -lag, -lag))
        gain = min(max(gain, 0), 1)
        guard gain > 0 else { return [Double](repeating: 0, count: 64) }
        var lag = lag
        let half = fault == .index ? (lag + 1) / 2 : lag / 2
        let energies = (0.01 + product(-96..<64, 0, 0)) * (0.01 + product(-96..<64, -half, -half))
        if (0.01 + product(-96..<64, 0, -half)) / energies.squareRoot() > 0.95 {
            lag = half
            halvedCount += 1
        }
        let known = min(max(knownEnd - lag - p, 0), 64)
        if known < 64 { limitedCount += 1 }
        if known > 0 {
            gain = min(gain, ((0.01 + product(0..<known, 0, 0)) / (0.01 + product(0..<known, lag, lag))).squareRoot())
        }
        return (0..<64).map { i in
            let n = p + i
            return i < known ? gain / 2 * (s[n] - s[n - lag] / 2 - s[n + lag] / 2) : gain / 2 * (s[n] - s[n - lag])
        }
    }
}
