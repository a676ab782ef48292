// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// The bass post filter, which removes noise between the harmonics of a voice (ISO/IEC 23003-3, 7.17).
extension LPDState {
    /// Writes the output of a frame: the signal without what the filter removes.
    ///
    /// - Parameters:
    ///   - knownEnd: The time at which the signal ends that no later frame changes.
    ///   - output: Receives the samples of a frame.
    mutating func filterBass(until knownEnd: Int, into output: inout MutableSpan<Float>) {
        let half = frameLength / 2
        for index in 76..<residue.count { residue[index] = 0 }
        for slot in 1...frameLength / 64 where gains[slot] > 0 {
            computeResidue(at: 64 * slot - half, lag: lags[slot], gain: gains[slot], until: knownEnd)
        }
        let first = origin - half
        let source = signal.span
        var isNeeded = false
        for index in 0..<frameLength + 24 where residue[index] != 0 { isNeeded = true }
        for index in 0..<frameLength { output[index] = source[first &+ index] }
        guard isNeeded else { return }
        let table = ACELPTables.bassFilter
        let filter = table.span
        let removed = residue.span
        for index in 0..<frameLength {
            var sum = filter[0] * removed[12 &+ index]
            for tap in 1...12 { sum += filter[tap] * (removed[12 &+ index &- tap] + removed[12 &+ index &+ tap]) }
            output[index] -= sum
        }
    }

    /// Computes what the filter removes from 64 samples, before its low-pass.
    ///
    /// - Parameters:
    ///   - time: The time of the first sample.
    ///   - gain: The gain of the adaptive codebook; here it only says that there is one.
    private mutating func computeResidue(at time: Int, lag: Int, gain: Float, until knownEnd: Int) {
        let p = origin + time
        var lag = max(lag, 1)
        var (product, energy): (Float, Float) = (0, 1e-6)
        for i in p..<p + 64 {
            product += signal[i] * signal[i - lag]
            energy += signal[i - lag] * signal[i - lag]
        }
        var gain = min(max(product / energy, 0), 1)
        if correlation(at: p, lag: lag / 2) > 0.95 { lag /= 2 }
        let known = min(max(knownEnd - lag - time, 0), 64)
        if known > 0 {
            var (now, later): (Float, Float) = (0.01, 0.01)
            for i in p..<p + known {
                now += signal[i] * signal[i]
                later += signal[i + lag] * signal[i + lag]
            }
            gain = min(gain, (now / later).squareRoot())
        }
        // The output begins 12 samples after the first value kept.
        let target = time + frameLength / 2 + 12
        for i in 0..<64 {
            let past = signal[p + i - lag]
            residue[target + i] =
                i < known
                ? gain / 2 * (signal[p + i] - past / 2 - signal[p + i + lag] / 2) : gain / 2 * (signal[p + i] - past)
        }
    }

    /// Returns the correlation of the signal with itself at a lag, from 96 samples before an index to 64 after it.
    private func correlation(at p: Int, lag: Int) -> Float {
        var (product, energy, past): (Float, Float, Float) = (0.01, 0.01, 0.01)
        for i in p - 96..<p + 64 {
            product += signal[i] * signal[i - lag]
            energy += signal[i] * signal[i]
            past += signal[i - lag] * signal[i - lag]
        }
        return product / (energy * past).squareRoot()
    }
}
