// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

extension BandReplacements {
    /// Marks a band as noise with the given energy, rounded to steps of 1.5 dB (ISO/IEC 14496-3:2009, 4.6.13).
    package mutating func setNoise(_ band: Int, energy: Float) {
        replace(band, codebook: BandCodebook.noise, value: Int16(max(0, min(2 * PortableMath.log2(energy) + 0.5, 120))))
    }

    /// Marks a band as a copy of the left channel, `position` steps of 1.5 dB softer (ISO/IEC 14496-3:2009, 4.6.8.2).
    mutating func setIntensity(_ band: Int, position: Int, isInPhase: Bool) {
        let codebook = isInPhase ? BandCodebook.intensityInPhase : BandCodebook.intensityOutOfPhase
        replace(band, codebook: codebook, value: Int16(position))
    }
}
