// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The bass post filter, which removes noise between a voice's harmonics (ISO/IEC 23003-3, 7.17).
extension LPDState {
    /// Writes the output of a frame: the signal minus the component that the filter removes.
    ///
    /// - Parameters:
    ///   - knownEnd: The end of the signal that no later frame changes.
    ///   - output: Receives the samples of a frame.
    package mutating func filterBass(until knownEnd: Int, into output: inout MutableSpan<Float>) {
        let half = frameLength / 2
        do {
            var removed = residue.mutableSpan
            for index in stride(from: 76, to: removed.count, by: 4) { removed.store(SIMD4(repeating: 0), at: index) }
        }
        // One bit per 64 values of ``residue``, the first of which start 52 before it. The previous frame's values may all be 0.
        var active: UInt32 = 0b11
        for slot in 1...frameLength / 64 where gains[slot] > 0 {
            active |= 1 << UInt32(slot + 1)
            computeResidue(at: 64 * slot - half, lag: lags[slot], gain: gains[slot], until: knownEnd)
        }
        let first = origin - half
        let source = signal.span
        let removed = residue.span
        for index in stride(from: 0, to: frameLength, by: 4) { output.store(source.vector(at: first &+ index), at: index) }
        let table = ACELPTables.bassFilter
        let filter = table.span.extracting(0..<13)
        for index in stride(from: 0, to: frameLength, by: 8) {
            guard (active >> UInt32((index &+ 52) >> 6) | active >> UInt32((index &+ 83) >> 6)) & 1 != 0 else { continue }
            let values = removed.extracting(index..<index &+ 32)
            var (low, high) = (values.vector(at: 12) * filter[0], values.vector(at: 16) * filter[0])
            for tap in 1...12 {
                let factor = filter[tap]
                low += (values.vector(at: 12 &- tap) + values.vector(at: 12 &+ tap)) * factor
                high += (values.vector(at: 16 &- tap) + values.vector(at: 16 &+ tap)) * factor
            }
            output.store(output.vector(at: index) - low, at: index)
            output.store(output.vector(at: index &+ 4) - high, at: index &+ 4)
        }
    }

    /// Computes the component to remove from 64 samples, before its low-pass filter.
    ///
    /// - Parameter gain: The gain of the adaptive codebook. Only whether it is nonzero matters here.
    private mutating func computeResidue(at time: Int, lag: Int, gain: Float, until knownEnd: Int) {
        let p = origin + time
        var lag = max(lag, 1)
        let source = signal.span
        let sums = PortableMath.correlate(source.extracting(p..<p + 64), source.extracting(p - lag..<p - lag + 64), in: 0..<64)
        var gain = min(max(sums.product / (1e-6 + sums.rightEnergy), 0), 1)
        if correlation(at: p, lag: lag / 2) > 0.95 { lag /= 2 }
        let known = min(max(knownEnd - lag - time, 0), 64)
        if known > 0 {
            // At most as loud as the signal one lag later.
            let energy = PortableMath.sumOfSquares(source, p..<p + known)
            let later = PortableMath.sumOfSquares(source, p + lag..<p + lag + known)
            gain = min(gain, ((0.01 + energy) / (0.01 + later)).squareRoot())
        }
        // The output starts 12 samples after the first retained value.
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

    /// Returns the autocorrelation at a lag, from 96 samples before to 64 samples after an index.
    private func correlation(at p: Int, lag: Int) -> Float {
        let source = signal.span
        let (block, earlier) = (source.extracting(p - 96..<p + 64), source.extracting(p - 96 - lag..<p + 64 - lag))
        let sums = PortableMath.correlate(block, earlier, in: 0..<160)
        return (0.01 + sums.product) / ((0.01 + sums.leftEnergy) * (0.01 + sums.rightEnergy)).squareRoot()
    }
}
