// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Holds back the decorrelated signal where the original has just had an attack (ISO/IEC 14496-3:2009, 8.6.4.5.2).
struct TransientReducer: ~Copyable {
    private static let peakDecay: Float = 0.765_928_338_364_65
    private static let smoothing: Float = 0.25
    private static let threshold: Float = 1.5
    /// Keeps states from becoming denormal.
    private static let floor = SIMD4<Float>(repeating: 1e-20)

    private var peaks: [9 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var differences: [9 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var energies: [9 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Makes one with a silent past.
    init() {}

    /// Turns the powers of up to four columns into gains, in place; columns in the lanes, one vector for each stereo band.
    mutating func reduce(_ values: inout MutableSpan<SIMD4<Float>>, bandCount: Int, columnCount: Int) {
        for row in 0..<(bandCount &+ 3) / 4 {
            let power = SIMD4<Float>.transposed(
                values[4 &* row], values[4 &* row &+ 1], values[4 &* row &+ 2], values[4 &* row &+ 3])
            let gain0 = step(power.0, row)
            let gain1 = columnCount > 1 ? step(power.1, row) : gain0
            let gain2 = columnCount > 2 ? step(power.2, row) : gain0
            let gain3 = columnCount > 3 ? step(power.3, row) : gain0
            let gain = SIMD4<Float>.transposed(gain0, gain1, gain2, gain3)
            values[4 &* row] = gain.0
            values[4 &* row &+ 1] = gain.1
            values[4 &* row &+ 2] = gain.2
            values[4 &* row &+ 3] = gain.3
        }
    }

    /// One column of four bands.
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
