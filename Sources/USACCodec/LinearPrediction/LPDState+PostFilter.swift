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
        let removed = residue.span
        var magnitudes = SIMD4<Float>(repeating: 0)
        for index in stride(from: 0, to: frameLength + 24, by: 4) { magnitudes += removed.vector(at: index).magnitudes }
        let isNeeded = magnitudes.laneSum != 0
        for index in stride(from: 0, to: frameLength, by: 4) { output.store(source.vector(at: first &+ index), at: index) }
        guard isNeeded else { return }
        let table = ACELPTables.bassFilter
        let filter = table.span
        for index in stride(from: 0, to: frameLength, by: 8) {
            let values = removed.extracting(index..<index &+ 32)
            var (low, high) = (values.vector(at: 12) * filter[0], values.vector(at: 16) * filter[0])
            for tap in 1...12 {
                let factor = SIMD4(repeating: filter[tap])
                low += (values.vector(at: 12 &- tap) + values.vector(at: 12 &+ tap)) * factor
                high += (values.vector(at: 16 &- tap) + values.vector(at: 16 &+ tap)) * factor
            }
            output.store(output.vector(at: index) - low, at: index)
            output.store(output.vector(at: index &+ 4) - high, at: index &+ 4)
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
        let source = signal.span
        var (products, energies) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        for i in stride(from: p, to: p + 64, by: 4) {
            let (now, past) = (source.vector(at: i), source.vector(at: i &- lag))
            products += now * past
            energies += past * past
        }
        let (product, energy) = (products.laneSum, 1e-6 + energies.laneSum)
        var gain = min(max(product / energy, 0), 1)
        if correlation(at: p, lag: lag / 2) > 0.95 { lag /= 2 }
        let known = min(max(knownEnd - lag - time, 0), 64)
        if known > 0 {
            var (now, later): (Float, Float) = (0.01, 0.01)
            for i in p..<p + known {
                now += source[i] * source[i]
                later += source[i + lag] * source[i + lag]
            }
            gain = min(gain, (now / later).squareRoot())
        }
        // The output begins 12 samples after the first value kept.
        let target = time + frameLength / 2 + 12
        var removed = residue.mutableSpan
        let half = gain / 2
        if known == 64 {
            for i in stride(from: 0, to: 64, by: 4) {
                let around = source.vector(at: p &+ i &- lag) * 0.5 + source.vector(at: p &+ i &+ lag) * 0.5
                removed.store((source.vector(at: p &+ i) - around) * half, at: target &+ i)
            }
            return
        }
        for i in 0..<known { removed[target + i] = half * (source[p + i] - source[p + i - lag] / 2 - source[p + i + lag] / 2) }
        for i in known..<64 { removed[target + i] = half * (source[p + i] - source[p + i - lag]) }
    }

    /// Returns the correlation of the signal with itself at a lag, from 96 samples before an index to 64 after it.
    private func correlation(at p: Int, lag: Int) -> Float {
        let source = signal.span
        var (products, energies, pastEnergies) = (
            SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0)
        )
        for i in stride(from: p - 96, to: p + 64, by: 4) {
            let (now, past) = (source.vector(at: i), source.vector(at: i &- lag))
            products += now * past
            energies += now * now
            pastEnergies += past * past
        }
        let (product, energy, past) = (0.01 + products.laneSum, 0.01 + energies.laneSum, 0.01 + pastEnergies.laneSum)
        return product / (energy * past).squareRoot()
    }
}
