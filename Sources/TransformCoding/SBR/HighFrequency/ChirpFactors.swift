// SPDX-License-Identifier: Apache-2.0

/// The inverse filtering strength of each noise band, `bwArray` (ISO/IEC 14496-3:2009, 4.6.18.6.2).
package struct ChirpFactors: ~Copyable {
    /// `bwArray` of the current frame, 0 to 0.996.
    package private(set) var factors = SIMD8<Float>(repeating: 0)
    /// `bs_invf_mode'`: the modes of the previous frame.
    private var modes = SIMD8<UInt8>(repeating: 0)
    /// `bw` of each subband of the noise bands; 0 in other subbands.
    package private(set) var strengths = SubbandStrengths()

    /// Creates factors of 0 with inverse filtering off.
    package init() {}

    /// Returns `newBw` for a mode and the previous frame's mode: 0 off, 1 low, 2 intermediate, 3 strong.
    private static func target(mode: UInt8, previous: UInt8) -> Float {
        switch (mode, previous) {
        case (0, 1): 0.6
        case (0, _): 0
        case (1, 0): 0.6
        case (1, _): 0.75
        case (2, _): 0.9
        default: 0.98
        }
    }

    /// Updates the factors with `bs_invf_mode` of the next frame.
    package mutating func update(_ newModes: SIMD8<UInt8>, noiseBands: BandBoundaries) {
        for band in 0..<noiseBands.count {
            let target = Self.target(mode: newModes[band], previous: modes[band])
            let previous = factors[band]
            let factor =
                target < previous ? 0.75 * target + 0.25 * previous : 0.906_25 * target + 0.093_75 * previous
            factors[band] = factor < 0.015_625 ? 0 : min(factor, 0.996_093_75)
        }
        modes = newModes
        strengths.clear()
        for band in 0..<noiseBands.count where factors[band] != 0 {
            for subband in noiseBands[band]..<noiseBands[band + 1] { strengths.set(factors[band], of: subband) }
        }
    }
}

/// The inverse filtering strength of each subband of the high band, `bw` (ISO/IEC 14496-3:2009, 4.6.18.6.3).
package struct SubbandStrengths: ~Copyable {
    /// The strengths of 64 subbands.
    private var values = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 16)
    /// The subbands with a nonzero strength, one bit each.
    private var subbands: UInt64 = 0

    init() {}

    mutating func clear() {
        values.fill(SIMD4(repeating: 0))
        subbands = 0
    }

    mutating func set(_ value: Float, of subband: Int) {
        values[subband / 4][subband % 4] = value
        subbands |= 1 << UInt64(subband)
    }

    func row(_ row: Int) -> SIMD4<Float> { values[row] }

    /// Returns the rows of four low subbands, one bit each, that patches copy to a subband with nonzero strength.
    package func sourceRows(of patches: PatchTable) -> UInt8 {
        var rows: UInt8 = 0
        guard subbands != 0 else { return 0 }
        for patch in 0..<patches.count {
            let (target, start) = (patches.target(of: patch), patches.start(of: patch))
            for offset in 0..<patches.width(of: patch) where subbands >> UInt64(target + offset) & 1 != 0 {
                rows |= 1 << UInt8((start + offset) / 4)
            }
        }
        return rows
    }
}
