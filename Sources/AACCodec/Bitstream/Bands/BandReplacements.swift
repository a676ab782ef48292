// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Bands of a channel that are sent without lines: as noise, or as a scaled copy of the left channel.
struct BandReplacements: ~Copyable {
    /// The codebook of each band, 0 where lines are sent.
    private(set) var codebooks = FixedArray<UInt8>(repeating: 0, count: BandLayout.maximumCount)

    /// The noise energy or intensity position of each band that is replaced.
    private(set) var values = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    /// Sends a band as noise of an energy, which is rounded to steps of 1.5 dB (ISO/IEC 14496-3:2009, 4.6.13).
    mutating func setNoise(_ band: Int, energy: Float) {
        codebooks[band] = BandCodebook.noise
        values[band] = Int16(max(0, min(2 * PortableMath.log2(energy) + 0.5, 120)))
    }

    /// Sends a band as a copy of the left channel, `position` steps of 1.5 dB softer (ISO/IEC 14496-3:2009, 4.6.8.2).
    mutating func setIntensity(_ band: Int, position: Int, isInPhase: Bool) {
        codebooks[band] = isInPhase ? BandCodebook.intensityInPhase : BandCodebook.intensityOutOfPhase
        values[band] = Int16(position)
    }

    /// Whether a band is sent without lines.
    func contains(_ band: Int) -> Bool { codebooks[band] != 0 }

    /// Sends a band with lines.
    mutating func keepLines(_ band: Int) { codebooks[band] = 0 }

    /// Sends all bands with lines.
    mutating func clear() { codebooks.fill(0) }
}
