// SPDX-License-Identifier: Apache-2.0

/// Dequantization of envelopes and noise floors, with and without coupling (ISO/IEC 14496-3:2009, 4.6.18.3.6).
package enum EnvelopeDequantizer {
    /// The mean energy per subband at level 0, for samples scaled to ±32768.
    @inlinable package static var lowestEnergy: Float { 64 }

    /// The maximum exponent, in half octaves.
    ///
    /// 64 · 2^44 is far above the energy of any sample, and its square is finite.
    private static let maximumExponent = 88

    /// Returns 2^(`halves` / 2), for -252 to 252.
    package static func powerOfTwo(halves: Int) -> Float {
        let whole = halves >> 1
        let power = Float(bitPattern: UInt32(truncatingIfNeeded: whole &+ 127) << 23)
        return halves & 1 == 0 ? power : power * 1.414_213_5
    }

    /// Returns `E_Orig` = 64 · 2^(E / a), for samples scaled to ±32768.
    ///
    /// The divisor a is 1 for steps of 3 dB and 2 for 1.5 dB.
    package static func energy(level: UInt8, isCoarse: Bool) -> Float {
        lowestEnergy * powerOfTwo(halves: min(Int(level) * (isCoarse ? 2 : 1), maximumExponent))
    }

    /// Returns `Q_Orig` = 2^(6 - Q), the noise-to-signal ratio.
    package static func noise(level: UInt8) -> Float { powerOfTwo(halves: 2 * (6 - Int(level))) }

    /// Returns `E_LeftOrig` and `E_RightOrig` = 64 · 2^(E0 / a + 1) / (1 + 2^(±(12 - E1 / a))) of a coupled pair.
    package static func energies(level: UInt8, balance: UInt8, isCoarse: Bool) -> (left: Float, right: Float) {
        let scale = isCoarse ? 2 : 1
        let total = 2 * energy(level: level, isCoarse: isCoarse)
        return split(total, halves: scale * ((isCoarse ? 12 : 24) - Int(balance)))
    }

    /// Returns `Q_LeftOrig` and `Q_RightOrig` = 2^(7 - Q0) / (1 + 2^(±(12 - Q1))) of a coupled pair.
    package static func noises(level: UInt8, balance: UInt8) -> (left: Float, right: Float) {
        split(2 * noise(level: level), halves: 2 * (12 - Int(balance)))
    }

    /// Returns `total` / (1 + 2^(`halves` / 2)) and `total` / (1 + 2^(-`halves` / 2)).
    private static func split(_ total: Float, halves: Int) -> (left: Float, right: Float) {
        let limited = max(-120, min(120, halves))
        return (total / (1 + powerOfTwo(halves: limited)), total / (1 + powerOfTwo(halves: -limited)))
    }
}
