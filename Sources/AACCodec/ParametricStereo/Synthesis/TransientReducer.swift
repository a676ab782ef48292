// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Transient reduction: attenuates the decorrelated signal after attacks of the mono signal (ISO/IEC 14496-3:2009, 8.6.4.5.2).
///
///     peak(n) = max(0.7659 · peak(n - 1), P(n))
///     diff(n) = diff(n - 1) + 0.25 (peak(n) - P(n) - diff(n - 1))
///     nrg(n)  = nrg(n - 1) + 0.25 (P(n) - nrg(n - 1))
///     g(n)    = nrg(n) / max(1.5 · diff(n), nrg(n))
package struct TransientReducer: ~Copyable {
    /// The decay of the peak per time slot.
    private static let peakDecay: Float = 0.765_928_338_364_65
    /// The smoothing coefficient of differences and energies.
    private static let smoothing: Float = 0.25
    /// `γ`: the factor of the difference above which the gain is less than 1.
    private static let threshold: Float = 1.5
    /// The minimum of all states, which keeps them from becoming denormal.
    private static var floor: SIMD4<Float> { SIMD4(repeating: 1e-20) }

    /// `PeakDecayNrg` of each stereo band.
    private var peaks = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 9)
    /// `SmoothPeakDecayDiffNrg` of each stereo band.
    private var differences = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 9)
    /// `SmoothNrg` of each stereo band.
    private var energies = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 9)

    /// Creates a transient reduction with zeroed history.
    package init() {}

    mutating func reset() {
        peaks.fill(SIMD4(repeating: 0))
        differences.fill(SIMD4(repeating: 0))
        energies.fill(SIMD4(repeating: 0))
    }

    /// Replaces the powers of up to four time slots with gains.
    ///
    /// - Parameter values: One vector per stereo band, with time slots in the lanes.
    package mutating func reduce(_ values: inout MutableSpan<SIMD4<Float>>, bandCount: Int, qmfSlotCount: Int) {
        for row in 0..<(bandCount &+ 3) / 4 {
            let power = SIMD4<Float>.transposed(
                values[4 &* row], values[4 &* row &+ 1], values[4 &* row &+ 2], values[4 &* row &+ 3])
            let gain0 = step(power.0, row)
            let gain1 = qmfSlotCount > 1 ? step(power.1, row) : gain0
            let gain2 = qmfSlotCount > 2 ? step(power.2, row) : gain0
            let gain3 = qmfSlotCount > 3 ? step(power.3, row) : gain0
            let gain = SIMD4<Float>.transposed(gain0, gain1, gain2, gain3)
            values[4 &* row] = gain.0
            values[4 &* row &+ 1] = gain.1
            values[4 &* row &+ 2] = gain.2
            values[4 &* row &+ 3] = gain.3
        }
    }

    /// Returns the gains of four stereo bands in one time slot.
    @inline(__always)
    private mutating func step(_ power: SIMD4<Float>, _ row: Int) -> SIMD4<Float> {
        let peak = (peaks[row] * Self.peakDecay).maximum(power).maximum(Self.floor)
        let difference = differences[row] + (peak - power - differences[row]) * Self.smoothing
        let energy = (energies[row] + (power - energies[row]) * Self.smoothing).maximum(Self.floor)
        peaks[row] = peak
        differences[row] = difference.maximum(Self.floor)
        energies[row] = energy
        return energy / (differences[row] * Self.threshold).maximum(energy)
    }
}
